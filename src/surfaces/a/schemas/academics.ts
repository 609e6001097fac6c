import { Type } from '@sinclair/typebox';
import { bodyOfParts } from '../../../platform/request-values.ts';
import { scheduleSchema, scoreMembers } from '../../records/schemas.ts';
import { component, envelope, withDefaults } from './envelope.ts';
import { AuthmeRequest } from './user.ts';

const text = (description?: string) => Type.String(description === undefined ? {} : { description });
const optionalText = (description?: string) =>
  Type.String({ default: '', ...(description === undefined ? {} : { description }) });
const optionalInteger = (description: string) => Type.Integer({ default: 0, description });

export const AcademicInfo = component('AcademicInfo', {
  count: optionalInteger('Courses completed.'),
  countNotPass: optionalInteger('Courses not passed.'),
  gpa: Type.Number({ default: 0, description: 'Grade point average.' }),
});

/** Term code → label, newest first. */
export const Terms = Type.Record(Type.String(), Type.String(), { description: 'Term code to label, newest first.' });

export const FetchTermScoreRequest = component('FetchTermScoreRequest', {
  term_id: text('Term code, e.g. `2024-2025-2-1`.'),
  course_code: optionalText('Filter.'),
  course_name: optionalText('Filter.'),
  page_num: Type.Integer({ minimum: 1, default: 1 }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});

export const ScoreRecord = component('ScoreRecord', withDefaults(scoreMembers));

export const TermScoreResponse = component('TermScoreResponse', {
  page_size: Type.Integer({ default: 50 }),
  page_num: Type.Integer({ default: 1 }),
  total_count: optionalInteger('All matching rows.'),
  records: Type.Array(ScoreRecord, { default: [], description: 'The rows of this page.' }),
});

export const FetchScheduleRequest = component('FetchScheduleRequest', {
  plan_code: text('Term code, e.g. `2024-2025-2-1`.'),
});

export const ScheduleData = scheduleSchema(
  component,
  Type.Boolean({ default: false, description: 'True when the course has no concrete time.' }),
);

/** The member order is the order in which defects are reported. */
export const TermScoreBody = bodyOfParts(
  component('FetchTermScoreBody', { AuthmeRequest, request: FetchTermScoreRequest }),
);
export const ScheduleBody = bodyOfParts(
  component('FetchCourseScheduleBody', { AuthmeRequest, request: FetchScheduleRequest }),
);

export const AcademicInfoResponse = envelope('AcademicInfoResponse', AcademicInfo);
export const AllTermsResponse = envelope('AllTermsResponse', Terms);
export const TermScoreApiResponse = envelope('TermScoreAPIResponse', TermScoreResponse);
export const ScheduleResponse = envelope('ScheduleResponse', ScheduleData);
