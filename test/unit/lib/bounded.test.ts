import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { boundSizeAndAge } from '../../../src/lib/text.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it('a value is kept for its time by the clock of the service, however it is used and that clock corrected', () => {
  const clock = new ManualClock();
  const cache = new LRUCache<string, number>(boundSizeAndAge(3, 1_000, clock));
  cache.set('a', 1);
  clock.advance(600);
  clock.correct(-86_400_000);
  expect(cache.get('a')).toBe(1);
  clock.advance(399);
  expect(cache.get('a')).toBe(1);
  clock.advance(1);
  expect(cache.get('a')).toBeUndefined();
});

it('the value that was not asked for longest goes first', () => {
  const cache = new LRUCache<string, number>(boundSizeAndAge(3, 1_000, new ManualClock()));
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) cache.set(key, value);
  cache.get('a');
  cache.set('d', 4);
  expect([...'abcd'].map((key) => cache.get(key))).toEqual([1, undefined, 3, 4]);
});
