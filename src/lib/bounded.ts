import type { Clock } from './clock.ts';

const one = (): number => 1;

/**
 * Options of an `lru-cache` with at most that many entries. Given as `max`, the library would make room for them all at
 * once: 2 ms and 380 kB for 20,000.
 */
export const bounded = (most: number) => ({ maxSize: most, sizeCalculation: one });

/** The same, for values that expire by our clock. */
export const boundedFor = (most: number, ttlMs: number, clock: Clock) => ({
  ...bounded(most),
  // The library keeps a value for one moment longer.
  ttl: ttlMs - 1,
  ttlResolution: 0,
  // The library takes 0 for no time at all.
  perf: { now: () => 1 + clock.monotonic() },
});
