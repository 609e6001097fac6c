import type { FastifyInstance } from 'fastify';
import { presentSchedule } from '../../records/present.ts';
import { addStudentOperation, type SurfaceADeps } from '../operation.ts';
import { presentScorePage, presentSummary, presentTerms } from '../present.ts';
import {
  AcademicInfo,
  AcademicInfoResponse,
  AllTermsResponse,
  ScheduleBody,
  ScheduleData,
  ScheduleResponse,
  TermScoreApiResponse,
  TermScoreBody,
  TermScoreResponse,
  Terms,
} from '../schemas/academics.ts';
import { AuthmeRequest, exampleToken } from '../schemas/user.ts';
import { scheduleExample, scorePageExample } from './academics-examples.ts';

const tag = 'v1 academics';

/** Academic summary, terms, scores of a term and the course schedule. */
export const addAcademicsRoutes = (scope: FastifyInstance, deps: SurfaceADeps): void => {
  const { academics } = deps;

  addStudentOperation(scope, deps, {
    path: '/jwc/fetch_academic_info',
    operationId: 'v1FetchAcademicInfo',
    tag,
    summary: 'Academic summary',
    description: 'Counts of courses and the grade point average.',
    group: 'academics',
    fails: [],
    body: AuthmeRequest,
    response: AcademicInfoResponse,
    data: AcademicInfo,
    example: {
      body: { token: exampleToken },
      message: '学业信息获取成功',
      data: { count: 45, countNotPass: 2, gpa: 3.21 },
    },
    token: (body) => body.token,
    run: async (student, _body, context) => ({ data: presentSummary(await academics.summary(student, context)) }),
  });

  addStudentOperation(scope, deps, {
    path: '/jwc/fetch_all_terms',
    operationId: 'v1FetchAllTerms',
    tag,
    summary: 'All terms',
    description: 'The keys are the valid `term_id` and `plan_code` values.',
    group: 'academics',
    fails: [],
    body: AuthmeRequest,
    response: AllTermsResponse,
    data: Terms,
    example: {
      body: { token: exampleToken },
      message: '学期信息获取成功',
      data: { '2024-2025-2-1': '2024-2025学年下(两学期)', '2024-2025-1-1': '2024-2025学年上(两学期)' },
    },
    token: (body) => body.token,
    run: async (student, _body, context) => ({ data: presentTerms(await academics.terms(student, context)) }),
  });

  addStudentOperation(scope, deps, {
    path: '/jwc/fetch_term_score',
    operationId: 'v1FetchTermScore',
    tag,
    summary: 'One page of the scores of a term',
    description: 'Filtered as asked; `total_count` says how many rows there are.',
    group: 'academics',
    fails: [],
    body: TermScoreBody,
    response: TermScoreApiResponse,
    data: TermScoreResponse,
    example: {
      body: {
        request: { term_id: '2024-2025-2-1', course_code: '', course_name: '', page_num: 1, page_size: 50 },
        AuthmeRequest: { token: exampleToken },
      },
      message: 'success',
      data: scorePageExample,
    },
    token: (body) => body.AuthmeRequest.token,
    run: async (student, { request }, context) => {
      const query = {
        termCode: request.term_id,
        courseCode: request.course_code,
        courseName: request.course_name,
        page: request.page_num,
        pageSize: request.page_size,
      };
      return { data: presentScorePage(await academics.scorePage(student, query, context)) };
    },
  });

  addStudentOperation(scope, deps, {
    path: '/jwc/fetch_course_schedule',
    operationId: 'v1FetchCourseSchedule',
    tag,
    summary: 'Course schedule of a term',
    description: 'Courses with their times and places, and the sessions of a day.',
    group: 'academics',
    fails: [],
    body: ScheduleBody,
    response: ScheduleResponse,
    data: ScheduleData,
    example: {
      body: { request: { plan_code: '2024-2025-2-1' }, AuthmeRequest: { token: exampleToken } },
      message: 'success',
      data: scheduleExample,
    },
    token: (body) => body.AuthmeRequest.token,
    run: async (student, { request }, context) => {
      return { data: presentSchedule(await academics.schedule(student, request.plan_code, context)) };
    },
  });
};
