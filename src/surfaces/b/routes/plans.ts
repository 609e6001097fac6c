import { type Static, type TObject, Type } from '@sinclair/typebox';
import {
  type PlanOption as Choice,
  defaultOption,
  hasNothingPassed,
  type PlanCategory,
  type PlanChoice,
  type PlanCompletion,
  type PlanCourse,
} from '../../../domain/academics/plans.ts';
import { EstimatedCourse, PlanEstimate } from '../../../domain/academics/records.ts';
import { type Capability, lackOf } from '../../../domain/capabilities.ts';
import {
  decimal,
  exampleOf,
  flag,
  integer,
  listOf,
  object,
  orNull,
  type RecordOf,
  text,
  textOrNull,
} from '../../../domain/record.ts';
import { withPattern } from '../../../http/requests/findings.ts';
import { withoutPlan } from '../../common/texts.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

const PlanCompletionCourse = object('PlanCompletionCourse', 'A course of the plan, or a node that stands for one.', {
  flag_id: text('Id at the campus.', 'k1'),
  flag_type: text('`001` category, `002` subcategory, `kch` course.', 'kch'),
  course_code: text('Course number; empty for what is no course.', 'EX1001'),
  course_name: text('Course, or name of the node.', '示例课程'),
  is_passed: flag('It is passed.', true),
  status_description: text('`未修读`, `已通过` or `未通过`.', '已通过'),
  credits: orNull(Type.Number(), 'Credits; null when not stated.', 4),
  score: textOrNull('Number or grade word; null without one.', '87.0'),
  exam_date: textOrNull('`YYYYMMDD`; null when not stated.', '20250119'),
  course_type: text('e.g. `必修`', '必修'),
  parent_id: text('Id of the node above.', 'n1'),
  level: integer('1 subcategory, 2 course, 0 unknown.', 2),
});

const categoryMembers = {
  category_id: text('Id at the campus.', 'c1'),
  category_name: text('Name of the category.', '通识通修'),
  min_credits: decimal('Credits required.', 68),
  completed_credits: decimal('Credits passed.', 34.4),
  total_courses: integer('Courses taken.', 26),
  passed_courses: integer('Courses passed.', 26),
  failed_courses: integer('Courses not passed.', 0),
  missing_required_courses: integer('Required courses not yet taken.', 12),
};

/** By hand, because no schema type can name itself. */
interface PlanCompletionCategoryValue extends Static<TObject<typeof categoryMembers>> {
  subcategories: PlanCompletionCategoryValue[];
  courses: Array<Static<typeof PlanCompletionCourse>>;
}

const categoryRef = Type.Unsafe<PlanCompletionCategoryValue>(Type.Ref('PlanCompletionCategory#'));

/** Shared by its id, because a category holds categories. */
export const PlanCompletionCategory = Type.Object(
  {
    ...categoryMembers,
    subcategories: Type.Array(categoryRef, { description: 'Categories below this one.', examples: [[]] }),
    courses: listOf(PlanCompletionCourse, 'Courses directly below this one.'),
  },
  {
    $id: 'PlanCompletionCategory',
    description: 'The numbers are those that the campus prints; 0 where it prints none.',
  },
);

const ShownPlanOption = object('PlanOption', 'A training plan among several.', {
  plan_id: text('What `plan_id` of the plan completion takes.'),
  plan_name: text('Name of the plan, as the campus writes it.'),
  plan_type: text('`主修`, `辅修` or `微专业`.'),
  is_default: flag('It is the plan that is shown without `plan_id`; true for exactly one.'),
});

const PlanOptions = object('PlanOptions', 'The training plans among which a student chooses.', {
  needs_selection: flag('The campus lets this student choose among several plans.', true),
  hint: textOrNull(
    'What the campus says about the choice; null without one.',
    '提示：您有多个培养方案，请选择要查看的方案',
  ),
  options: Type.Array(ShownPlanOption, {
    description: 'In the order of the campus; empty for a student with one plan.',
    examples: [
      [
        { plan_id: '7410', plan_name: '2024级法学本科培养方案(辅修)', plan_type: '辅修', is_default: false },
        { plan_id: '7352', plan_name: '2023级示例专业本科培养方案(主修)', plan_type: '主修', is_default: true },
      ],
    ],
  }),
});

