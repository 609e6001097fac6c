import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Expiry } from '../../../src/platform/call/call-context.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const watched = (ms: number) => {
  const over: string[] = [];
  return { over, expiry: new Expiry<string>(ms, (item) => over.push(item)) };
};

describe('what may take a fixed time', () => {
  it('is ended when that is over, and not before', () => {
    const { over, expiry } = watched(1_000);
    expiry.add('one');
    vi.advanceTimersByTime(999);
    expect(over).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(over).toEqual(['one']);
  });

  it('is ended each at its own time, by one timer', () => {
    const { over, expiry } = watched(1_000);
    expiry.add('one');
    vi.advanceTimersByTime(400);
    expiry.add('two');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(600);
    expect(over).toEqual(['one']);
    vi.advanceTimersByTime(399);
    expect(over).toEqual(['one']);
    vi.advanceTimersByTime(1);
    expect(over).toEqual(['one', 'two']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is left alone once it is done', () => {
    const { over, expiry } = watched(1_000);
    expiry.add('one');
    expiry.delete('one');
    vi.advanceTimersByTime(500);
    expiry.add('two');
    vi.advanceTimersByTime(999);
    expect(over).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(over).toEqual(['two']);
  });
});
