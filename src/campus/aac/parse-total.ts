import type { ActivityTotal } from '../../domain/activity-score/types.ts';
import { Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { flag, text } from '../parsing/cells.ts';
import { hasAnyOf, num } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

const known = ['TotalScore', 'IsTypeAdopt', 'TypeAdoptResult'];

/**
 * `{TotalScore, IsTypeAdopt, TypeAdoptResult}`. The total is the campus's own; it is never added up from the list.
 * @throws Failure `upstream-empty` for null, missing and `{}`; `upstream-unreadable`
 */
export const parseTotal = (data: unknown): ActivityTotal => {
  const nothing = data === null || data === undefined || (isRecord(data) && Object.keys(data).length === 0);
  if (nothing) throw new Failure('upstream-empty', { system: 'activity-score', reason: 'no total' });
  if (!isRecord(data)) throw unreadable('activity-score', 'total is no object');
  // Single members may be missing, but an object without any of them would be shown as a score of 0.
  if (!hasAnyOf(data, known)) throw unreadable('activity-score', 'total without its members');
  return {
    score: num(data.TotalScore),
    requirementMet: flag(data.IsTypeAdopt),
    explanation: text(data.TypeAdoptResult),
  };
};
