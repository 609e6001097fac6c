import { type TBoolean, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** How a surface makes a named object of members. */
type NamedObject = <T extends TProperties>(name: string, members: T, description: string) => TObject<T>;

const described = (description: string) => Type.String({ description });
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** One row of a score page. */
export const scoreMembers = {
  sequence: Type.Integer({ description: 'Row number.' }),
  term_id: described('Term code, e.g. `2024-2025-2-1`.'),
  course_code: described('Course number at the campus.'),
  course_class: described('Class number.'),
  course_name_cn: described('Course name in Chinese.'),
  course_name_en: described('Course name in English; may be empty.'),
  credits: described('Credits as text.'),
  hours: Type.Integer({ description: 'Teaching hours.' }),
  course_type: described('Kind of course, e.g. `必修`.'),
  exam_type: described('Kind of examination, e.g. `考试`.'),
  score: described('A number or a word grade.'),
  retake_score: nullableText('Mark after a retake, a number or a word; null without one.'),
  makeup_score: nullableText('Mark of the make-up examination, a number or a word; null without one.'),
};

const slotMembers = {
  session: Type.Integer({ description: 'Session number.' }),
  session_name: described('E.g. `第一节`.'),
  start_time: described('`HHMM`.'),
  end_time: described('`HHMM`.'),
  time_length: described('Minutes as text.'),
  djjc: Type.Integer({ description: 'Index of the large block that the session belongs to.' }),
};

const placeMembers = {
  class_day: Type.Integer({ minimum: 1, maximum: 7, description: 'Weekday, 1 is Monday.' }),
  class_sessions: Type.Integer({ description: 'First session.' }),
  continuing_session: Type.Integer({ description: 'Number of consecutive sessions.' }),
  class_week: Type.String({ pattern: '^[01]{24}$', description: 'Week mask; the first character is week 1.' }),
  week_description: described('E.g. `1-16周`.'),
  campus_name: described('Campus.'),
  teaching_building_name: described('Building.'),
  classroom_name: described('Room.'),
};

/** The timetable of a term; the surfaces differ in whether they promise `is_no_schedule`. */
export const scheduleSchema = (object: NamedObject, isNoSchedule: TBoolean) =>
  object(
    'ScheduleData',
    {
      total_units: Type.Number({ description: 'Total credits as the campus states them.' }),
      time_slots: Type.Array(object('TimeSlot', slotMembers, 'A session of the day.'), {
        description: 'The sessions of a day, in order.',
      }),
      courses: Type.Array(
        object(
          'ScheduleCourse',
          {
            course_name: described('Course.'),
            course_code: described('Course number at the campus.'),
            course_sequence: described('Class number.'),
            teacher_name: described('Several names are joined with one blank.'),
            course_properties: described('Kind of course, e.g. `必修`.'),
            exam_type: described('Kind of examination, e.g. `考试`.'),
            unit: Type.Number({ description: 'Credits.' }),
            time_locations: Type.Array(
              object('CourseTimeLocation', placeMembers, 'When and where a course takes place.'),
              {
                description: 'When and where; empty without a concrete time.',
              },
            ),
            is_no_schedule: isNoSchedule,
          },
          'A course of the schedule.',
        ),
        { description: 'The courses of the term.' },
      ),
      semester_info: Type.Record(Type.String(), Type.String(), {
        description: '`total_weeks`, `week_description`, `total_sessions`, `first_day`; `{}` when unknown.',
      }),
    },
    'The course schedule of a term.',
  );

export const examMembers = {
  course_name: described('Course.'),
  exam_date: described('`YYYY-MM-DD`; empty when not stated.'),
  exam_time: described('E.g. `08:30-10:30`; free text for other exams.'),
  exam_location: described('Place.'),
  exam_type: described('`校统考` (university-wide) or `其他考试` (other).'),
  note: described('Seat `座位号: <n>` of a university-wide exam, remark of another one.'),
};

/** The total of the activity score. The member names are those of the campus. */
export const activityTotalMembers = {
  TotalScore: Type.Number({ description: 'The total, as the campus has computed it.' }),
  IsTypeAdopt: Type.Boolean({ description: 'The requirement for graduation is met.' }),
  TypeAdoptResult: described('Why it is not met.'),
};

export const activityItemMembers = {
  ID: described('Id at the campus.'),
  Title: described('The activity.'),
  TypeName: described('Its category.'),
  UserNo: described('Student number.'),
  Score: Type.Number({ description: 'Points.' }),
  AddTime: described('As the campus writes it: `2024-03-15 10:30:00` or `2024/09/02`.'),
};

export const activityCategoryMembers = <T extends TSchema>(item: T) => ({
  ID: described('Id at the campus.'),
  ShowNum: Type.Integer({ description: 'Number to show.' }),
  TypeName: described('The category.'),
  TotalScore: Type.Number({ description: 'Sum of its items.' }),
  children: Type.Array(item, { description: 'Its items.' }),
});
