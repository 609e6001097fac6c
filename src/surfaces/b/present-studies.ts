import type { Static } from '@sinclair/typebox';
import type { CurrentTerm } from '../../domain/academics/current-term.ts';
import { byTimeOfDay, type ExamFindings } from '../../domain/academics/exams.ts';
import { defaultOption, type PlanChoice, type PlanOption } from '../../domain/academics/plan-choice.ts';
import {
  nothingPassed,
  type PlanCategory,
  type PlanCompletion,
  type PlanCourse,
} from '../../domain/academics/plan-completion.ts';
import type { PlanEstimate } from '../../domain/academics/plan-estimate.ts';
import type { CourseMark } from '../../domain/academics/score-marks.ts';
import type { TrainingPlan } from '../../domain/academics/training-plan.ts';
import { presentExam } from '../records/present.ts';
import type {
  CurrentTermInfo,
  ExamInfoResponse,
  PlanCompletionCategoryValue,
  PlanCompletionCourse,
  PlanCompletionInfo,
  PlanEstimate as PlanEstimateSchema,
  PlanOptions,
  TrainingPlanInfo,
} from './schemas/studies.ts';

export const presentPlan = (plan: TrainingPlan): Static<typeof TrainingPlanInfo> => ({
  plan_name: plan.name,
  major_name: plan.major,
  grade: plan.grade,
});

export const presentCurrentTerm = (term: CurrentTerm): Static<typeof CurrentTermInfo> => ({
  academic_year: term.academicYear,
  current_term_name: term.season,
  week_number: term.week,
  start_at: term.startAt,
  is_end: term.isEnding,
  weekday: term.weekday,
});

/** On this surface a list is complete or a failure. @throws Failure of the first source that is missing */
export const presentExams = ({ exams, missing }: ExamFindings): Static<typeof ExamInfoResponse> => {
  const [first] = missing;
  if (first !== undefined) throw first.failure;
  return { exams: byTimeOfDay(exams).map(presentExam), total_count: exams.length };
};

const states: Readonly<Record<PlanCourse['state'], string>> = {
  passed: '已通过',
  failed: '未通过',
  unread: '未修读',
};

const presentPlanCourse = (course: PlanCourse): Static<typeof PlanCompletionCourse> => ({
  flag_id: course.flagId,
  flag_type: course.flagType,
  course_code: course.code,
  course_name: course.name,
  is_passed: course.state === 'passed',
  status_description: states[course.state],
  credits: course.credits,
  score: course.score,
  exam_date: course.examDate,
  course_type: course.type,
  parent_id: course.parentId,
  level: course.level,
});

const presentCategory = (category: PlanCategory): PlanCompletionCategoryValue => ({
  category_id: category.flagId,
  category_name: category.name,
  min_credits: category.minCredits,
  completed_credits: category.completedCredits,
  total_courses: category.totalCourses,
  passed_courses: category.passedCourses,
  failed_courses: category.failedCourses,
  missing_required_courses: category.missingRequiredCourses,
  subcategories: [],
  courses: category.courses.map(presentPlanCourse),
});

/** How deep a plan goes is the campus's choice, so the tree is not walked by recursion. */
const presentCategories = (roots: readonly PlanCategory[]): PlanCompletionCategoryValue[] => {
  const presented: PlanCompletionCategoryValue[] = [];
  const waiting = [{ from: roots, to: presented }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const category of next.from) {
      const value = presentCategory(category);
      next.to.push(value);
      waiting.push({ from: category.subcategories, to: value.subcategories });
    }
  }
  return presented;
};

const planTypes: Readonly<Record<PlanOption['kind'], string>> = {
  major: '主修',
  minor: '辅修',
  'micro-major': '微专业',
};

export const presentPlanChoice = (choice: PlanChoice): Static<typeof PlanOptions> => {
  const byDefault = defaultOption(choice);
  return {
    needs_selection: choice.options.length > 0,
    hint: choice.hint,
    options: choice.options.map((option) => ({
      plan_id: option.id,
      plan_name: option.name,
      plan_type: planTypes[option.kind],
      is_default: option === byDefault,
    })),
  };
};

const markSources: Readonly<Record<CourseMark['from'], string>> = {
  retake: 'retake_score',
  'make-up': 'makeup_score',
  score: 'score',
};

const presentEstimate = (estimate: PlanEstimate): Static<typeof PlanEstimateSchema> => ({
  passed_courses: estimate.passedCourses,
  failed_courses: estimate.failedCourses,
  unread_courses: estimate.unreadCourses,
  completed_credits: estimate.completedCredits,
  matched_courses: estimate.matchedCourses,
  score_records: estimate.scoreRecords,
  terms_read: estimate.termsRead,
  courses: estimate.courses.map((course) => ({
    flag_id: course.flagId,
    parent_id: course.parentId,
    course_code: course.code,
    is_passed: course.passed,
    status_description: states[course.passed ? 'passed' : 'failed'],
    score: course.mark.text,
    score_source: markSources[course.mark.from],
    term_id: course.mark.termCode,
    credits: course.credits,
    credits_source: course.creditsFrom,
  })),
  categories: estimate.categories.map((category) => ({
    category_id: category.flagId,
    passed_courses: category.passedCourses,
    failed_courses: category.failedCourses,
    completed_credits: category.completedCredits,
  })),
});

export const presentCompletion = (
  completion: PlanCompletion,
  estimate: PlanEstimate | null,
): Static<typeof PlanCompletionInfo> => ({
  plan_id: completion.planId,
  plan_name: completion.plan.name,
  major: completion.plan.major,
  grade: completion.plan.grade,
  categories: presentCategories(completion.categories),
  total_categories: completion.categories.length,
  total_courses: completion.totalCourses,
  passed_courses: completion.passedCourses,
  failed_courses: completion.failedCourses,
  unread_courses: completion.unreadCourses,
  nothing_passed: nothingPassed(completion),
  estimate: estimate && presentEstimate(estimate),
});
