import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';

/** The waits after the first failure, the second one and so on; after the last one a delivery is given up. */
const steps: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const JITTER = 0.2;
/** A receiver that asks for a longer pause is called again after this one. */
const LONGEST_ASKED_MS = 6 * HOUR_MS;
/** A clock that was ahead wrote any delivery due later than this. */
export const LONGEST_RETRY_MS = Math.ceil(24 * HOUR_MS * (1 + JITTER));

/**
 * How long to wait after so many failed attempts; null: that was the last one.
 * @param askedMs the pause that the receiver has asked for; null: none
 */
export const pauseAfter = (failures: number, random: () => number, askedMs: number | null): number | null => {
  const step = steps[failures - 1];
  if (step === undefined) return null;
  const pause = step * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(pause, Math.min(askedMs ?? 0, LONGEST_ASKED_MS)));
};

/** Reads `Retry-After`, in seconds or as a date; null: it is neither. */
export const askedPause = (header: string | null, now: number): number | null => {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};
