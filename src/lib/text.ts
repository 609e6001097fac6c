import type { Clock } from './time.ts';

/** Why something failed, in words: the message with those of its causes. Some errors of the network have a code only. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || ('code' in error ? String(error.code) : 'unexpected failure');
  if (error.cause === undefined) return own;
  const cause = reasonOf(error.cause);
  return own.includes(cause) ? own : `${own}: ${cause}`;
};

export const errorCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const one = (): number => 1;

/** Options of an `lru-cache`. For `max` the library would make room at once: 2 ms and 380 kB for 20,000 entries. */
export const boundSize = (most: number) => ({ maxSize: most, sizeCalculation: one });

/** The same, for values that expire by our clock. */
export const boundSizeAndAge = (most: number, ttlMs: number, clock: Clock) => ({
  ...boundSize(most),
  // The library keeps a value for one moment longer.
  ttl: ttlMs - 1,
  ttlResolution: 0,
  // The library takes 0 for no time at all.
  perf: { now: () => 1 + clock.monotonic() },
});

/** Compares for `toSorted`, by code units. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The campus counts characters without blanks. */
export const withoutBlanks = (text: string): string => text.replace(/\s+/gu, '');

export const SHORTEST_COMMENT = 4;

/** The names in a JSON pointer (RFC 6901). */
export const pointerNames = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

export type CommentFault = 'too-short' | 'repeats';

/** Why the campus would refuse a comment: `repeats` one character three times in a row. null when it takes it. */
export const commentFault = (text: string): CommentFault | null => {
  const characters = withoutBlanks(text);
  if ([...characters].length < SHORTEST_COMMENT) return 'too-short';
  return /(.)\1\1/u.test(characters) ? 'repeats' : null;
};
