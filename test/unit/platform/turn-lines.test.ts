import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatchedLog } from '../../../src/platform/logs/logger.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const collecting = () => {
  const written: string[] = [];
  return { written, lines: new BatchedLog({ write: (text: string) => void written.push(text) }) };
};

describe('the lines of a log', () => {
  it('are written together after a pause, in their order, before the next turn', async () => {
    const { written, lines } = collecting();
    lines.write('one\n');
    lines.write('two\n');
    await Promise.resolve();
    expect(written).toEqual([]);
    await nextTurn();
    expect(written).toEqual(['one\ntwo\n']);
  });

  it('wait for those of the next turns after a write, but no longer than 10 ms', async () => {
    const { written, lines } = collecting();
    lines.write('one\n');
    await nextTurn();
    lines.write('two\n');
    await nextTurn();
    vi.advanceTimersByTime(6);
    lines.write('three\n');
    vi.advanceTimersByTime(3);
    expect(written).toEqual(['one\n']);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['one\n', 'two\nthree\n']);
    vi.advanceTimersByTime(10);
    lines.write('four\n');
    await nextTurn();
    expect(written.at(-1)).toBe('four\n');
  });

  it('are written at once by a flush, and not again', async () => {
    const { written, lines } = collecting();
    lines.write('one\n');
    lines.flush();
    lines.flush();
    expect(written).toEqual(['one\n']);
    lines.write('two\n');
    vi.advanceTimersByTime(10);
    expect(written).toEqual(['one\n', 'two\n']);
  });

  it('reach a file in the last moment of the process as well, and once', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'campus-log-')), 'log');
    const fd = openSync(path, 'w');
    const lines = new BatchedLog({ write: () => {}, fd });
    lines.write('one\n');
    lines.flushSync();
    lines.flushSync();
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  it('do not wait when they are many', () => {
    const { written, lines } = collecting();
    for (let at = 0; at < 3; at += 1) lines.write(`${'x'.repeat(40_000)}\n`);
    expect(written.join('')).toHaveLength(80_002);
  });
});
