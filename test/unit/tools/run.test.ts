import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = "process.stdout.write(process.argv.slice(2).join('|'));\nprocess.exitCode = 7;\n";

/** A folder of tools whose npm installs nothing: it says what it was asked for, and ends as told. */
const tools = () => {
  const folder = mkdtempSync(join(tmpdir(), 'campus-tools-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(import.meta.dirname, '../../../tools/run.ts'), join(folder, 'run.ts'));
  writeFileSync(join(folder, 'program.mjs'), program);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  mkdirSync(join(folder, 'bin'));
  const npm = (code: number): void =>
    writeFileSync(
      join(folder, 'bin/npm'),
      `#!/bin/sh\necho "npm $*"\nrm -rf node_modules\n[ ${code} != 0 ] || mkdir node_modules\nexit ${code}\n`,
      { mode: 0o755 },
    );
  npm(0);
  const lock = (text: string): void => writeFileSync(join(folder, 'package-lock.json'), text);
  lock('{"first":1}');
  const run = () => {
    const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
    const args = [join(folder, 'run.ts'), join(folder, 'program.mjs'), 'one', '--two=2'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, PATH },
    });
    return { status, stdout, installs: stderr.match(/^npm .*$/gm) ?? [], stderr };
  };
  return { folder, npm, lock, run };
};

describe.skipIf(process.platform === 'win32')('the packages of tools/', () => {
  it('are installed before the first program that needs them, and not before the next', () => {
    const { run } = tools();
    expect(run()).toMatchObject({ status: 7, stdout: 'one|--two=2', installs: ['npm ci'] });
    expect(run()).toMatchObject({ status: 7, stdout: 'one|--two=2', installs: [], stderr: '' });
  });

  it('are installed again when the lock file has changed, or when they have gone', () => {
    const { folder, lock, run } = tools();
    run();
    lock('{"second":2}');
    expect(run().installs).toEqual(['npm ci']);
    expect(run().installs).toEqual([]);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(run().installs).toEqual(['npm ci']);
  });

  it('that cannot be installed end the run in words, and are tried again by the next', () => {
    const { folder, npm, run } = tools();
    npm(1);
    const failed = run();
    expect(failed).toMatchObject({ status: 1, stdout: '', installs: ['npm ci'] });
    expect(failed.stderr).toContain('The packages of tools/ cannot be installed: npm ci failed, see above\n');
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
    npm(0);
    expect(run()).toMatchObject({ status: 7, installs: ['npm ci'] });
  });
});
