import { Type } from '@sinclair/typebox';
import { bodyOfParts } from '../../../platform/validation.ts';
import { component, envelope, nullable } from './envelope.ts';
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

export const ScoreRecord = component('ScoreRecord', {
  sequence: optionalInteger('Row number.'),
  term_id: optionalText(),
  course_code: optionalText(),
  course_class: optionalText('Class number.'),
  course_name_cn: optionalText(),
  course_name_en: optionalText(),
  credits: optionalText('Credits as text.'),
  hours: optionalInteger('Teaching hours.'),
  course_type: optionalText(),
  exam_type: optionalText(),
  score: optionalText('A number or a word grade.'),
  retake_score: nullable(Type.String(), { default: null }),
  makeup_score: nullable(Type.String(), { default: null }),
});

export const TermScoreResponse = component('TermScoreResponse', {
  page_size: Type.Integer({ default: 50 }),
  page_num: Type.Integer({ default: 1 }),
  total_count: optionalInteger('All matching rows.'),
  records: Type.Array(ScoreRecord, { default: [], description: 'The rows of this page.' }),
});

export const FetchScheduleRequest = component('FetchScheduleRequest', {
  plan_code: text('Term code, e.g. `2024-2025-2-1`.'),
});

const TimeSlot = component('TimeSlot', {
  session: Type.Integer(),
  session_name: text('E.g. `第一节`.'),
  start_time: text('`HHMM`.'),
  end_time: text('`HHMM`.'),
  time_length: text('Minutes as text.'),
  djjc: Type.Integer({ description: 'Index of the large block that the session belongs to.' }),
});

const CourseTimeLocation = component('CourseTimeLocation', {
  class_day: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' }),
  class_sessions: Type.Integer({ description: 'First session.' }),
  continuing_session: Type.Integer({ description: 'Number of consecutive sessions.' }),
  class_week: Type.String({ pattern: '^[01]{24}$', description: 'Week mask; the first character is week 1.' }),
  week_description: text('E.g. `1-16周`.'),
  campus_name: text(),
  teaching_building_name: text(),
  classroom_name: text(),
});

const ScheduleCourse = component('ScheduleCourse', {
  course_name: text(),
  course_code: text(),
  course_sequence: text(),
  teacher_name: text('Several names are joined with one blank.'),
  course_properties: text(),
  exam_type: text(),
  unit: Type.Number({ description: 'Credits.' }),
  time_locations: Type.Array(CourseTimeLocation),
  is_no_schedule: Type.Boolean({ default: false, description: 'True when the course has no concrete time.' }),
});

export const ScheduleData = component('ScheduleData', {
  total_units: Type.Number({ description: 'Total credits as the campus states them.' }),
  time_slots: Type.Array(TimeSlot),
  courses: Type.Array(ScheduleCourse),
  semester_info: Type.Record(Type.String(), Type.String(), {
    description: '`total_weeks`, `week_description`, `total_sessions`, `first_day`; `{}` when unknown.',
  }),
});

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
