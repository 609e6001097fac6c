import { byText } from '../../lib/text.ts';
import type { RecordRow, TermSums, WholeRecord } from './records.ts';

/** A mark in digits. */
export const decimalMark = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Null for a word and for a blank: neither is ever turned into a number. */
const numberIn = (text: string): number | null => (decimalMark.test(text.trim()) ? Number(text) : null);

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** What rows of one course, class and term say together. */
interface CourseSum {
  readonly credits: number | null;
  readonly mark: number | null;
  readonly gradePoint: number | null;
  readonly isUnclear: boolean;
}

/** The one value that the rows state; null where none does, or where two differ. */
const agree = (values: ReadonlyArray<number | null>): { value: number | null; differ: boolean } => {
  const found = new Set(values.filter((value) => value !== null));
  return { value: found.size === 1 ? ([...found][0] ?? null) : null, differ: found.size > 1 };
};

/**
 * A course of two plans is two rows with one mark, and counts once. A course whose rows contradict each other, or that was
 * retaken, is left out of the means: no page says which of its marks counts.
 */
const sumCourse = (rows: readonly RecordRow[]): CourseSum => {
  const credits = agree(rows.map((row) => numberIn(row.credits)));
  const mark = agree(rows.map((row) => row.score_number ?? numberIn(row.score)));
  const point = agree(rows.map((row) => row.grade_point));
  const hasOther = rows.some((row) => (row.retake_score ?? '') !== '' || (row.makeup_score ?? '') !== '');
  const isUnclear = hasOther || mark.differ || point.differ || new Set(rows.map(({ score }) => score.trim())).size > 1;
  return { credits: credits.value, mark: mark.value, gradePoint: point.value, isUnclear };
};

/** The mean by credits of the courses that state the value, and the credits it rests on; null where these are none. */
const meanOf = (
  courses: readonly CourseSum[],
  stated: (course: CourseSum) => number | null,
): { readonly mean: number | null; readonly credits: number } => {
  let [sum, credits] = [0, 0];
  for (const course of courses) {
    const value = stated(course);
    if (value === null || course.credits === null || course.isUnclear) continue;
    sum += value * course.credits;
    credits += course.credits;
  }
  return { mean: credits > 0 ? round(sum / credits) : null, credits: round(credits) };
};

const keyOf = ({ course_code, course_class, course_name_cn }: RecordRow): string =>
  JSON.stringify([course_code, course_class, course_code === '' ? course_name_cn : '']);

/**
 * Sums of each term of a record, latest term first, and how many of its rows name no term. A course and class count once
 * per term, no matter which plans they stand in; what is not passed counts as the campus states it.
 */
export const sumTerms = ({
  records,
}: Pick<WholeRecord, 'records'>): { terms: TermSums[]; rows_without_term: number } => {
  const byTerm = Map.groupBy(records, ({ term_id }) => term_id);
  const rowsWithoutTerm = byTerm.get(null)?.length ?? 0;
  const terms = [...byTerm].flatMap(([term, rows]) => {
    if (term === null) return [];
    const courses = [...Map.groupBy(rows, keyOf).values()].map(sumCourse);
    const marks = meanOf(courses, ({ mark }) => mark);
    const points = meanOf(courses, ({ gradePoint }) => gradePoint);
    const credits = courses.map((course) => course.credits);
    return {
      term_id: term,
      courses: courses.length,
      credits: credits.every((each) => each !== null) ? round(credits.reduce((sum, each) => sum + each, 0)) : null,
      mean: marks.mean,
      mean_credits: marks.credits,
      grade_point_average: points.mean,
      grade_point_credits: points.credits,
      unclear: courses.filter(({ isUnclear }) => isUnclear).length,
    };
  });
  return { terms: terms.toSorted((a, b) => byText(b.term_id, a.term_id)), rows_without_term: rowsWithoutTerm };
};
