import type { Static } from '@sinclair/typebox';
import type { Academics } from '../../../domain/academics/academics.ts';
import { type PlanOption as Choice, defaultOption, type PlanChoice } from '../../../domain/academics/plan-choice.ts';
import {
  nothingPassed,
  type PlanCategory,
  type PlanCompletion,
  type PlanCourse,
} from '../../../domain/academics/plan-completion.ts';
import type { PlanEstimate as Estimate } from '../../../domain/academics/plan-estimate.ts';
import type { CourseMark } from '../../../domain/academics/score-marks.ts';
import { type CampusFacts, type Capability, lackOf } from '../../../domain/capabilities.ts';
import { withoutPlan } from '../../records/texts.ts';
import { type Operation, operation } from '../operation.ts';
import {
  type PlanCompletionCategoryValue,
  type PlanCompletionCourse,
  PlanCompletionInfo,
  type PlanEstimate,
  PlanOptions,
  PlanQuery,
} from './plan-schemas.ts';

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

const planTypes: Readonly<Record<Choice['kind'], string>> = {
  major: '主修',
  minor: '辅修',
  'micro-major': '微专业',
};

const presentPlanChoice = (choice: PlanChoice): Static<typeof PlanOptions> => {
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

const presentEstimate = (estimate: Estimate): Static<typeof PlanEstimate> => ({
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

const presentCompletion = (
  completion: PlanCompletion,
  estimate: Estimate | null,
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

const read = { level: 'TU', tag: 'Academic affairs' } as const;

const exampleOptions = {
  needs_selection: true,
  hint: '提示：您有多个培养方案，请选择要查看的方案',
  options: [
    { plan_id: '7410', plan_name: '2024级法学本科培养方案(辅修)', plan_type: '辅修', is_default: false },
    { plan_id: '7352', plan_name: '2023级示例专业本科培养方案(主修)', plan_type: '主修', is_default: true },
  ],
};

const exampleCompletion = {
  plan_id: '7352',
  plan_name: '2023级示例专业本科培养方案',
  major: '示例专业',
  grade: '2023',
  categories: [
    {
      category_id: 'c1',
      category_name: '通识通修',
      min_credits: 68,
      completed_credits: 34.4,
      total_courses: 26,
      passed_courses: 26,
      failed_courses: 0,
      missing_required_courses: 12,
      subcategories: [],
      courses: [
        {
          flag_id: 'k1',
          flag_type: 'kch',
          course_code: 'EX1001',
          course_name: '示例课程',
          is_passed: true,
          status_description: '已通过',
          credits: 4,
          score: '87.0',
          exam_date: '20250119',
          course_type: '必修',
          parent_id: 'n1',
          level: 2,
        },
      ],
    },
  ],
  total_categories: 1,
  total_courses: 1,
  passed_courses: 1,
  failed_courses: 0,
  unread_courses: 0,
  nothing_passed: false,
  estimate: null,
};

/** What an estimate is made of. */
const estimating: readonly Capability[] = ['academics.terms', 'academics.allScores'];

/** The choice among training plans, and how far one is completed. */
export const planOperations = (academics: Academics, campus: CampusFacts): Operation[] => [
  operation({
    ...read,
    route: 'GET /jwc/plan/options',
    needs: ['academics.planEntry'],
    operationId: 'listPlanOptions',
    scope: 'academics:read',
    summary: 'Choice of training plans',
    description: 'The plans of a student who has several; the campus names none to a student with one.',
    data: PlanOptions,
    message: '获取培养方案选项成功',
    messages: { NULL_RESPONSE: withoutPlan },
    parts: ['plan-tree'],
    example: { data: exampleOptions },
    run: async (call) => presentPlanChoice(await academics.planChoice(call.student, call)),
  }),
  operation({
    ...read,
    route: 'GET /jwc/plan/current',
    needs: ['academics.planEntry', 'academics.chosenPlan'],
    operationId: 'getPlanCompletion',
    scope: 'scores:read',
    summary: 'Training plan completion',
    description:
      'Of several plans the one of `plan_id`, else the default one. All members but `estimate` are what the campus shows, zeros ' +
      'included; `estimate` is made by this service from the scores. May take half a minute.',
    query: PlanQuery,
    data: PlanCompletionInfo,
    message: '获取培养方案完成信息成功',
    messages: { NULL_RESPONSE: withoutPlan },
    parts: ['plan-tree'],
    example: { data: exampleCompletion },
    failures: ['PLAN_NOT_FOUND'],
    run: async (call) => {
      const lack = lackOf(campus, call.query.estimate ? estimating : []);
      if (lack !== null) throw lack;
      const completion = await academics.planCompletion(call.student, call.query.plan_id ?? null, call);
      const estimate = call.query.estimate ? await academics.planEstimate(call.student, completion, call) : null;
      return presentCompletion(completion, estimate);
    },
  }),
];
