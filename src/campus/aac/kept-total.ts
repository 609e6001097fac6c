import type { ActivityTotal } from '../../domain/activity-score/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { isObject } from '../parsing/scalars.ts';
import type { UpstreamSession } from '../session/upstream-session.ts';

const KEEP_MS = 300_000;
const KEY = 'total';

/**
 * The total of the last 300 s. It lives in the student's session, so it ends with a logout, a new login or a deleted
 * account, and every replica has it. Refusals are never kept.
 */
export const keptTotal = (memo: UpstreamSession['memo'], clock: Clock): ActivityTotal | null => {
  const value: unknown = JSON.parse(memo.get(KEY) ?? 'null');
  if (!isObject(value)) return null;
  const { at, score, requirementMet, explanation } = value;
  if (typeof at !== 'number' || typeof score !== 'number') return null;
  if (typeof requirementMet !== 'boolean' || typeof explanation !== 'string') return null;
  const age = clock.now() - at;
  return age >= 0 && age < KEEP_MS ? { score, requirementMet, explanation } : null;
};

export const keepTotal = (memo: UpstreamSession['memo'], clock: Clock, total: ActivityTotal): void =>
  memo.set(KEY, JSON.stringify({ ...total, at: clock.now() }));
