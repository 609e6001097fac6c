import type { AcademicSummary } from '../../domain/academics/types.ts';
import { Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { readJson } from '../parsing/json.ts';
import { int, num, str } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';

const known = ['courseNum', 'coursePas', 'courseNum_bxqyxd', 'gpa', 'zxjxjhh'];

/** A rank, a cohort or an average of 0 is how the campus says that there is none. */
const aboveZero = (value: number): number | null => (value > 0 ? value : null);

/**
 * `[{courseNum, coursePas, courseNum_bxqyxd, gpa, zxjxjhh, …}]`; only the first element counts. `coursePas` is the
 * number of courses that were not passed, despite its name; `sspjf_jd`, `sspjf_pm` and `sspjf_rs` are average mark, rank
 * and students ranked.
 * @throws Failure `upstream-unreadable`; `upstream-empty` for the empty list
 */
export const parseAcademicSummary = (text: string): AcademicSummary => {
  const body = readJson(text, 'academics');
  if (!Array.isArray(body)) throw unreadable('academics', 'summary is no list');
  if (body.length === 0) throw new Failure('upstream-empty', { system: 'academics', reason: 'summary list is empty' });
  const first: unknown = body[0];
  if (!isRecord(first)) throw unreadable('academics', 'summary element is no object');
  // Single members may be missing, but an object without any of them would be shown as a student without courses.
  if (!known.some((name) => name in first)) throw unreadable('academics', 'summary without its members');
  return {
    coursesTaken: int(first.courseNum),
    coursesFailed: int(first.coursePas),
    coursesPending: int(first.courseNum_bxqyxd),
    gpa: num(first.gpa),
    currentTerm: str(first.zxjxjhh),
    averageScore: aboveZero(num(first.sspjf_jd)),
    rank: aboveZero(int(first.sspjf_pm)),
    rankTotal: aboveZero(int(first.sspjf_rs)),
  };
};
