import type { PlanCategory, PlanCompletion, PlanCourse } from './plans.ts';
import type { EstimatedCourse, PlanEstimate } from './records.ts';
import { type CourseMark, marksOf, type ScoreHistory } from './score-marks.ts';

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
