import type { ExamWindow } from '../../domain/academics/exams.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { examPageAlive } from './parse-exam-seats.ts';
import { forData, forPages } from './requests.ts';

export const otherExamsPageSize = 30;

/** The exam page: every known client loads it before the calendar, and it carries the seats. */
export const examPageRequest: UpstreamRequest = {
  method: 'GET',
  path: '/student/examinationManagement/examPlan/index',
  headers: forPages,
  expect: 'page',
  alive: examPageAlive,
};

/** @param now epoch ms; the calendar widget of the campus sends it against caches */
export const universityExamsRequest = ({ start, end }: ExamWindow, now: number): UpstreamRequest => ({
  method: 'GET',
  path: `/student/examinationManagement/examPlan/detail?start=${start}&end=${end}&_=${now}&sf_request_type=ajax`,
  headers: forData,
  expect: 'json',
});

export const otherExamsRequest = (termCode: string, page: number): UpstreamRequest => ({
  method: 'POST',
  path: '/student/examinationManagement/othersExamPlan/queryScores?sf_request_type=ajax',
  form: [
    ['zxjxjhh', termCode],
    ['tab', '0'],
    ['pageNum', String(page)],
    ['pageSize', String(otherExamsPageSize)],
  ],
  headers: forData,
  expect: 'json',
});
