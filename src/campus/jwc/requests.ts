import type { ScoreQuery } from '../../domain/academics/types.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { evaluationIndexAlive } from './parse-evaluation.ts';
import { planPageAlive } from './parse-plan-page.ts';
import { scoreIndexAlive } from './parse-segments.ts';
import { studentFileAlive } from './parse-student-file.ts';
import { calendarAlive, calendarPageAlive, homeAlive } from './parse-terms.ts';

type More = Pick<UpstreamRequest, 'method' | 'slow' | 'whole' | 'write' | 'once' | 'referer'>;

/** What a script of the site asks for; with a form it is posted. */
export const dataRequest = (
  page: string,
  path: string,
  form?: UpstreamRequest['form'],
  more: Partial<More> = {},
): UpstreamRequest => ({
  page,
  method: form ? 'POST' : 'GET',
  path,
  form,
  headers: {
    accept: 'application/json, text/javascript, */*; q=0.01',
    'x-requested-with': 'XMLHttpRequest',
  },
  expect: 'json',
  ...more,
});

/** A page of the site as a browser asks for it. */
export const pageRequest = (
  page: string,
  path: string,
  alive: UpstreamRequest['alive'],
  more: Partial<More> & Pick<UpstreamRequest, 'form'> = {},
): UpstreamRequest => ({
  page,
  method: 'GET',
  path,
  headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
  expect: 'page',
  alive,
  ...more,
});

/** Tells the campus gateway that a script asks; its place differs from request to request. */
const ajax = ['sf_request_type', 'ajax'] as const;
const whole = { whole: true } as const;
const scores = '/student/integratedQuery/scoreQuery';

export const summaryRequest = dataRequest('academic-summary', '/main/academicInfo?sf_request_type=ajax', [
  ['flag', ''],
]);

/** Carries the term selector and the segment of the schedule. */
export const calendarRequest = pageRequest(
  'calendar-index',
  '/student/courseSelect/calendarSemesterCurriculum/index',
  calendarPageAlive,
);

/** Carries the segment of the scores. */
export const scoreIndexRequest = pageRequest('scores-index', `${scores}/allTermScores/index`, scoreIndexAlive);

/** The name goes as the caller writes it, which is as we show it: only pages are escaped, not what is searched. */
export const scoreDataRequest = (segment: string, query: ScoreQuery): UpstreamRequest =>
  dataRequest('scores', `${scores}/${segment}/allTermScores/data`, [
    ['zxjxjhh', query.termCode],
    ['kch', query.courseCode],
    ['kcm', query.courseName],
    ['pageNum', String(query.page)],
    ['pageSize', String(query.pageSize)],
    ajax,
  ]);

export const courseTableRequest = (segment: string, termCode: string): UpstreamRequest => {
  const path = `/student/courseSelect/thisSemesterCurriculum/${segment}/ajaxStudentSchedule/past/callback`;
  return dataRequest('courses', path, [['planCode', termCode], ajax], whole);
};

export const sectionsRequest = dataRequest('sections', '/ajax/getSectionAndTime', [
  ['planNumber', ''],
  ['ff', 'f'],
  ajax,
]);

export const trainingPlanRequest = dataRequest('training-plan', '/main/showPyfaInfo?sf_request_type=ajax');

export const courseSelectionRequest = dataRequest(
  'course-selection',
  '/main/checkSelectCourseStatus?sf_request_type=ajax',
);

/** Carries far more about the student than is read from it. */
export const studentFileRequest = pageRequest(
  'student-file',
  '/student/rollManagement/rollInfo/index',
  studentFileAlive,
);

/** Carries the calendar text. */
export const homeRequest = pageRequest('home', '/', homeAlive);

/** Carries the first day of the term. */
export const termStartRequest = pageRequest('term-start', '/indexCalendar', calendarAlive);

/** The campus computes the tree while the student waits: tens of seconds are normal. */
const planPage = (path: string): UpstreamRequest =>
  pageRequest('plan', `/student/integratedQuery/planCompletion/${path}`, planPageAlive, { slow: true, whole: true });

export const planRequest = planPage('index');
export const chosenPlanRequest = (planId: string): UpstreamRequest => planPage(`getPyfaIndex/${planId}`);

const evaluation = '/student/teachingEvaluation';

/** Carries the token of the session for questionnaires, or says that the season is over. */
export const evaluationIndexRequest = pageRequest(
  'evaluation-index',
  `${evaluation}/evaluation/index`,
  evaluationIndexAlive,
);

export const evaluationListRequest = (pageSize: number): UpstreamRequest => {
  const path = `${evaluation}/teachingEvaluation/search?sf_request_type=ajax`;
  const form = [['optType', '1'] as const, ['pagesize', String(pageSize)] as const];
  return dataRequest('evaluation', path, form, whole);
};
