import { affirms, saysOf } from '../../lib/negation.ts';
import { unsaidOf } from '../record.ts';
import type { PlanCategory, PlanCompletion, PlanCourse } from './plans.ts';
import {
  type EstimatedCourse,
  type JudgedRecord,
  type PlanEstimate,
  RecordRow,
  type ScoreRecord,
  type WholeRecord,
} from './records.ts';
import { decimalMark, sumTerms } from './term-sums.ts';

export interface TermScores {
  readonly code: string;
  readonly scores: readonly ScoreRecord[];
}

interface ScoreVerdict {
  /** Null for a mark in words. */
  readonly number: number | null;
  readonly passes: boolean;
}

/** The best mark of a course. */
interface CourseMark extends ScoreVerdict {
  /** The mark as the campus writes it. */
  readonly text: string;
  /** Member of the score row. */
  readonly from: 'retake_score' | 'makeup_score' | 'score';
  readonly termCode: string;
  /** Null where the score row states none. */
  readonly credits: number | null;
}

const leastPassing = 60;

const failing = /^(?:F|Fail)$|\bfailed\b/;
/** Denied, they say the opposite. */
const passing = /及格|合格|通过|\b[Pp]ass(?:ed)?\b/;
/** Denied, they say nothing of it. */
const good = /优秀|良好|中等/;
const grade = /^[A-D][+-]?$/;

/**
 * Null for a mark that decides nothing: blank, unpublished, absent, exempt. A negative number is none, as older copies
 * still have it: some campuses hide a mark by it, others write a code.
 */
export const scoreVerdictOf = (mark: string): ScoreVerdict | null => {
  const text = mark.trim();
  if (decimalMark.test(text)) {
    const number = Number(text);
    if (number < 0) return null;
    return { number, passes: number >= leastPassing };
  }
  const said = saysOf(text, passing);
  if (failing.test(text) || said === 'negated') return { number: null, passes: false };
  const passes = said === 'affirmed' || affirms(text, good) || grade.test(text);
  return passes ? { number: null, passes } : null;
};

/** Decides whether a mark replaces an earlier one: credit once earned stays. */
const isBetter = (next: ScoreVerdict, best: ScoreVerdict): boolean =>
  next.number !== null && best.number !== null ? next.number > best.number : next.passes && !best.passes;

const creditsOf = ({ credits }: ScoreRecord): number | null => (decimalMark.test(credits) ? Number(credits) : null);

const marksIn = ({ retake_score, makeup_score, score }: ScoreRecord) =>
  [
    ['retake_score', retake_score ?? ''],
    ['makeup_score', makeup_score ?? ''],
    ['score', score],
  ] as const;

/** The best mark of each course code that has one. Codes are compared exactly. */
export const courseMarksOf = (terms: readonly TermScores[]): ReadonlyMap<string, CourseMark> => {
  const best = new Map<string, CourseMark>();
  for (const { code, scores } of terms) {
    for (const row of scores) {
      for (const [from, text] of marksIn(row)) {
        const verdict = scoreVerdictOf(text);
        const soFar = best.get(row.course_code);
        if (verdict === null || (soFar && !isBetter(verdict, soFar))) continue;
        const termCode = row.term_id === '' ? code : row.term_id;
        best.set(row.course_code, { ...verdict, text, from, termCode, credits: creditsOf(row) });
      }
    }
  }
  return best;
};

/** A page with more rows is not the record of one student. */
export const mostRecordRows = 2_000;

/** Our rule: not where the campus gives a reason why not, else by the best mark; null where the marks say nothing. */
const hasPassed = (row: RecordRow): boolean | null => {
  if (row.not_passed_reason !== null) return false;
  const verdicts = [row.retake_score, row.makeup_score, row.score].flatMap((mark) => scoreVerdictOf(mark ?? '') ?? []);
  return verdicts.length === 0 ? null : verdicts.some(({ passes }) => passes);
};

/** The record with our verdict on every row; `wanted`: only rows of this verdict. */
export const judgeRecord = (record: WholeRecord, wanted: boolean | undefined): JudgedRecord => {
  const { source, groups, records } = record;
  const judged = records.map((row) => ({ ...row, passed: hasPassed(row) }));
  const countVerdict = (verdict: boolean | null): number => judged.filter(({ passed }) => passed === verdict).length;
  const shown = wanted === undefined ? judged : judged.filter(({ passed }) => passed === wanted);
  return {
    source,
    total_count: shown.length,
    passed_count: countVerdict(true),
    failed_count: countVerdict(false),
    undecided_count: countVerdict(null),
    groups,
    records: shown,
    ...sumTerms(record),
  };
};

const unsaidOfRow = unsaidOf(RecordRow);

export const asRecordRow = ({ sequence: _, ...row }: ScoreRecord): RecordRow => ({
  ...unsaidOfRow,
  ...row,
  term_id: row.term_id || null,
  exam_type: row.exam_type || null,
});

interface Sum {
  readonly flagId: string;
  readonly above: Sum | null;
  passed: number;
  failed: number;
  credits: number;
}

/** Sums of credits without `0.30000000000000004`. */
const roundCredits = (credits: number): number => Math.round(credits * 1000) / 1000;

/** Parents before children, in the order of the plan. Without recursion: the campus decides how deep a plan goes. */
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

/** Null where no course of the plan has a mark; courses without one stay as the campus shows them. */
export const estimatePlan = (completion: PlanCompletion, terms: readonly TermScores[]): PlanEstimate | null => {
  const marks = courseMarksOf(terms);
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
    completed_credits: roundCredits([...credited.values()].reduce((sum, credits) => sum + credits, 0)),
    matched_courses: new Set(courses.map(({ course_code }) => course_code)).size,
    score_records: terms.reduce((sum, { scores }) => sum + scores.length, 0),
    terms_read: terms.length,
    courses,
    categories: found.map(({ sum: { flagId, passed, failed, credits } }) => ({
      category_id: flagId,
      passed_courses: passed,
      failed_courses: failed,
      completed_credits: roundCredits(credits),
    })),
  };
};
