import { Type } from '@sinclair/typebox';

/** `2025-2026-1-1`: years, term (1 autumn, 2 spring), index. */
export const TermCode = Type.String({
  pattern: '^\\d{4}-\\d{4}-\\d+-\\d+$',
  maxLength: 32,
  description: 'Term code: year-year-term-index, e.g. `2025-2026-1-1`; term 1 is autumn, 2 is spring.',
});

export const TermPath = Type.Object({ term_code: TermCode });

export const AcademicInfo = Type.Object(
  {
    completed_courses: Type.Integer({ description: 'Courses finished.' }),
    failed_courses: Type.Integer({ description: 'Courses failed.' }),
    pending_courses: Type.Integer({ description: 'Courses to take this term.' }),
    gpa: Type.Number({ description: 'Grade point average.' }),
    current_term: Type.String({ description: 'Term code; empty when unknown.' }),
    current_term_name: Type.String({ description: 'e.g. `2025-2026春季学期`; the code itself for other terms.' }),
  },
  { title: 'AcademicInfo' },
);

export const TermItem = Type.Object(
  {
    term_code: Type.String(),
    term_name: Type.String(),
    is_current: Type.Boolean(),
  },
  { title: 'TermItem' },
);

export const TermItems = Type.Array(TermItem);

const text = Type.String();
const nullableText = Type.Union([Type.String(), Type.Null()]);

export const ScoreRecord = Type.Object(
  {
    sequence: Type.Integer({ description: 'Row number.' }),
    term_id: text,
    course_code: text,
    course_class: text,
    course_name_cn: text,
    course_name_en: text,
    credits: Type.String({ description: 'Credits as text.' }),
    hours: Type.Integer({ description: 'Class hours.' }),
    course_type: text,
    exam_type: text,
    score: Type.String({ description: 'Number or grade word.' }),
    retake_score: nullableText,
    makeup_score: nullableText,
  },
  { title: 'ScoreRecord' },
);

export const TermScoreResponse = Type.Object(
  {
    total_count: Type.Integer({ description: 'Length of `records`.' }),
    records: Type.Array(ScoreRecord),
  },
  { title: 'TermScoreResponse' },
);

const TimeSlot = Type.Object(
  {
    session: Type.Integer({ description: 'Session number.' }),
    session_name: text,
    start_time: Type.String({ description: '`HHMM`' }),
    end_time: Type.String({ description: '`HHMM`' }),
    time_length: Type.String({ description: 'Minutes as text.' }),
    djjc: Type.Integer({ description: 'Double-session number.' }),
  },
  { title: 'TimeSlot' },
);

const CourseTimeLocation = Type.Object(
  {
    class_day: Type.Integer({ minimum: 1, maximum: 7, description: 'Weekday, 1 is Monday.' }),
    class_sessions: Type.Integer({ description: 'First session.' }),
    continuing_session: Type.Integer({ description: 'Number of consecutive sessions.' }),
    class_week: Type.String({ pattern: '^[01]{24}$', description: 'Week mask; the first character is week 1.' }),
    week_description: text,
    campus_name: text,
    teaching_building_name: text,
    classroom_name: text,
  },
  { title: 'CourseTimeLocation' },
);

const ScheduleCourse = Type.Object(
  {
    course_name: text,
    course_code: text,
    course_sequence: text,
    teacher_name: text,
    course_properties: text,
    exam_type: text,
    unit: Type.Number({ description: 'Credits.' }),
    time_locations: Type.Array(CourseTimeLocation),
    is_no_schedule: Type.Boolean({ description: 'True: the course has no concrete time.' }),
  },
  { title: 'ScheduleCourse' },
);

export const ScheduleData = Type.Object(
  {
    total_units: Type.Number(),
    time_slots: Type.Array(TimeSlot),
    courses: Type.Array(ScheduleCourse),
    semester_info: Type.Record(Type.String(), Type.String(), {
      description:
        '`total_weeks`, `week_description`, `total_sessions`, `first_day`; empty when the campus states none.',
    }),
  },
  { title: 'ScheduleData' },
);
