import { Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { int, num } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** A tenth of what is asked for, in percent. */
const PERCENT_PER_ACTIVITY = 10;

/** @throws Failure `upstream-unreadable` for what is no number: it would be shown as no activity */
const fromPercentage = (progress: unknown): number => {
  const percentage = progress === null || progress === '' ? 0 : num(progress, Number.NaN);
  if (Number.isNaN(percentage)) throw unreadable('labor-club', 'progress is no number');
  return Math.max(0, Math.floor(percentage / PERCENT_PER_ACTIVITY));
};

/**
 * The number of finished activities: a number or its text; null and `""` are none. Some answers carry the percentage
 * instead, `{Progress}`.
 * @throws Failure `upstream-unreadable`
 */
export const parseFinishedCount = (data: unknown): number => {
  if (data === null || data === undefined || data === '') return 0;
  if (isRecord(data) && 'Progress' in data) return fromPercentage(data.Progress);
  const count = int(data, -1);
  if (count < 0) throw unreadable('labor-club', 'finished count is no number');
  return count;
};

/**
 * `{SumScore, Progress}`, the other place where the campus says the same.
 * @throws Failure `upstream-empty`, `upstream-unreadable`
 */
export const parseScoreInfo = (data: unknown): number => {
  if (data === null || data === undefined) throw new Failure('upstream-empty', { system: 'labor-club' });
  if (!isRecord(data) || !('Progress' in data)) throw unreadable('labor-club', 'score info without progress');
  return fromPercentage(data.Progress);
};
