import type { Static } from '@sinclair/typebox';
import {
  type PlanOption as Choice,
  defaultOption,
  nothingPassed,
  type PlanCategory,
  type PlanChoice,
  type PlanCompletion,
  type PlanCourse,
} from '../../../domain/academics/plans.ts';
import type { Academics } from '../../../domain/academics/ports.ts';
import type { PlanEstimate } from '../../../domain/academics/records.ts';
import { type CampusFacts, type Capability, lackOf } from '../../../domain/capabilities.ts';
import type { RecordOf } from '../../../domain/record.ts';
import { withoutPlan } from '../../records/texts.ts';
import { type Operation, operation } from '../operation.ts';
import {
  type PlanCompletionCategoryValue,
  type PlanCompletionCourse,
  PlanCompletionInfo,
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

const presentCompletion = (
  completion: PlanCompletion,
  estimate: PlanEstimate | null,
): RecordOf<typeof PlanCompletionInfo> => ({
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
  estimate: estimate && {
    ...estimate,
    courses: estimate.courses.map((course) => ({
      ...course,
      status_description: states[course.is_passed ? 'passed' : 'failed'],
    })),
  },
});

const shared = {
  level: 'TU',
  tag: 'Academic affairs',
  needs: ['academics.planEntry'],
  messages: { NULL_RESPONSE: withoutPlan },
  parts: ['plan-tree'],
} as const;

/** What an estimate is made of. */
const estimating: readonly Capability[] = ['academics.terms', 'academics.allScores'];

/** The choice among training plans, and how far one is completed. */
export const planOperations = (academics: Academics, campus: CampusFacts): Operation[] => [
  operation({
    ...shared,
    route: 'GET /jwc/plan/options',
    operationId: 'listPlanOptions',
    scope: 'academics:read',
    summary: 'Choice of training plans',
    description: 'The plans of a student who has several; the campus names none to a student with one.',
    data: PlanOptions,
    message: '获取培养方案选项成功',
    run: async (call) => presentPlanChoice(await academics.planChoice(call.student, call)),
  }),
  operation({
    ...shared,
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
