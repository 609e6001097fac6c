import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `tools/run.ts PROGRAM [ARGUMENTS]`: runs a program that needs the packages of this folder, and installs them first
 * unless exactly what package-lock.json names is there. `npm ci` of the project leaves them out: running and
 * testing the service needs none of them.
 */

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const install = (): void => {
  const wanted = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  // Written last, and removed by npm with all the rest before it begins: an install that broke off leaves none.
  const stamp = join(import.meta.dirname, 'node_modules/.installed-lock.json');
  if (read(stamp) === wanted) return;
  process.stderr.write('Installing the packages of tools/ …\n');
  const { status, error } = spawnSync('npm', ['ci'], {
    cwd: import.meta.dirname,
    // Standard output belongs to the tool: a program may read it.
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    // There npm is a command file, which only a shell runs.
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write(
      `The packages of tools/ cannot be installed: ${error?.message ?? 'npm ci failed, see above'}\n`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
};

install();
const [node = '', , program = '', ...rest] = process.argv;
process.argv = [node, resolve(program), ...rest];
await import(pathToFileURL(resolve(program)).href);
