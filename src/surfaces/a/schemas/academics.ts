import { Type } from '@sinclair/typebox';
import { bodyOfParts } from '../../../platform/request-values.ts';
import { integer, text } from '../../records/atoms.ts';
import { scheduleSchema, scoreMembers } from '../../records/schemas.ts';
import { component, envelope } from './envelope.ts';
import { AuthmeRequest } from './user.ts';

const filter = (description: string) => Type.String({ default: '', description });

export const AcademicInfo = component('AcademicInfo', 'Academic summary of the student.', {
  count: integer('Courses completed.'),
  countNotPass: integer('Courses not passed.'),
  gpa: Type.Number({ description: 'Grade point average.' }),
});

/** Term code → label, newest first. */
export const Terms = Type.Record(Type.String(), Type.String(), { description: 'Term code to label, newest first.' });

const TermScoreQuery = component('TermScoreQuery', 'Which rows.', {
  term_id: text('Term code, e.g. `2024-2025-2-1`.'),
  course_code: filter('Only rows whose course code contains it; empty: all.'),
  course_name: filter('Only rows whose course name contains it; empty: all.'),
  page_num: Type.Integer({ minimum: 1, default: 1, description: 'Page, from 1.' }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Rows of a page.' }),
});

const ScoreRecord = component('ScoreRecord', 'One row of a score page.', scoreMembers);

export const TermScoreResponse = component('TermScoreResponse', 'The scores of a term.', {
  page_size: integer('Rows of a page, as asked for.'),
  page_num: integer('Page, as asked for.'),
  total_count: integer('All matching rows, of all pages.'),
  records: Type.Array(ScoreRecord, { description: 'The rows of this page.' }),
});

const FetchScheduleRequest = component('FetchScheduleRequest', 'Which term.', {
  plan_code: text('Term code, e.g. `2024-2025-2-1`.'),
});

export const ScheduleData = scheduleSchema(
  component,
  Type.Boolean({ description: 'True when the course has no concrete time.' }),
);

/** The member order is the order in which defects are reported. */
export const TermScoreBody = bodyOfParts(
  component('FetchTermScoreBody', 'Whose call it is, and which rows.', { AuthmeRequest, request: TermScoreQuery }),
);
export const ScheduleBody = bodyOfParts(
  component('FetchCourseScheduleBody', 'Whose call it is, and which term.', {
    AuthmeRequest,
    request: FetchScheduleRequest,
  }),
);

export const AcademicInfoResponse = envelope('AcademicInfoResponse', AcademicInfo);
export const AllTermsResponse = envelope('AllTermsResponse', Terms);
export const TermScoreApiResponse = envelope('TermScoreAPIResponse', TermScoreResponse);
export const ScheduleResponse = envelope('ScheduleResponse', ScheduleData);
