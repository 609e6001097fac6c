import type { PlanCategory, PlanCompletion, PlanCourse } from './plans.ts';
import type { EstimatedCourse, JudgedRecord, PlanEstimate, RecordRow, ScoreRecord, WholeRecord } from './records.ts';

/** All scores of a student, term by term in the order of the campus. */
export interface ScoreHistory {
  readonly terms: ReadonlyArray<{ readonly code: string; readonly scores: readonly ScoreRecord[] }>;
}

/** The result of a student in a course, out of all marks of its code. */
export interface CourseMark {
  /** As the campus writes it. */
  readonly text: string;
  readonly passes: boolean;
  /** Member of the score row. */
  readonly from: 'retake_score' | 'makeup_score' | 'score';
  readonly termCode: string;
  /** Of the score row, null where it states none. */
  readonly credits: number | null;
}

/** A mark alone: its number, where it is one, and whether it passes. */
interface Verdict {
  readonly number: number | null;
  readonly passes: boolean;
}

const leastPassing = 60;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Before the words of success, which some of these contain. */
const failing = /不及格|不合格|未通过|不通过|^(?:F|Fail)$/;
const passing = /优秀|良好|中等|及格|合格|通过|^[A-D][+-]?$/;

/** Judges a mark; null where it decides nothing: blank, not yet published, absent, exempt. */
export const verdictOf = (mark: string): Verdict | null => {
  const text = mark.trim();
  if (decimal.test(text)) {
    const number = Number(text);
    return { number, passes: number >= leastPassing };
  }
  if (failing.test(text)) return { number: null, passes: false };
  return passing.test(text) ? { number: null, passes: true } : null;
};

/** Whether a mark takes the place of one met before: credit once earned stays. */
const isBetter = (next: Verdict, best: Verdict): boolean =>
  next.number !== null && best.number !== null ? next.number > best.number : next.passes && !best.passes;

const creditsOf = ({ credits }: ScoreRecord): number | null => (decimal.test(credits) ? Number(credits) : null);

/** The marks of a row in the order in which they are looked at. */
const marksIn = ({ retake_score, makeup_score, score }: ScoreRecord) =>
  [
    ['retake_score', retake_score ?? ''],
    ['makeup_score', makeup_score ?? ''],
    ['score', score],
  ] as const;

/** The best mark of each course code that has one. Codes are compared exactly. */
export const marksOf = ({ terms }: ScoreHistory): ReadonlyMap<string, CourseMark> => {
  const best = new Map<string, { readonly mark: CourseMark; readonly verdict: Verdict }>();
  for (const { code, scores } of terms) {
    for (const row of scores) {
      for (const [from, text] of marksIn(row)) {
        const verdict = verdictOf(text);
        const soFar = best.get(row.course_code);
        if (verdict === null || (soFar && !isBetter(verdict, soFar.verdict))) continue;
        const termCode = row.term_id === '' ? code : row.term_id;
        const mark = { text, passes: verdict.passes, from, termCode, credits: creditsOf(row) };
        best.set(row.course_code, { mark, verdict });
      }
    }
  }
  return new Map([...best].map(([code, { mark }]) => [code, mark]));
};

/** More rows than anyone studies: a page with more is not the record of one student. */
export const mostRecordRows = 2_000;

/**
 * Whether a course is passed, by our rule: not where the campus gives a reason why not, else by the better one of its
 * marks; null where they say nothing.
 */
const passedOf = (row: RecordRow): boolean | null => {
  if (row.not_passed_reason !== null) return false;
  const verdicts = [row.retake_score, row.makeup_score, row.score].flatMap((mark) => verdictOf(mark ?? '') ?? []);
  return verdicts.length === 0 ? null : verdicts.some(({ passes }) => passes);
};

/** The record with our verdict on every row, the rows of one verdict alone where that is asked for. */
export const judgedRecord = ({ source, groups, records }: WholeRecord, wanted: boolean | undefined): JudgedRecord => {
  const judged = records.map((row) => ({ ...row, passed: passedOf(row) }));
  const counted = (verdict: boolean | null): number => judged.filter(({ passed }) => passed === verdict).length;
  const shown = wanted === undefined ? judged : judged.filter(({ passed }) => passed === wanted);
  return {
    source,
    total_count: shown.length,
    passed_count: counted(true),
    failed_count: counted(false),
    undecided_count: counted(null),
    groups,
    records: shown,
  };
};

