import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workingDirectory } from './support/service-process.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A machine in a folder: its /opt, /etc and /var/lib, and commands that only note that they were called. */
const machine = () => {
  const folder = workingDirectory();
  const at = (path: string): string => join(folder, path);
  for (const path of ['bin', 'opt', 'etc', 'var/lib/campus-gateway', 'repository/src/cli'])
    mkdirSync(at(path), { recursive: true });
  const command = (name: string, body = ''): void => {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >> '${at('calls')}'\n${body}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  };
  for (const name of ['npm', 'campus', 'systemctl', 'sleep']) command(name);
  writeFileSync(at('etc/campus-gateway.env'), 'PORT=3000\n');
  const there = (text: string): string => text.replaceAll(/(?<=[\s=("'])\/(?=(?:opt|etc|var\/lib)\/)/g, `${folder}/`);
  const run = (script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
    spawnSync('sh', ['-c', there(script), 'sh', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${at('bin')}:${process.env.PATH}`, ...env },
    });
  const calls = (): string[] => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : []);
  return { at, command, run, calls };
};

describe('docs/deploy/campus-install', () => {
  const script = read('docs/deploy/campus-install');

  /** A version whose health is as given, in a repository. */
  const publish = ({ at, run }: ReturnType<typeof machine>, exitCode: number): void => {
    writeFileSync(at('repository/src/cli/health.ts'), `process.exit(${exitCode});\n`);
    const git = 'git -c user.name=T -c user.email=t@example.edu';
    run(`cd repository && { [ -e .git ] || git init -q; } && git add -A && ${git} commit -q --allow-empty -m version`);
  };
  const installed = ({ at, run }: ReturnType<typeof machine>) => {
    const { status, stderr } = run(script.replace('date -u +', 'date -u +%N-'), [at('repository')]);
    return { status, stderr, current: readlinkSync(at('opt/campus-gateway')) };
  };

  it('installs the first version and starts nothing', () => {
    const here = machine();
    publish(here, 0);
    const { status, current } = installed(here);
    expect([status, here.calls()]).toEqual([0, ['npm ci --omit=dev --ignore-scripts']]);
    expect(existsSync(join(current, 'src/cli/health.ts'))).toBe(true);
  });

  it('installs the next one beside it, backs up, switches and restarts', () => {
    const here = machine();
    publish(here, 0);
    const former = installed(here).current;
    const { status, current } = installed(here);
    expect(status).toBe(0);
    expect(current).not.toBe(former);
    expect(existsSync(join(former, 'src/cli/health.ts'))).toBe(true);
    expect(here.calls().slice(1)).toEqual([
      'npm ci --omit=dev --ignore-scripts',
      expect.stringMatching(/^campus backup .*\/backups\/before-.*\.db$/),
      'systemctl restart campus-gateway.service',
    ]);
  });

  it('goes back to the former one where the new one does not become ready', () => {
    const here = machine();
    publish(here, 0);
    const former = installed(here).current;
    publish(here, 1);
    const { status, current, stderr } = installed(here);
    expect([status, current]).toEqual([1, former]);
    expect(stderr).toContain('does not become ready');
    expect(here.calls().filter((call) => call.startsWith('systemctl'))).toHaveLength(2);
  });

  it('changes nothing where the packages cannot be installed', () => {
    const here = machine();
    publish(here, 0);
    const former = installed(here).current;
    here.command('npm', 'exit 1');
    const { status, current } = installed(here);
    expect([status, current]).toEqual([1, former]);
    expect(here.calls().filter((call) => /^(?:campus|systemctl)/.test(call))).toEqual([]);
  });

  it('takes over a folder of before, without moving it away from the version that runs', () => {
    const here = machine();
    publish(here, 0);
    mkdirSync(here.at('opt/campus-gateway'));
    writeFileSync(here.at('opt/campus-gateway/old'), '');
    expect(installed(here).status).toBe(0);
    const [before = ''] = readdirSync(here.at('opt/campus')).filter((name) => name.startsWith('before-'));
    expect(existsSync(here.at(`opt/campus/${before}/old`))).toBe(true);
  });
});

describe('the way back of docs/run/upgrade.md', () => {
  const [, block = ''] = /```sh\n(\( set -e\n.*?)```/s.exec(read('docs/run/upgrade.md')) ?? [];
  // Two in one second have the same name otherwise.
  const script = block.replace('date -u +', 'date -u +%N-');

  const prepared = () => {
    const here = machine();
    mkdirSync(here.at('opt/campus/1'), { recursive: true });
    const folder = 'var/lib/campus-gateway';
    for (const name of ['campus.db', 'campus.db-wal', 'campus.db.before-7-2026'])
      writeFileSync(here.at(`${folder}/${name}`), name);
    const saved = () =>
      readdirSync(here.at(folder))
        .filter((name) => name.startsWith('after-'))
        .map((name) => readFileSync(here.at(`${folder}/${name}/campus.db`), 'utf8'));
    const database = () => readFileSync(here.at(`${folder}/campus.db`), 'utf8');
    return {
      ...here,
      saved,
      database,
      back: (env = { PREVIOUS: here.at('opt/campus/1') }) => here.run(script, [], env),
    };
  };

  it('can be gone three times, and keeps the database of each', () => {
    const { at, back, saved, database, calls } = prepared();
    for (const [times, later] of ['one', 'two', 'three'].entries()) {
      expect(back()).toMatchObject({ status: 0, stderr: '' });
      expect(database()).toBe('campus.db.before-7-2026');
      expect(saved()).toHaveLength(times + 1);
      writeFileSync(at('var/lib/campus-gateway/campus.db'), later);
    }
    expect(saved().toSorted()).toEqual(['campus.db', 'one', 'two']);
    expect(basename(readlinkSync(at('opt/campus-gateway')))).toBe('1');
    expect(calls().at(-1)).toBe('systemctl start campus-gateway.service');
  });

  it('touches nothing without a copy, or without a version to go back to', () => {
    const { at, run, back, saved, database, calls } = prepared();
    expect(back({ PREVIOUS: '' }).status).not.toBe(0);
    run(`rm ${at('var/lib/campus-gateway')}/campus.db.before-*`);
    expect(back().status).not.toBe(0);
    expect([saved(), database(), calls()]).toEqual([[], 'campus.db', []]);
  });
});
