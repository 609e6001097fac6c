import { Type } from '@sinclair/typebox';
import { bodyOfParts } from '../../../platform/request-values.ts';
import { scheduleSchema, scoreMembers } from '../../records/schemas.ts';
import { component, envelope } from './envelope.ts';
import { AuthmeRequest } from './user.ts';

const text = (description: string) => Type.String({ description });
const filter = (description: string) => Type.String({ default: '', description });

export const AcademicInfo = component(
  'AcademicInfo',
  {
    count: Type.Integer({ description: 'Courses completed.' }),
    countNotPass: Type.Integer({ description: 'Courses not passed.' }),
    gpa: Type.Number({ description: 'Grade point average.' }),
  },
  'Academic summary of the student.',
);

/** Term code → label, newest first. */
export const Terms = Type.Record(Type.String(), Type.String(), { description: 'Term code to label, newest first.' });

export const TermScoreQuery = component(
  'TermScoreQuery',
  {
    term_id: text('Term code, e.g. `2024-2025-2-1`.'),
    course_code: filter('Only rows whose course code contains it; empty: all.'),
    course_name: filter('Only rows whose course name contains it; empty: all.'),
    page_num: Type.Integer({ minimum: 1, default: 1, description: 'Page, from 1.' }),
    page_size: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Rows of a page.' }),
  },
  'Which rows.',
);

export const ScoreRecord = component('ScoreRecord', scoreMembers, 'One row of a score page.');

export const TermScoreResponse = component(
  'TermScoreResponse',
  {
    page_size: Type.Integer({ description: 'Rows of a page, as asked for.' }),
    page_num: Type.Integer({ description: 'Page, as asked for.' }),
    total_count: Type.Integer({ description: 'All matching rows, of all pages.' }),
    records: Type.Array(ScoreRecord, { description: 'The rows of this page.' }),
  },
  'The scores of a term.',
);

export const FetchScheduleRequest = component(
  'FetchScheduleRequest',
  {
    plan_code: text('Term code, e.g. `2024-2025-2-1`.'),
  },
  'Which term.',
);

export const ScheduleData = scheduleSchema(
  component,
  Type.Boolean({ description: 'True when the course has no concrete time.' }),
);

/** The member order is the order in which defects are reported. */
export const TermScoreBody = bodyOfParts(
  component('FetchTermScoreBody', { AuthmeRequest, request: TermScoreQuery }, 'Whose call it is, and which rows.'),
);
export const ScheduleBody = bodyOfParts(
  component(
    'FetchCourseScheduleBody',
    { AuthmeRequest, request: FetchScheduleRequest },
    'Whose call it is, and which term.',
  ),
);

export const AcademicInfoResponse = envelope('AcademicInfoResponse', AcademicInfo);
export const AllTermsResponse = envelope('AllTermsResponse', Terms);
export const TermScoreApiResponse = envelope('TermScoreAPIResponse', TermScoreResponse);
export const ScheduleResponse = envelope('ScheduleResponse', ScheduleData);
