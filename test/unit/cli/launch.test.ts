import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

/** A separate project with the launcher, a program, and what makes the running Node call itself an older one. */
const project = (
  program: string,
): { folder: string; launch: (options?: string[]) => ChildProcessWithoutNullStreams } => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'src/cli'), { recursive: true });
  for (const path of ['package.json', 'src/cli/launch.cjs']) copyFileSync(join(root, path), join(folder, path));
  writeFileSync(join(folder, 'program.mjs'), program);
  writeFileSync(
    join(folder, 'old.cjs'),
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });\n",
  );
  const launch = (options: string[] = []) =>
    spawn(
      process.execPath,
      [...options, 'src/cli/launch.cjs', '--disable-sigusr1', 'program.mjs', 'one', 'two words'],
      { cwd: folder },
    );
  return { folder, launch };
};

const endOf = async (child: ChildProcessWithoutNullStreams) => {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const [code, signal]: unknown[] = await once(child, 'close');
  return { code, signal, ...said };
};

describe('the npm scripts', () => {
  it('are read alike by every shell that npm uses: no exec, no NAME=value, no quotes, no variables', () => {
    const notPortable = /(?<!npm )\bexec\b|(^|\s)[A-Za-z_]\w*=|['"$`;|<>\\]|(^|[^&])&([^&]|$)/;
    expect('exec node x').toMatch(notPortable);
    expect('A=b node x').toMatch(notPortable);
    expect(Object.entries(scripts).filter(([, line]) => notPortable.test(line))).toEqual([]);
  });

  it('run everything of this project by the launcher', () => {
    const direct = Object.entries(scripts).filter(([, line]) => /\bnode (?!src\/cli\/launch\.cjs )/.test(line));
    expect(direct).toEqual([]);
  });
});

describe('the launcher', () => {
  it('keeps what it compiles of the service among the packages, unless told where, and of nothing else', async () => {
    const program = 'process.stdout.write(String(process.env.NODE_COMPILE_CACHE));\n';
    const { folder } = project(program);
    writeFileSync(join(folder, 'src/program.mjs'), program);
    const cacheOf = async (path: string, env: NodeJS.ProcessEnv) =>
      (await endOf(spawn(process.execPath, ['src/cli/launch.cjs', path], { cwd: folder, env }))).stdout;
    const { NODE_COMPILE_CACHE: _set, ...env } = process.env;
    expect(await cacheOf('src/program.mjs', env)).toBe(join(realpathSync(folder), 'node_modules/.cache/compiled'));
    expect(await cacheOf('src/program.mjs', { ...env, NODE_COMPILE_CACHE: '/elsewhere' })).toBe('/elsewhere');
    expect(await cacheOf('program.mjs', env)).toBe('undefined');
  });

  it('runs the program with its arguments and options of Node, and ends with its exit code', async () => {
    const { launch } = project(
      'process.stdout.write(JSON.stringify([process.argv.slice(2), process.execArgv])); process.exit(7);\n',
    );
    expect(await endOf(launch())).toEqual({
      code: 7,
      signal: null,
      stdout: JSON.stringify([['one', 'two words'], ['--disable-sigusr1']]),
      stderr: '',
    });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'hands %s on, twice at once as one, and keeps the exit code',
    async (signal) => {
      const { launch } = project(
        `let count = 0;
       process.on('${signal}', () => { count += 1; setTimeout(() => process.exit(40 + count), 100); });
       setTimeout(() => {}, 20_000);
       process.stdout.write('ready');\n`,
      );
      const child = launch();
      await once(child.stdout, 'data');
      child.kill(signal);
      child.kill(signal);
      expect(await endOf(child)).toMatchObject({ code: 41, signal: null });
    },
  );

  it('ends its program when the shell that npm put in between is gone', async () => {
    const { folder } = project(
      `process.on('SIGTERM', () => { process.stdout.write(' closed'); process.exit(); });
       setTimeout(() => {}, 20_000);
       process.stdout.write('ready');\n`,
    );
    // As npm runs `sh -c "node …"` where the shell does not turn into the last command.
    const shell = spawn('sh', ['-c', `'${process.execPath}' src/cli/launch.cjs program.mjs; true`], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', npm_lifecycle_event: 'start' },
    });
    await once(shell.stdout, 'data');
    shell.kill('SIGTERM');
    // Its end is that of the last process that writes to its output.
    expect(await endOf(shell)).toMatchObject({ signal: 'SIGTERM', stdout: ' closed' });
  });

  it('opens no inspector on SIGUSR1, and keeps running', async () => {
    const { launch } = project(
      `for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT']) process.on(signal, () => process.stdout.write(signal));
       setTimeout(() => {}, 20_000);
       process.stdout.write('ready');\n`,
    );
    // Two launchers of the same machine would both want the usual port.
    const child = launch(['--inspect-port=0']);
    const end = endOf(child);
    await once(child.stdout, 'data');
    child.kill('SIGUSR1');
    // An inspector would have said so by the time that these have come through, one after the other.
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) {
      child.kill(signal);
      await once(child.stdout, 'data');
    }
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ signal: 'SIGTERM', stdout: 'readySIGHUPSIGINTSIGQUIT', stderr: '' });
  });

  it('dies of the signal that its program died of', async () => {
    const { launch } = project("process.kill(process.pid, 'SIGKILL');\n");
    expect(await endOf(launch())).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('says in one line what an old Node lacks', async () => {
    const { launch } = project('throw new Error("never run");\n');
    const { code, stdout, stderr } = await endOf(launch(['--require', './old.cjs']));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Node 24 or newer is needed, and this is 18\.20\.4: run `npm ci`.*\n$/);
  });

  it.each([
    [
      'lacks a library',
      '#!/bin/sh\necho "node: error while loading shared libraries: libx.so.1" >&2; exit 127\n',
      'libx.so.1',
    ],
    ['needs a loader that is not there', '#!/nowhere/loader\n', 'ENOENT'],
  ])('says in one line what to install where the packaged Node %s', async (_, program, reason) => {
    const { folder, launch } = project('throw new Error("never run");\n');
    mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/node/bin/node'), program, { mode: 0o755 });
    const { code, stdout, stderr } = await endOf(launch(['--require', './old.cjs']));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Node 24 or newer is needed, and this is 18\.20\.4: install one .* does not start here \(.*\)\.\n$/,
    );
    expect(stderr).toContain(reason);
  });

  it.each([
    'node/bin',
    `node/node_modules/node-${process.platform}-${process.arch}/bin`,
    `node-${process.platform}-${process.arch}/bin`,
  ])('finds the packaged Node in node_modules/%s when the running one is old', async (place) => {
    const { folder, launch } = project('process.stdout.write(process.versions.node);\n');
    mkdirSync(join(folder, 'node_modules', place), { recursive: true });
    symlinkSync(process.execPath, join(folder, 'node_modules', place, 'node'));
    const { code, stdout } = await endOf(launch(['--require', './old.cjs']));
    expect({ code, stdout }).toEqual({ code: 0, stdout: process.versions.node });
  });
});
