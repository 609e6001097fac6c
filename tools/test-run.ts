import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Run, type RunResult, toRunAlone, verdictOf } from './test-verdict.ts';

/**
 * `tools/test-run.ts [ARGUMENTS]`: all tests, and those files that failed once more, alone. Thousands of tests side by
 * side on a small machine are a load that no test means to measure; a file that fails alone is wrong.
 */

const folder = mkdtempSync(join(tmpdir(), 'campus-tests-'));
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');

const resultAt = (path: string): RunResult | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

const run = (name: string, args: readonly string[]): Run => {
  const path = join(folder, name);
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_RESULTS: path },
  });
  return { exitCode: status, result: resultAt(path) };
};

const all = run('all.json', process.argv.slice(2));
const again = toRunAlone(all);
if (again.length > 0) process.stdout.write(`\nOnce more, alone: ${again.join(', ')}\n`);
const alone = again.length > 0 ? run('alone.json', ['--maxWorkers=1', ...again]) : null;
rmSync(folder, { recursive: true, force: true });
const { lines, isGood } = verdictOf(all, alone);
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = isGood ? 0 : 1;
