import type { ScoreQuery } from '../../domain/academics/types.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { calendarAlive } from './parse-calendar.ts';
import { evaluationIndexAlive } from './parse-evaluation-index.ts';
import { homeAlive } from './parse-home.ts';
import { planPageAlive } from './parse-plan-completion.ts';
import { scoreIndexAlive } from './parse-score-index.ts';
import { calendarPageAlive } from './parse-term-list.ts';

export const forData = {
  accept: 'application/json, text/javascript, */*; q=0.01',
  'x-requested-with': 'XMLHttpRequest',
};
export const forPages = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Tells the campus gateway that a script asks; its place differs from request to request. */
const ajax = ['sf_request_type', 'ajax'] as const;

export const summaryRequest: UpstreamRequest = {
  method: 'POST',
  path: '/main/academicInfo?sf_request_type=ajax',
  form: [['flag', '']],
  headers: forData,
  expect: 'json',
};

/** Carries the term selector and the segment of the schedule. */
export const calendarRequest: UpstreamRequest = {
  method: 'GET',
  path: '/student/courseSelect/calendarSemesterCurriculum/index',
  headers: forPages,
  expect: 'page',
  alive: calendarPageAlive,
};

/** Carries the segment of the scores. */
export const scoreIndexRequest: UpstreamRequest = {
  method: 'GET',
  path: '/student/integratedQuery/scoreQuery/allTermScores/index',
  headers: forPages,
  expect: 'page',
  alive: scoreIndexAlive,
};

export const scoreDataRequest = (segment: string, query: ScoreQuery): UpstreamRequest => ({
  method: 'POST',
  path: `/student/integratedQuery/scoreQuery/${segment}/allTermScores/data`,
  form: [
    ['zxjxjhh', query.termCode],
    ['kch', query.courseCode],
    ['kcm', query.courseName],
    ['pageNum', String(query.page)],
    ['pageSize', String(query.pageSize)],
    ajax,
  ],
  headers: forData,
  expect: 'json',
});

export const courseTableRequest = (segment: string, termCode: string): UpstreamRequest => ({
  method: 'POST',
  path: `/student/courseSelect/thisSemesterCurriculum/${segment}/ajaxStudentSchedule/past/callback`,
  form: [['planCode', termCode], ajax],
  headers: forData,
  expect: 'json',
});

export const sectionsRequest: UpstreamRequest = {
  method: 'POST',
  path: '/ajax/getSectionAndTime',
  form: [['planNumber', ''], ['ff', 'f'], ajax],
  headers: forData,
  expect: 'json',
};

export const trainingPlanRequest: UpstreamRequest = {
  method: 'GET',
  path: '/main/showPyfaInfo?sf_request_type=ajax',
  headers: forData,
  expect: 'json',
};

export const courseSelectionRequest: UpstreamRequest = {
  method: 'GET',
  path: '/main/checkSelectCourseStatus?sf_request_type=ajax',
  headers: forData,
  expect: 'json',
};

/** Carries the calendar text. */
export const homeRequest: UpstreamRequest = {
  method: 'GET',
  path: '/',
  headers: forPages,
  expect: 'page',
  alive: homeAlive,
};

/** Carries the first day of the term. */
export const termStartRequest: UpstreamRequest = {
  method: 'GET',
  path: '/indexCalendar',
  headers: forPages,
  expect: 'page',
  alive: calendarAlive,
};

/** The campus computes the tree while the student waits: tens of seconds are normal. */
const planPage = (path: string): UpstreamRequest => ({
  method: 'GET',
  path: `/student/integratedQuery/planCompletion/${path}`,
  headers: forPages,
  expect: 'page',
  alive: planPageAlive,
  slow: true,
});

export const planRequest = planPage('index');
export const chosenPlanRequest = (planId: string): UpstreamRequest => planPage(`getPyfaIndex/${planId}`);

/** Carries the token of the session for questionnaires, or says that the season is over. */
export const evaluationIndexRequest: UpstreamRequest = {
  method: 'GET',
  path: '/student/teachingEvaluation/evaluation/index',
  headers: forPages,
  expect: 'page',
  alive: evaluationIndexAlive,
};

export const evaluationListRequest = (pageSize: number): UpstreamRequest => ({
  method: 'POST',
  path: '/student/teachingEvaluation/teachingEvaluation/search?sf_request_type=ajax',
  form: [
    ['optType', '1'],
    ['pagesize', String(pageSize)],
  ],
  headers: forData,
  expect: 'json',
});
