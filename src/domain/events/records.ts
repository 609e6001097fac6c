import { Type } from '@sinclair/typebox';
import { campusTimestamp } from '../../lib/campus-time.ts';
import { integer, object, type RecordOf, text, textOrNull } from '../record.ts';
import { type EventType, eventTypeNames, eventTypes } from './types.ts';

/** Names and ids alone: it goes to phones and to services of others. */
export interface EventAbout extends RecordOf<typeof EventAbout> {}
export const EventAbout = object('EventAbout', 'What the event is about; members that do not apply are left out.', {
  term_code: Type.Optional(text('Term code.', '2025-2026-1-1')),
  course_code: Type.Optional(text('Course number at the campus.', 'EX1001')),
  course_class: Type.Optional(text('Class number.', '01')),
  course_name: Type.Optional(text('Name of the course.', '示例课程')),
  part: Type.Optional(text('Of a score: `score`, `retake` or `makeup`, or the code of the component.', 'score')),
  exam_kind: Type.Optional(text('`university` or `other`.', 'university')),
  change: Type.Optional(text('Of an activity: `changed` or `gone`.', 'changed')),
  added: Type.Optional(text('Of a timetable: courses that were added, separated by `、`.', '示例课程')),
  changed: Type.Optional(text('Of a timetable: courses whose classes were moved.', '示例课程')),
  removed: Type.Optional(text('Of a timetable: courses that are in it no more.', '示例课程')),
  courses: Type.Optional(integer('Courses to evaluate.', 3)),
  room_name: Type.Optional(text('Name of the room.', '1-101')),
  threshold: Type.Optional(integer('Below which it fell, in kWh.', 10)),
  activity_id: Type.Optional(text('Id of the activity.', 'a1')),
  activity_title: Type.Optional(text('Its title.', '示例劳动')),
  hook_id: Type.Optional(text('Of the hook that is tested.', '3c9a51e07b2d48f6')),
});

/** An event as everybody is told it: thin. */
export interface ChangeEvent extends RecordOf<typeof ChangeEvent> {}
export const ChangeEvent = object('ChangeEvent', 'One change. It holds names and ids, and never a mark.', {
  seq: integer('Its place among the events of the student, from 1.', 42),
  id: text('The same wherever this event is told.', 'evt_Zm9vYmFyYmF6cXV4MTIzNA'),
  type: Type.String({
    enum: eventTypeNames,
    title: 'EventType',
    description: 'What it is.',
    examples: ['score.published'],
  }),
  title: text('What it is in Chinese, for a notification.', '成绩公布'),
  occurred_at: text('When this service saw it, campus time.', '2026-01-12 10:00:00'),
  read_at: textOrNull('Start of the reading that showed it, campus time; null: no reading did.', '2026-01-12 09:59:58'),
  about: EventAbout,
  ask: textOrNull('Path of the read that shows it: a copy is there already. Null: none.', '/jwc/score/current/list'),
});

interface Entry extends Pick<ChangeEvent, 'seq' | 'id' | 'about' | 'ask'> {
  readonly type: EventType;
  readonly occurredAt: number;
  readonly readAt: number | null;
}

/** A thin event, as lists, streams and hooks tell it. Times are epoch milliseconds. */
export const presentEvent = (
  { seq, id, type, occurredAt, readAt, about, ask }: Entry,
  timeZone: string,
): ChangeEvent => ({
  ...{ seq, id, type, title: eventTypes[type].title },
  occurred_at: campusTimestamp(occurredAt, timeZone),
  read_at: readAt === null ? null : campusTimestamp(readAt, timeZone),
  about,
  ask,
});
