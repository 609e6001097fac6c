import { Type } from '@sinclair/typebox';
import { integer, object, type RecordOf, text } from '../record.ts';

const maybe = <T extends ReturnType<typeof text> | ReturnType<typeof integer>>(schema: T) => Type.Optional(schema);

/** Names and ids alone: it goes to phones and to services of others. */
export interface EventAbout extends RecordOf<typeof EventAbout> {}
export const EventAbout = object('EventAbout', 'What the event is about; members that do not apply are left out.', {
  term_code: maybe(text('Term code.', '2025-2026-1-1')),
  course_code: maybe(text('Course number at the campus.', 'EX1001')),
  course_class: maybe(text('Class number.', '01')),
  course_name: maybe(text('Name of the course.', '示例课程')),
  part: maybe(text('Of a score: `score`, `retake` or `makeup`, or the code of the component.', 'score')),
  exam_kind: maybe(text('`university` or `other`.', 'university')),
  change: maybe(text('Of an activity: `changed` or `gone`.', 'changed')),
  added: maybe(text('Of a timetable: courses that were added, separated by `、`.', '示例课程')),
  changed: maybe(text('Of a timetable: courses whose classes were moved.', '示例课程')),
  removed: maybe(text('Of a timetable: courses that are in it no more.', '示例课程')),
  courses: maybe(integer('Courses to evaluate.', 3)),
  room_name: maybe(text('Name of the room.', '1-101')),
  threshold: maybe(integer('Below which it fell, in kWh.', 10)),
  activity_id: maybe(text('Id of the activity.', 'a1')),
  activity_title: maybe(text('Its title.', '示例劳动')),
  hook_id: maybe(text('Of the hook that is tested.', '3c9a51e07b2d48f6')),
});
