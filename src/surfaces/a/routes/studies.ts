import type { FastifyInstance } from 'fastify';
import { coursesText, noCourses } from '../../records/evaluation-texts.ts';
import { presentEvaluationCourse } from '../../records/present-evaluation.ts';
import { addStudentOperation, type SurfaceADeps } from '../operation.ts';
import { completeExams, examMessage, presentExams, presentPlan } from '../present.ts';
import {
  CourseListResponse,
  EvaluationCourses,
  ExamInfoApiResponse,
  ExamInfoResponse,
  TrainingPlanInfo,
  TrainingPlanInfoResponse,
} from '../schemas/studies.ts';
import { AuthmeRequest, exampleToken } from '../schemas/user.ts';

const universityExam = {
  course_name: '高等数学',
  exam_date: '2025-06-25',
  exam_time: '08:30-10:30',
  exam_location: '东校区 教学楼A-101',
  exam_type: '校统考',
  note: '座位号: 23',
};

/** What all operations of this file share. */
const common = {
  tag: 'v1 academics',
  group: 'academics',
  fails: [],
  body: AuthmeRequest,
  token: (body: { readonly token: string }) => body.token,
} as const;

/** Training plan, exams, and the list of courses to evaluate. */
export const addStudiesRoutes = (scope: FastifyInstance, deps: SurfaceADeps): void => {
  const { academics } = deps;

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/fetch_education_plan_info',
    operationId: 'v1FetchEducationPlanInfo',
    summary: 'Training plan',
    description: 'The first plan of the student. When only the plan can be had, `term` is empty and `courseCount` 0.',
    response: TrainingPlanInfoResponse,
    data: TrainingPlanInfo,
    example: {
      body: { token: exampleToken },
      message: '培养方案信息获取成功',
      data: {
        pyfa: '2023级软件工程本科培养方案',
        term: '2024-2025春季学期',
        courseCount: 45,
        major: '软件工程',
        grade: '2023',
      },
    },
    run: async (student, _body, context) => ({ data: presentPlan(await academics.planOverview(student, context)) }),
  });

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/fetch_evaluation_course_list',
    operationId: 'v1FetchEvaluationCourseList',
    summary: 'Courses to evaluate',
    description: 'Evaluated and pending courses; an empty list while there is nothing to evaluate.',
    response: CourseListResponse,
    data: EvaluationCourses,
    example: {
      body: { token: exampleToken },
      message: coursesText,
      data: [
        {
          id: { evaluatedPeople: 'T0012', coureSequenceNumber: '01', evaluationContentNumber: 'CS1001' },
          questionnaire: { questionnaireNumber: 'Q001', questionnaireName: '理论课评价' },
          evaluatedPeople: '李四',
          isEvaluated: '否',
          evaluationContent: '程序设计',
        },
      ],
    },
    refusals: [{ name: 'no courses', code: 200, message: noCourses, data: [] }],
    run: async (student, _body, context) => {
      const courses = await academics.evaluationCourses(student, context);
      const data = courses.map(presentEvaluationCourse);
      return data.length === 0 ? { data, message: noCourses } : { data };
    },
  });

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/fetch_exam_info',
    operationId: 'v1FetchExamInfo',
    summary: 'Exams of the current term',
    description:
      'University-wide exams from today on and all other exams of the term. When one of the two lists cannot be had, ' +
      'the other one is sent and `message` names what is missing.',
    response: ExamInfoApiResponse,
    data: ExamInfoResponse,
    example: {
      body: { token: exampleToken },
      message: completeExams,
      data: {
        exams: [
          universityExam,
          {
            course_name: '体育',
            exam_date: '2025-06-26',
            exam_time: '09:00',
            exam_location: '操场',
            exam_type: '其他考试',
            note: '带学生证',
          },
        ],
        total_count: 2,
      },
    },
    refusals: [
      {
        name: 'other exams missing',
        code: 200,
        message: examMessage({ missing: [{ part: 'other-exams' }] }),
        data: { exams: [universityExam], total_count: 1 },
      },
      { name: 'no exams', code: 200, message: completeExams, data: { exams: [], total_count: 0 } },
    ],
    run: async (student, _body, context) => {
      const findings = await academics.exams(student, context);
      return { data: presentExams(findings), message: examMessage(findings) };
    },
  });
};
