import { type TrainingPlan, trainingPlanOf } from '../../../domain/academics/plans.ts';
import type { AcademicSummary, CourseSelection } from '../../../domain/academics/ports.ts';
import type { StudentFile } from '../../../domain/academics/records.ts';
import { failures } from '../../../domain/errors.ts';
import { isRecord } from '../../../lib/text.ts';
import { int, num, optCount, str } from '../../parsing/cells.ts';
import { elementsIn } from '../../parsing/elements.ts';
import { hasCssClasses, hasEnd } from '../../parsing/html-tokens.ts';
import {
  elementsOf,
  hasAnyOf,
  readersOf,
  readJsonList,
  readJsonObject,
  statedNumber,
  unreadable,
} from '../../parsing/reading.ts';
import { clean } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);

const summaryMembers = ['courseNum', 'coursePas', 'courseNum_bxqyxd', 'gpa', 'zxjxjhh'];

const count = (value: unknown, what: string): number => Math.trunc(statedNumber(value, 'academics', what));

/** A rank, a cohort or an average of 0 is how the campus says that there is none. */
const aboveZero = (value: number): number | null => (value > 0 ? value : null);

/**
 * `[{courseNum, coursePas, courseNum_bxqyxd, gpa, zxjxjhh, …}]`; only the first element counts. `coursePas` is the
 * number of courses that were not passed, despite its name; `sspjf_jd`, `sspjf_pm` and `sspjf_rs` are average mark, rank
 * and students ranked.
 * @throws Failure `upstream-unreadable`; `upstream-empty` for the empty list
 */
export const parseAcademicSummary = reader('parseAcademicSummary', (text: string): AcademicSummary => {
  const body = readJsonList(text, 'academics', 'summary');
  if (body.length === 0) throw failures.upstreamEmpty('academics', 'summary list is empty');
  const [first] = body;
  if (!isRecord(first)) throw unreadable('academics', 'summary element is no object');
  // Single members may be missing, but an object without any of them would be shown as a student without courses.
  if (!hasAnyOf(first, summaryMembers)) throw unreadable('academics', 'summary without its members');
  return {
    coursesTaken: count(first.courseNum, 'number of courses'),
    // A missing count stays null: "none failed" has to come from the campus.
    coursesFailed: optCount(first.coursePas),
    coursesPending: count(first.courseNum_bxqyxd, 'number of pending courses'),
    gpa: statedNumber(first.gpa, 'academics', 'grade point average'),
    currentTerm: str(first.zxjxjhh),
    averageScore: aboveZero(num(first.sspjf_jd)),
    rank: aboveZero(int(first.sspjf_pm)),
    rankTotal: aboveZero(int(first.sspjf_rs)),
  };
});

/**
 * `{zxjxjhm, retString, jhrxxqztx}`; courses can be chosen exactly while `retString` is 1, as text or number.
 * @throws Failure `upstream-unreadable`, also without `retString`: "closed" would be a guess
 */
export const parseCourseSelection = reader('parseCourseSelection', (text: string): CourseSelection => {
  const body = readJsonObject(text, 'academics');
  if (!('retString' in body)) throw unreadable('academics', 'selection status without its member');
  return { open: str(body.retString) === '1' };
});

/**
 * `{count, data: [[plan name, plan number], …]}`; the first plan counts.
 * @throws Failure `upstream-unreadable`; `upstream-empty` when the student has no plan
 */
export const parseTrainingPlan = reader('parseTrainingPlan', (text: string): TrainingPlan => {
  const body = readJsonObject(text, 'academics');
  if (!('data' in body)) throw unreadable('academics', 'plan answer without data');
  const [first] = elementsOf(body.data, { system: 'academics', what: 'plan rows' });
  const name = Array.isArray(first) && first.length >= 2 ? clean(str(first[0])) : '';
  // With a zero count beside a row, the campus says that the row is not this student's.
  if (name === '' || int(body.count, 1) <= 0) {
    throw failures.upstreamEmpty('academics', 'no training plan');
  }
  return trainingPlanOf(name);
});

const longestValue = 100;

export const studentFileAlive = reader('studentFileAlive', (page: string): boolean =>
  page.includes('profile-info-name'),
);

/** Labels of each member, of which the first one present counts; the page may have others. */
const labels = {
  number: ['学号'],
  name: ['姓名'],
  college: ['院系', '学院', '系所'],
  major: ['专业'],
  class_name: ['班级', '行政班'],
  campus: ['校区', '所在校区'],
  entry_year: ['年级', '入学年级'],
} as const;
const wanted: ReadonlySet<string> = new Set(Object.values(labels).flat());

const partOf = (tag: string, attributes: string): 'name' | 'value' | null => {
  if (tag !== 'div') return null;
  if (hasCssClasses(attributes, 'profile-info-name')) return 'name';
  return hasCssClasses(attributes, 'profile-info-value') ? 'value' : null;
};

/** Values by our labels: the first one of each. */
const pairsIn = (page: string): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>();
  let name = '';
  for (const { kind, text } of elementsIn(page, partOf)) {
    if (kind === 'value' && wanted.has(name) && !pairs.has(name)) pairs.set(name, text);
    // A second value after one name belongs to nothing.
    name = kind === 'name' ? text.replace(/[\s:：]/g, '') : '';
  }
  return pairs;
};

/**
 * The members of the closed list, and the student number of the page, to tell whose page it is. A value that
 * the campus masks is null: what it hides on purpose stays hidden.
 */
export const parseStudentFile = reader(
  'parseStudentFile',
  (page: string): { readonly number: string | null; readonly file: StudentFile } => {
    if (!studentFileAlive(page)) throw unreadable('academics', 'student file without its mark');
    if (!hasEnd(page)) throw unreadable('academics', 'student file without its end');
    const pairs = pairsIn(page);
    if (pairs.size === 0) throw unreadable('academics', 'student file without any known line');
    const of = (names: readonly string[]): string | null => {
      const text = names.map((name) => pairs.get(name)).find((each) => each !== undefined) ?? '';
      return text === '' || text.includes('***') ? null : Array.from(text).slice(0, longestValue).join('');
    };
    const year = /\d{4}/.exec(of(labels.entry_year) ?? '')?.[0];
    return {
      number: of(labels.number),
      file: {
        name: of(labels.name),
        college: of(labels.college),
        major: of(labels.major),
        class_name: of(labels.class_name),
        campus: of(labels.campus),
        entry_year: year === undefined ? null : Number(year),
      },
    };
  },
);
