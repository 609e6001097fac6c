import type { Academics } from '../../../domain/academics/academics.ts';
import { type Operation, studentOperation } from '../operation.ts';
import {
  presentCompletion,
  presentCurrentTerm,
  presentExams,
  presentPlan,
  presentPlanChoice,
} from '../present-studies.ts';
import {
  CourseSelectionStatus,
  CurrentTermInfo,
  ExamInfoResponse,
  PlanCompletionInfo,
  PlanOptions,
  PlanQuery,
  TrainingPlanInfo,
} from '../schemas/studies.ts';

const read = { level: 'TU', method: 'GET', tag: 'Academic affairs' } as const;

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

const exampleExam = {
  course_name: '示例课程',
  exam_date: '2026-01-05',
  exam_time: '08:30-10:30',
  exam_location: '示例校区 一号楼 一号楼-101',
  exam_type: '校统考',
  note: '座位号: 12',
};

/** Training plan and its completion, course selection, current term, exams. */
export const studiesOperations = (academics: Academics): Operation[] => [
  studentOperation({
    ...read,
    url: '/jwc/academic/training_plan',
    operationId: 'getTrainingPlan',
    summary: 'Training plan',
    description: 'The first plan of the student.',
    data: TrainingPlanInfo,
    message: '获取培养方案信息成功',
    example: { data: { plan_name: '2023级示例专业本科培养方案', major_name: '示例专业', grade: '2023' } },
    run: async ({ student, context }) => presentPlan(await academics.trainingPlan(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/jwc/academic/course_selection_status',
    operationId: 'getCourseSelectionStatus',
    summary: 'Course selection status',
    description: 'Whether the campus lets students choose courses now.',
    data: CourseSelectionStatus,
    message: '获取选课状态成功',
    example: { data: { can_select: false } },
    run: async ({ student, context }) => ({ can_select: (await academics.courseSelection(student, context)).open }),
  }),
  studentOperation({
    ...read,
    url: '/jwc/term/current',
    operationId: 'getCurrentTerm',
    summary: 'Current term and week',
    description: 'Of today, in the time zone of the campus.',
    data: CurrentTermInfo,
    message: '获取当前学期信息成功',
    example: {
      data: {
        academic_year: '2025-2026',
        current_term_name: '春',
        week_number: 3,
        start_at: '2026-03-02',
        is_end: false,
        weekday: 2,
      },
    },
    run: async ({ student, context }) => presentCurrentTerm(await academics.currentTerm(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/jwc/exam/info',
    operationId: 'getExamInfo',
    summary: 'Exams of the current term',
    description:
      'University-wide exams from today on and all other exams of the term; a list that is complete or fails.',
    data: ExamInfoResponse,
    message: '获取考试信息成功',
    parts: ['term'],
    example: { data: { exams: [exampleExam], total_count: 1 } },
    run: async ({ student, context }) => presentExams(await academics.exams(student, context, 'whole')),
  }),
  studentOperation({
    ...read,
    url: '/jwc/plan/options',
    operationId: 'listPlanOptions',
    summary: 'Choice of training plans',
    description: 'The plans of a student who has several; the campus names none to a student with one.',
    data: PlanOptions,
    message: '获取培养方案选项成功',
    parts: ['plan-tree'],
    example: { data: exampleOptions },
    run: async ({ student, context }) => presentPlanChoice(await academics.planChoice(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/jwc/plan/current',
    operationId: 'getPlanCompletion',
    summary: 'Training plan completion',
    description:
      'Of several plans the one of `plan_id`, else the default one. All members but `estimate` are what the campus shows, zeros ' +
      'included; `estimate` is made by this service from the scores. May take half a minute.',
    query: PlanQuery,
    data: PlanCompletionInfo,
    message: '获取培养方案完成信息成功',
    parts: ['plan-tree'],
    example: { data: exampleCompletion },
    failures: ['PLAN_NOT_FOUND'],
    details: [{ loc: ['query', 'plan_id'], msg: 'String should match pattern', type: 'string_pattern_mismatch' }],
    run: async ({ student, query, context }) => {
      const completion = await academics.planCompletion(student, query.plan_id ?? null, context);
      const wanted = query.estimate === 'true';
      return presentCompletion(completion, wanted ? await academics.planEstimate(student, completion, context) : null);
    },
  }),
];
