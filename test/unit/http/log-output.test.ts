import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogOutput } from '../../../src/http/logs/log-output.ts';
import { createLogger } from '../../../src/http/logs/logger.ts';
import { mayMount, smallDisk } from '../../support/small-disk.ts';

const run = promisify(execFile);
const logs = join(import.meta.dirname, '../../../src/http/logs');

const logAt = (path: string) => {
  const fd = openSync(path, 'a');
  onTestFinished(() => closeSync(fd));
  const output = new LogOutput(fd);
  return { output, log: createLogger('info', output), text: () => readFileSync(path, 'utf8') };
};

it('lines are written together after a short while, in their order', async () => {
  const { log, text } = logAt(join(mkdtempSync(join(tmpdir(), 'campus-log-')), 'log'));
  log.info({ n: 1 }, 'line');
  log.info({ n: 2 }, 'line');
  expect(text()).toBe('');
  await vi.waitFor(() => expect(text().split('\n')).toHaveLength(3));
  expect(text().match(/"n":\d/g)).toEqual(['"n":1', '"n":2']);
});

it.each(['process.exit(0)', 'throw new Error("unexpected")', ''])(
  'lines that wait are written when the process ends: %s',
  async (end) => {
    const program = `const { createLogger } = await import(${JSON.stringify(join(logs, 'logger.ts'))});
const { LogOutput } = await import(${JSON.stringify(join(logs, 'log-output.ts'))});
const output = new LogOutput(1);
process.once('exit', () => output.writeRest());
const log = createLogger('info', output);
for (let n = 0; n < 3; n += 1) log.info({ n }, 'line');
${end}`;
    const answer = await run(process.execPath, ['--input-type=module', '-e', program]).catch((failed) => failed);
    expect(answer.stdout.match(/"n":\d/g)).toEqual(['"n":0', '"n":1', '"n":2']);
  },
);

it('a disk that is slower than the service costs lines beyond a bound, not memory', async () => {
  const { output, log } = logAt('/dev/null');
  const line = 'x'.repeat(1_000_000);
  for (let n = 0; n < 20; n += 1) log.info({ line }, 'line');
  // One batch is on its way, 4 MiB wait.
  expect(output.dropped).toBe(15);
  await output.end(10_000);
});

describe.runIf(mayMount)('a log file on a full disk', () => {
  it('costs its lines, which are counted and told once there is room again', async () => {
    const disk = smallDisk('256k');
    const { output, log, text } = logAt(join(disk.folder, 'log'));
    const write = async (...lines: number[]) => {
      for (const n of lines) log.info({ n }, 'line');
      await output.end(10_000);
    };
    await write(1);
    disk.fill();
    // It fills the page of the file that is there, so a line may be cut.
    await write(...Array.from({ length: 100 }, (_, at) => at + 2));
    log.fatal({}, 'does not wait');
    await output.end(10_000);
    expect(output.dropped).toBeGreaterThan(20);
    disk.free();
    await write(500);
    await write();
    const lines = text().trimEnd().split('\n');
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ n: 500 });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'log lines were dropped', lines: output.dropped });
    // All are there, or counted; the one that was cut is counted.
    const whole = lines.filter((each) => each.endsWith('}'));
    expect(whole.length - 2 + output.dropped).toBe(102);
  });
});
