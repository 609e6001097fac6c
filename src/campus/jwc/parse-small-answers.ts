import { type TrainingPlan, trainingPlanOf } from '../../domain/academics/plans.ts';
import type { AcademicSummary, CourseSelection } from '../../domain/academics/types.ts';
import { Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { readJson, readJsonObject } from '../parsing/json.ts';
import { elementsOf } from '../parsing/list-rows.ts';
import { hasAnyOf, int, num, str } from '../parsing/scalars.ts';
import { clean } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

const summaryMembers = ['courseNum', 'coursePas', 'courseNum_bxqyxd', 'gpa', 'zxjxjhh'];

/** None failed must have been said. */
const stated = (count: number): number | null => (count >= 0 ? count : null);

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
  if (!hasAnyOf(first, summaryMembers)) throw unreadable('academics', 'summary without its members');
  return {
    coursesTaken: int(first.courseNum),
    coursesFailed: stated(int(first.coursePas, -1)),
    coursesPending: int(first.courseNum_bxqyxd),
    gpa: num(first.gpa),
    currentTerm: str(first.zxjxjhh),
    averageScore: aboveZero(num(first.sspjf_jd)),
    rank: aboveZero(int(first.sspjf_pm)),
    rankTotal: aboveZero(int(first.sspjf_rs)),
  };
};

/**
 * `{zxjxjhm, retString, jhrxxqztx}`; courses can be chosen exactly while `retString` is 1, as text or number.
 * @throws Failure `upstream-unreadable`, also without `retString`: "closed" would be a guess
 */
export const parseCourseSelection = (text: string): CourseSelection => {
  const body = readJsonObject(text, 'academics');
  if (!('retString' in body)) throw unreadable('academics', 'selection status without its member');
  return { open: str(body.retString) === '1' };
};

/**
 * `{count, data: [[plan name, plan number], …]}`; the first plan counts.
 * @throws Failure `upstream-unreadable`; `upstream-empty` when the student has no plan
 */
export const parseTrainingPlan = (text: string): TrainingPlan => {
  const body = readJsonObject(text, 'academics');
  if (!('data' in body)) throw unreadable('academics', 'plan answer without data');
  const [first] = elementsOf(body.data, { system: 'academics', what: 'plan rows' });
  const name = Array.isArray(first) && first.length >= 2 ? clean(str(first[0])) : '';
  // A count of zero beside a row is the campus saying that the row is none of this student's.
  if (name === '' || int(body.count, 1) <= 0) {
    throw new Failure('upstream-empty', { system: 'academics', reason: 'no training plan' });
  }
  return trainingPlanOf(name);
};
