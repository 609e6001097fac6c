import type { ScoreQuery } from '../../domain/academics/types.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { scoreIndexAlive } from './parse-score-index.ts';
import { calendarPageAlive } from './parse-term-list.ts';

const forData = { accept: 'application/json, text/javascript, */*; q=0.01', 'x-requested-with': 'XMLHttpRequest' };
const forPages = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

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
