import { Type } from '@sinclair/typebox';
import { termDisplayName } from '../../../domain/academics/current-term.ts';
import type { Exam, ExamPart } from '../../../domain/academics/exams.ts';
import { integer, listOf, text } from '../../../domain/record.ts';
import { coursesText, evaluationCourseMembers, noCourses, presentEvaluationCourse } from '../../common/evaluation.ts';
import { Told } from '../../common/operation.ts';
import { withoutPlan } from '../../common/texts.ts';
import { examMembers, presentExam } from '../../common/timetable.ts';
import { AuthmeRequest, component } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const UnifiedExamInfo = component('UnifiedExamInfo', 'An exam.', examMembers);

/** This surface does not show a calendar entry that is nothing but a name as an exam. */
const isNameOnly = ({ kind, time, location }: Exam): boolean => kind === 'university' && time === '' && location === '';

const partNames: Readonly<Record<ExamPart, string>> = {
  'university-exams': '校统考信息',
  'other-exams': '其他考试信息',
  'exam-seats': '座位信息',
};

const completeExams = '考试信息获取成功';

/** Names what is missing, so that a short list is not taken for a complete one. */
const examMessage = ({ missing }: { readonly missing: ReadonlyArray<{ readonly part: ExamPart }> }): string =>
  missing.length === 0
    ? completeExams
    : `考试信息部分获取成功，${missing.map(({ part }) => partNames[part]).join('、')}暂不可用`;

const universityExam = {
  course_name: '高等数学',
  exam_date: '2025-06-25',
  exam_time: '08:30-10:30',
  exam_location: '东校区 教学楼A-101',
  exam_type: '校统考',
  note: '座位号: 23',
};

const defaults = {
  level: 'T',
  tag: 'v1 academics',
  group: 'academics',
  body: AuthmeRequest,
} as const;

export const studiesOperations = ({ services: { academics } }: SurfaceADeps): Operation[] => [
  operation('/jwc/fetch_education_plan_info', 'v1FetchEducationPlanInfo', {
    ...defaults,
    needs: ['academics.trainingPlan'],
    scope: 'academics:read',
    summary: { en: 'Training plan', zh: '培养方案' },
    description: 'The first plan of the student. When only the plan can be had, `term` is empty and `courseCount` 0.',
    response: 'TrainingPlanInfoResponse',
    data: component('TrainingPlanInfo', 'The training plan.', {
      pyfa: text('Plan name, e.g. `2023级软件工程本科培养方案`.', '2023级软件工程本科培养方案'),
      term: text('Label of the current term, e.g. `2024-2025春季学期`; empty when unknown.', '2024-2025春季学期'),
      courseCount: integer('Courses completed; 0 when unknown.', 45),
      major: text('Major, cut from the plan name.', '软件工程'),
      grade: text('Four-digit year of entry, cut from the plan name.', '2023'),
    }),
    overrides: { 'upstream-empty': { code: 500, message: withoutPlan } },
    message: '培养方案信息获取成功',
    run: async (call) => {
      const { plan, summary } = await academics.planOverview(call.student, call);
      const term = termDisplayName(summary?.currentTerm ?? '');
      const courseCount = summary?.coursesTaken ?? 0;
      return { pyfa: plan.name, term, courseCount, major: plan.major, grade: plan.grade };
    },
  }),

  operation('/jwc/fetch_evaluation_course_list', 'v1FetchEvaluationCourseList', {
    ...defaults,
    needs: ['academics.evaluationCourses'],
    scope: 'evaluation:read',
    summary: { en: 'Courses to evaluate', zh: '待评课程' },
    description: 'Evaluated and pending courses; an empty list while there is nothing to evaluate.',
    response: 'CourseListResponse',
    data: listOf(
      component('Course', 'A course to evaluate.', evaluationCourseMembers(component)),
      'All courses of the list.',
    ),
    message: coursesText,
    refusals: [{ name: 'no courses', code: 200, message: noCourses, data: [] }],
    run: async (call) => {
      const courses = await academics.evaluationCourses(call.student, call);
      return courses.map(presentEvaluationCourse);
    },
  }),

  operation('/jwc/fetch_exam_info', 'v1FetchExamInfo', {
    ...defaults,
    needs: ['academics.exams', 'academics.summary'],
    scope: 'exams:read',
    summary: { en: 'Exams of the current term', zh: '本学期考试' },
    description:
      'University-wide exams from today on and all other exams of the term. When one of the two lists cannot be had, ' +
      'the other one is sent and `message` names what is missing.',
    response: 'ExamInfoAPIResponse',
    data: component('ExamInfoResponse', 'Exams of the current term.', {
      exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date as text.' }),
      total_count: integer('Length of `exams`.', 1),
    }),
    message: completeExams,
    refusals: [
      {
        name: 'other exams missing',
        code: 200,
        message: examMessage({ missing: [{ part: 'other-exams' }] }),
        data: { exams: [universityExam], total_count: 1 },
      },
      { name: 'no exams', code: 200, message: completeExams, data: { exams: [], total_count: 0 } },
    ],
    run: async (call) => {
      const findings = await academics.exams(call.student, call);
      const exams = findings.exams.filter((exam) => !isNameOnly(exam)).map(presentExam);
      return new Told({ exams, total_count: exams.length }, examMessage(findings));
    },
  }),
];
