import { dayNumber, dayText } from '../../lib/time.ts';
import type { DayRange } from './records.ts';

const longestRange = 31;
const usualRange = 30;
const oldestDays = 366;

/**
 * The range of days to ask for: by default the last 30, or as many as possible beside the one day that is named.
 * @returns the member at fault where the days make no range that may be asked for
 */
export const rangeOf = (
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): DayRange | 'from' | 'to' => {
  const now = dayNumber(today);
  if (now === null) throw new Error('today is no day');
  const [first, last] = [asked.from, asked.to].map((day) => (day === undefined ? undefined : dayNumber(day)));
  if (first === null) return 'from';
  if (last === null) return 'to';
  const to = last ?? (first === undefined ? now : Math.min(first + longestRange - 1, now));
  const from = first ?? to - usualRange + 1;
  // A day that is named alone is the one at fault.
  const early = first === undefined ? 'to' : 'from';
  if (from < now - oldestDays) return early;
  if (from > now) return early;
  if (to > now) return 'to';
  if (from > to || to - from >= longestRange) return 'from';
  return { from: dayText(from), to: dayText(to) };
};

/** Rounds to two decimals; amounts that the campus left out count as 0. */
export const sumOf = (amounts: readonly (number | null)[]): number =>
  Math.round(amounts.reduce<number>((sum, each) => sum + (each ?? 0), 0) * 100) / 100;