const { flag_id, parent_id, course_code, is_passed, ...markMembers } = EstimatedCourse.properties;

const ShownEstimate = object(
  'PlanEstimate',
  'What the scores say about the plan, by rules of this service: show it as an estimate.',
  {
    ...PlanEstimate.properties,
    courses: listOf(
      object('EstimatedCourse', 'What the scores say about a course of the plan.', {
        flag_id,
        parent_id,
        course_code,
        is_passed,
        status_description: text('`已通过` or `未通过`.', '已通过'),
        ...markMembers,
      }),
      'Courses with a mark, in the order of the plan.',
    ),
  },
);

const PlanCompletionInfo = object('PlanCompletionInfo', 'How far the training plan is completed.', {
  plan_id: textOrNull('The plan that is shown; null for the only plan of a student.', '7352'),
  plan_name: text('Name of the plan.', '2023级示例专业本科培养方案'),
  major: text('Major, cut from the plan name.', '示例专业'),
  grade: text('Four-digit year of entry; empty where the plan name does not tell.', '2023'),
  categories: Type.Array(categoryRef, {
    description: 'Root categories.',
    examples: [[exampleOf(PlanCompletionCategory)]],
  }),
  total_categories: integer('Number of root categories.', 1),
  total_courses: integer('Courses in the whole tree.', 1),
  passed_courses: integer('Of these passed.', 1),
  failed_courses: integer('Of these failed.', 0),
  unread_courses: integer('The rest.', 0),
  nothing_passed: flag(
    'No course is passed: the student has just begun, or the campus shows the plan all zero.',
    false,
  ),
  estimate: orNull(
    ShownEstimate,
    'On request, where nothing is passed and the scores know a course of the plan.',
    null,
  ),
});

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

/** Without recursion: the campus decides how deep a plan goes. */
const presentCategories = (roots: readonly PlanCategory[]): PlanCompletionCategoryValue[] => {
  const presented: PlanCompletionCategoryValue[] = [];
  const waiting = [{ from: roots, to: presented }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const category of next.from) {
      const value: PlanCompletionCategoryValue = {
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
      };
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
  nothing_passed: hasNothingPassed(completion),
  estimate: estimate && {
    ...estimate,
    courses: estimate.courses.map((course) => ({
      ...course,
      status_description: states[course.is_passed ? 'passed' : 'failed'],
    })),
  },
});

const defaults = {
  level: 'TU',
  tag: 'Academic affairs',
  needs: ['academics.planEntry'],
  messages: { NULL_RESPONSE: withoutPlan },
  parts: ['plan-tree'],
} as const;

const estimating: readonly Capability[] = ['academics.terms', 'academics.allScores'];

export const planOperations = ({ services: { academics, campus } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/plan/options', 'listPlanOptions', {
    ...defaults,
    scope: 'academics:read',
    summary: { en: 'Choice of training plans', zh: '可选的培养方案' },
    description: 'The plans of a student who has several; the campus names none to a student with one.',
    data: PlanOptions,
    message: '获取培养方案选项成功',
    run: async (call) => presentPlanChoice(await academics.planChoice(call.student, call)),
  }),
  operation('GET /jwc/plan/current', 'getPlanCompletion', {
    ...defaults,
    needs: ['academics.planEntry', 'academics.chosenPlan'],
    scope: 'scores:read',
    summary: { en: 'Training plan completion', zh: '培养方案完成情况' },
    description:
      'Of several plans the one of `plan_id`, else the default one. All members but `estimate` are what the campus shows, zeros ' +
      'included; `estimate` is made by this service from the scores. May take half a minute.',
    query: Type.Object({
      plan_id: Type.Optional(
        withPattern(
          {
            pattern: '^\\d{1,20}$',
            examples: ['7351'],
            description: 'A `plan_id` of `/jwc/plan/options`; the default plan without it.',
          },
          { en: 'Input should be 1 to 20 digits', zh: '应为 1 到 20 位数字' },
        ),
      ),
      estimate: flag(
        '`true`: where nothing is passed, also what the scores of all terms say. It may take long.',
        true,
        {
          default: false,
        },
      ),
    }),
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
