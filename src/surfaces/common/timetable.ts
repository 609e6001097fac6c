import { type Static, type TBoolean, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { Exam } from '../../domain/academics/exams.ts';
import type { CoursePlace, Schedule, ScheduledCourse, SectionTimes } from '../../domain/academics/ports.ts';
import { decimal, integer, listOf, type NamedObject, text } from '../../domain/record.ts';

const slotMembers = {
  session: integer('Session number.', 1),
  session_name: text('E.g. `第一节`.', '第一节'),
  start_time: text('`HHMM`.', '0800'),
  end_time: text('`HHMM`.', '0845'),
  time_length: text('Minutes as text.', '45'),
  djjc: integer('Index of the large block that the session belongs to.', 1),
};

const placeMembers = {
  class_day: integer('Weekday; 1 is Monday, 7 Sunday. (`weekday` of the current term counts from 0.)', 1, {
    minimum: 1,
    maximum: 7,
  }),
  class_sessions: integer('First session.', 1),
  continuing_session: integer('Number of consecutive sessions.', 2),
  class_week: Type.String({
    pattern: '^[01]{24}$',
    description: 'Week mask; the first character is week 1.',
    examples: ['111111111111111100000000'],
  }),
  week_description: text('E.g. `1-16周`.', '1-16周'),
  campus_name: text('Campus.', '示例校区'),
  teaching_building_name: text('Building.', '一号楼'),
  classroom_name: text('Room.', '101'),
};

export const courseMembers = (object: NamedObject, isNoSchedule: TBoolean) => ({
  course_name: text('Course.', '示例课程'),
  course_code: text('Course number at the campus.', 'EX1001'),
  course_sequence: text('Class number.', '01'),
  teacher_name: text('Several names are joined with one blank.', '张三'),
  course_properties: text('Kind of course, e.g. `必修`.', '必修'),
  exam_type: text('Kind of examination, e.g. `考试`.', '考试'),
  unit: decimal('Credits.', 4),
  time_locations: listOf(
    object('CourseTimeLocation', 'When and where a course takes place.', placeMembers),
    'When and where; empty without a concrete time.',
  ),
  is_no_schedule: isNoSchedule,
});

/** The surfaces differ in whether they promise `is_no_schedule`, and in what a course has besides. */
export const scheduleSchema = <T extends TProperties>(object: NamedObject, isNoSchedule: TBoolean, extras: T) =>
  object('ScheduleData', 'The course schedule of a term.', {
    total_units: decimal('Total credits as the campus states them.', 20.5),
    time_slots: listOf(object('TimeSlot', 'A session of the day.', slotMembers), 'The sessions of a day, in order.'),
    courses: listOf(
      object('ScheduleCourse', 'A course of the schedule.', { ...courseMembers(object, isNoSchedule), ...extras }),
      'The courses of the term.',
    ),
    semester_info: Type.Record(Type.String(), Type.String(), {
      description: '`total_weeks`, `week_description`, `total_sessions`, `first_day`; `{}` when unknown.',
      examples: [{ total_weeks: '20', week_description: '第1-20周', total_sessions: '12', first_day: '1' }],
    }),
  });

export const examMembers = {
  course_name: text('Course.', '示例课程'),
  exam_date: text('`YYYY-MM-DD`; empty when not stated.', '2026-01-05'),
  exam_time: text('E.g. `08:30-10:30`; free text for other exams.', '08:30-10:30'),
  exam_location: text('Place.', '示例校区 一号楼 一号楼-101'),
  exam_type: text('`校统考` (university-wide) or `其他考试` (other).', '校统考'),
  note: text('Seat `座位号: <n>` of a university-wide exam, remark of another one.', '座位号: 12'),
};

type ScheduleValue = Static<ReturnType<typeof scheduleSchema<Record<never, never>>>>;

export const presentPlaces = (places: readonly CoursePlace[]): ScheduleValue['courses'][number]['time_locations'] =>
  places.map((place) => ({
    class_day: place.weekday,
    class_sessions: place.firstSession,
    continuing_session: place.sessionCount,
    class_week: place.weekMask,
    week_description: place.weekDescription,
    campus_name: place.campus,
    teaching_building_name: place.building,
    classroom_name: place.room,
  }));

export const presentCourse = (course: ScheduledCourse): ScheduleValue['courses'][number] => ({
  course_name: course.name,
  course_code: course.code,
  course_sequence: course.sequence,
  teacher_name: course.teachers,
  course_properties: course.nature,
  exam_type: course.examType,
  unit: course.credits,
  time_locations: presentPlaces(course.places),
  is_no_schedule: course.places.length === 0,
});

const presentSemester = (semester: SectionTimes['semester']): Record<string, string> =>
  semester === null
    ? {}
    : {
        total_weeks: semester.totalWeeks,
        week_description: semester.weekDescription,
        total_sessions: semester.totalSessions,
        first_day: semester.firstDay,
      };

export const presentSchedule = ({ totalCredits, courses, sections }: Schedule): ScheduleValue => ({
  total_units: totalCredits,
  time_slots: sections.slots.map((slot) => ({
    session: slot.session,
    session_name: slot.name,
    start_time: slot.startTime,
    end_time: slot.endTime,
    time_length: slot.length,
    djjc: slot.block,
  })),
  courses: courses.map(presentCourse),
  semester_info: presentSemester(sections.semester),
});

const examTypes: Readonly<Record<Exam['kind'], string>> = { university: '校统考', other: '其他考试' };

export const presentExam = (exam: Exam): Static<TObject<typeof examMembers>> => ({
  course_name: exam.courseName,
  exam_date: exam.date,
  exam_time: exam.time,
  exam_location: exam.location,
  exam_type: examTypes[exam.kind],
  note: exam.note,
});
