import { describe, expect, it } from 'vitest';
import { TimedCache } from '../../../src/lib/timed-cache.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const start = () => {
  const clock = new ManualClock();
  return { clock, cache: new TimedCache<number>({ clock, ttlMs: 1_000, limit: 3 }) };
};

describe('a timed cache', () => {
  it('keeps a value for its time and not longer for being used', () => {
    const { clock, cache } = start();
    cache.set('a', 1);
    clock.advance(600);
    expect(cache.get('a')).toBe(1);
    clock.advance(399);
    expect(cache.get('a')).toBe(1);
    clock.advance(1);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('starts the time anew with a new value', () => {
    const { clock, cache } = start();
    cache.set('a', 1);
    clock.advance(900);
    cache.set('a', 2);
    clock.advance(900);
    expect(cache.get('a')).toBe(2);
  });

  it('lets go of the value that was not asked for longest', () => {
    const { cache } = start();
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) cache.set(key, value);
    cache.get('a');
    cache.set('d', 4);
    expect([...'abcd'].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4]);
    expect(cache.size).toBe(3);
  });

  it('keeps nothing over a clock that was set back', () => {
    const { clock, cache } = start();
    cache.set('a', 1);
    clock.advance(-1);
    expect(cache.get('a')).toBeUndefined();
  });
});