/** A row of a score page as one of the record. */
export const asRecordRow = (row: ScoreRecord): RecordRow => ({
  group_index: null,
  term_id: row.term_id || null,
  academic_year: null,
  term_name: null,
  course_code: row.course_code,
  course_class: row.course_class,
  course_name_cn: row.course_name_cn,
  course_name_en: row.course_name_en,
  credits: row.credits,
  hours: row.hours,
  course_type: row.course_type,
  exam_type: row.exam_type || null,
  score: row.score,
  score_number: null,
  retake_score: row.retake_score,
  makeup_score: row.makeup_score,
  grade_point: null,
  grade_name: null,
  exam_time: null,
  not_passed_reason: null,
});

interface Sum {
  readonly flagId: string;
  readonly above: Sum | null;
  passed: number;
  failed: number;
  credits: number;
}

/** Sums of credits as decimals show them: no `0.30000000000000004`. */
const rounded = (credits: number): number => Math.round(credits * 1000) / 1000;

/** Parents before children, in the order of the plan. How deep it goes is the campus's choice, so no recursion. */
const inOrder = (roots: readonly PlanCategory[]): Array<{ category: PlanCategory; sum: Sum }> => {
  const found: Array<{ category: PlanCategory; sum: Sum }> = [];
  const waiting = roots.map((category) => ({ category, above: null as Sum | null })).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { category, above } = next;
    const sum = { flagId: category.flagId, above, passed: 0, failed: 0, credits: 0 };
    found.push({ category, sum });
    for (const below of category.subcategories.toReversed()) waiting.push({ category: below, above: sum });
  }
  return found;
};

const estimateCourse = (course: PlanCourse, mark: CourseMark): EstimatedCourse => {
  const credits = course.credits ?? mark.credits;
  return {
    flag_id: course.flagId,
    parent_id: course.parentId,
    course_code: course.code,
    is_passed: mark.passes,
    score: mark.text,
    score_source: mark.from,
    term_id: mark.termCode,
    credits,
    credits_source: credits === null ? null : course.credits === null ? 'score' : 'plan',
  };
};

/**
 * For a plan that shows no passed course. Null where no course of it has a mark; courses without one stay as the campus
 * shows them.
 */
export const estimatePlan = (completion: PlanCompletion, history: ScoreHistory): PlanEstimate | null => {
  const marks = marksOf(history);
  const courses: EstimatedCourse[] = [];
  const found = inOrder(completion.categories);
  /** A code counts once in the total, and in a category as often as it stands there. */
  const credited = new Map<string, number>();
  const total = { passed: 0, failed: 0 };
  for (const { category, sum } of found) {
    for (const course of category.courses) {
      const mark = course.code === '' ? undefined : marks.get(course.code);
      if (mark === undefined) {
        if (course.state === 'failed') sum.failed += 1;
        continue;
      }
      const estimated = estimateCourse(course, mark);
      courses.push(estimated);
      if (!estimated.is_passed) sum.failed += 1;
      else {
        sum.passed += 1;
        sum.credits += estimated.credits ?? 0;
        if (estimated.credits !== null && !credited.has(course.code)) credited.set(course.code, estimated.credits);
      }
    }
    total.passed += sum.passed;
    total.failed += sum.failed;
  }
  if (courses.length === 0) return null;
  for (const { sum } of found.toReversed()) {
    if (sum.above === null) continue;
    sum.above.passed += sum.passed;
    sum.above.failed += sum.failed;
    sum.above.credits += sum.credits;
  }
  return {
    passed_courses: total.passed,
    failed_courses: total.failed,
    unread_courses: completion.totalCourses - total.passed - total.failed,
    completed_credits: rounded([...credited.values()].reduce((sum, credits) => sum + credits, 0)),
    matched_courses: new Set(courses.map(({ course_code }) => course_code)).size,
    score_records: history.terms.reduce((sum, { scores }) => sum + scores.length, 0),
    terms_read: history.terms.length,
    courses,
    categories: found.map(({ sum: { flagId, passed, failed, credits } }) => ({
      category_id: flagId,
      passed_courses: passed,
      failed_courses: failed,
      completed_credits: rounded(credits),
    })),
  };
};
