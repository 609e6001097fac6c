import { type TBoolean, type TSchema, Type } from '@sinclair/typebox';
import { integer, type NamedObject, text, textOrNull } from './atoms.ts';

/** The course that a score is of. */
export const scoredCourse = {
  course_code: text('Course number at the campus.'),
  course_class: text('Class number.'),
  course_name_cn: text('Course name in Chinese.'),
  course_name_en: text('Course name in English; may be empty.'),
  credits: text('Credits as text.'),
  hours: integer('Teaching hours.'),
  course_type: text('Kind of course, e.g. `必修`.'),
  exam_type: text('Kind of examination, e.g. `考试`.'),
};

/** One row of a score page. */
export const scoreMembers = {
  sequence: integer('Row number.'),
  term_id: text('Term code, e.g. `2024-2025-2-1`.'),
  ...scoredCourse,
  score: text('A number or a word grade.'),
  retake_score: textOrNull('Mark after a retake, a number or a word; null without one.'),
  makeup_score: textOrNull('Mark of the make-up examination, a number or a word; null without one.'),
};

const slotMembers = {
  session: integer('Session number.'),
  session_name: text('E.g. `第一节`.'),
  start_time: text('`HHMM`.'),
  end_time: text('`HHMM`.'),
  time_length: text('Minutes as text.'),
  djjc: integer('Index of the large block that the session belongs to.'),
};

const placeMembers = {
  class_day: Type.Integer({ minimum: 1, maximum: 7, description: 'Weekday, 1 is Monday.' }),
  class_sessions: integer('First session.'),
  continuing_session: integer('Number of consecutive sessions.'),
  class_week: Type.String({ pattern: '^[01]{24}$', description: 'Week mask; the first character is week 1.' }),
  week_description: text('E.g. `1-16周`.'),
  campus_name: text('Campus.'),
  teaching_building_name: text('Building.'),
  classroom_name: text('Room.'),
};

/** The timetable of a term; the surfaces differ in whether they promise `is_no_schedule`. */
export const scheduleSchema = (object: NamedObject, isNoSchedule: TBoolean) =>
  object('ScheduleData', 'The course schedule of a term.', {
    total_units: Type.Number({ description: 'Total credits as the campus states them.' }),
    time_slots: Type.Array(object('TimeSlot', 'A session of the day.', slotMembers), {
      description: 'The sessions of a day, in order.',
    }),
    courses: Type.Array(
      object('ScheduleCourse', 'A course of the schedule.', {
        course_name: text('Course.'),
        course_code: text('Course number at the campus.'),
        course_sequence: text('Class number.'),
        teacher_name: text('Several names are joined with one blank.'),
        course_properties: text('Kind of course, e.g. `必修`.'),
        exam_type: text('Kind of examination, e.g. `考试`.'),
        unit: Type.Number({ description: 'Credits.' }),
        time_locations: Type.Array(object('CourseTimeLocation', 'When and where a course takes place.', placeMembers), {
          description: 'When and where; empty without a concrete time.',
        }),
        is_no_schedule: isNoSchedule,
      }),
      { description: 'The courses of the term.' },
    ),
    semester_info: Type.Record(Type.String(), Type.String(), {
      description: '`total_weeks`, `week_description`, `total_sessions`, `first_day`; `{}` when unknown.',
    }),
  });

export const examMembers = {
  course_name: text('Course.'),
  exam_date: text('`YYYY-MM-DD`; empty when not stated.'),
  exam_time: text('E.g. `08:30-10:30`; free text for other exams.'),
  exam_location: text('Place.'),
  exam_type: text('`校统考` (university-wide) or `其他考试` (other).'),
  note: text('Seat `座位号: <n>` of a university-wide exam, remark of another one.'),
};

/** The total of the activity score. The member names are those of the campus. */
export const activityTotalMembers = {
  TotalScore: Type.Number({ description: 'The total, as the campus has computed it.' }),
  IsTypeAdopt: Type.Boolean({ description: 'The requirement for graduation is met.' }),
  TypeAdoptResult: text('Why it is not met.'),
};

export const activityItemMembers = {
  ID: text('Id at the campus.'),
  Title: text('The activity.'),
  TypeName: text('Its category.'),
  UserNo: text('Student number.'),
  Score: Type.Number({ description: 'Points.' }),
  AddTime: text('As the campus writes it: `2024-03-15 10:30:00` or `2024/09/02`.'),
};

export const activityCategoryMembers = <T extends TSchema>(item: T) => ({
  ID: text('Id at the campus.'),
  ShowNum: integer('Number to show.'),
  TypeName: text('The category.'),
  TotalScore: Type.Number({ description: 'Sum of its items.' }),
  children: Type.Array(item, { description: 'Its items.' }),
});
