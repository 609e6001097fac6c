import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { batched, createLogger } from '../../../src/http/logs/logger.ts';

const run = promisify(execFile);
const logger = join(import.meta.dirname, '../../../src/http/logs/logger.ts');

it('lines are written together after a short while, in their order', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'campus-log-')), 'log');
  // It is opened a moment later.
  writeFileSync(path, '');
  const log = createLogger('info', batched(path));
  log.info({ n: 1 }, 'line');
  log.info({ n: 2 }, 'line');
  expect(readFileSync(path, 'utf8')).toBe('');
  await vi.waitFor(() => expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3));
  expect(readFileSync(path, 'utf8').match(/"n":\d/g)).toEqual(['"n":1', '"n":2']);
});

it.each(['process.exit(0)', 'throw new Error("unexpected")', ''])(
  'lines that wait are written when the process ends: %s',
  async (end) => {
    const program = `const { createLogger } = await import(${JSON.stringify(logger)});
const log = createLogger('info');
for (let n = 0; n < 3; n += 1) log.info({ n }, 'line');
${end}`;
    const answer = await run(process.execPath, ['--input-type=module', '-e', program]).catch((failed) => failed);
    expect(answer.stdout.match(/"n":\d/g)).toEqual(['"n":0', '"n":1', '"n":2']);
  },
);
