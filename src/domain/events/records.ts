import { Type } from '@sinclair/typebox';
import { campusTimestamp } from '../../lib/time.ts';
import { integer, object, type RecordOf, text, textOrNull } from '../record.ts';

const marks = [
  'academics.allScores',
  'academics.scorePage',
  'academics.wholeRecord',
  'academics.currentScores',
] as const;
const exams = ['academics.exams'] as const;

interface EventRow {
  /** Its name in notifications. */
  readonly title: string;
  /** Its meaning, for the documents in both languages. */
  readonly means: string;
  readonly chinese: string;
  /** The campus has to supply one of these capabilities; left out: nothing. */
  readonly seenIn?: readonly string[];
}

export const eventTypes = {
  'score.published': {
    title: '成绩公布',
    means: 'A mark that was not there before, a retake or make-up mark included.',
    chinese: '出现了以前没有的成绩；重修、补考成绩各算一条',
    seenIn: marks,
  },
  'score.changed': {
    title: '成绩变更',
    means: 'A mark that was there reads differently.',
    chinese: '已有的成绩变了',
    seenIn: marks,
  },
  'score.component_published': {
    title: '成绩构成公布',
    means: 'A part of a score that was not there before.',
    chinese: '出现了以前没有的成绩组成',
    seenIn: ['academics.scoreComponents'],
  },
  'exam.scheduled': {
    title: '新增考试',
    means: 'An exam that was not listed, or had no day, has one.',
    chinese: '以前没有列出或没有日期的考试有了日期',
    seenIn: exams,
  },
  'exam.moved': {
    title: '考试变动',
    means: 'Day, time or place of an exam reads differently.',
    chinese: '考试的日期、时间或地点变了',
    seenIn: exams,
  },
  'exam.cancelled': {
    title: '考试取消',
    means: 'An exam that is still to come is not listed any more, as two readings at least 12 hours apart agree.',
    chinese: '还没考的考试不再列出，相隔至少 12 小时的两次读取都是如此',
    seenIn: exams,
  },
  'schedule.changed': {
    title: '课表变动',
    means: 'Courses of a timetable were added, moved or taken out.',
    chinese: '课表里的课程增加、调整或取消，一次读取合成一条',
    seenIn: ['academics.schedule'],
  },
  'term.began': {
    title: '新学期',
    means: 'The campus speaks of another term than before.',
    chinese: '学校进入了新学期',
    seenIn: ['academics.calendarText'],
  },
  'evaluation.due': {
    title: '待评教',
    means: 'Courses wait to be evaluated that did not before.',
    chinese: '有新的课程等待评教',
    seenIn: ['academics.evaluationCourses'],
  },
  'electricity.low': {
    title: '电量不足',
    means: 'What is left for the room has fallen below a threshold; told once until it is 20 % above it again.',
    chinese: '剩余电量低于阈值（10 度，或推送里设置的值）；回升到阈值的 120% 之前只提醒一次',
    seenIn: ['electricity.readMeter'],
  },
  'activity.changed': {
    title: '劳动活动变动',
    means: 'A joined activity reads differently, or is not listed any more.',
    chinese: '已报名的劳动活动改了时间，或不再列出',
    seenIn: ['laborClub.joinedActivities'],
  },
  'account.person_needed': {
    title: '需要本人验证',
    means: 'Signing in at the campus needs the student.',
    chinese: '在学校登录时需要本人验证',
  },
  'account.password_refused': {
    title: '密码失效',
    means: 'The campus has refused the stored passwords: the student has to log in.',
    chinese: '学校拒绝了保存的密码，需要本人重新登录',
  },
  'test.ping': { title: '测试消息', means: 'A test was asked for.', chinese: '按要求发送的一条测试消息' },
} as const satisfies Readonly<Record<string, EventRow>>;

export type EventType = keyof typeof eventTypes;

export const isEventType = (word: string): word is EventType => Object.hasOwn(eventTypes, word);
export const eventTypeNames: readonly EventType[] = Object.keys(eventTypes).filter(isEventType);

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

/** An event as all receivers get it: thin. */
export interface ChangeEvent extends RecordOf<typeof ChangeEvent> {}
export const ChangeEvent = object('ChangeEvent', 'One change. It holds names and ids, and never a mark.', {
  seq: integer('Its place among the events of the student, from 1.', 42),
  id: text('The same in every place that tells this event.', 'evt_Zm9vYmFyYmF6cXV4MTIzNA'),
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

interface NumberedEvent extends Pick<ChangeEvent, 'seq' | 'id' | 'about' | 'ask'> {
  readonly type: EventType;
  readonly occurredAt: number;
  readonly readAt: number | null;
}

/** A thin event, as lists, streams and hooks tell it. Times are epoch milliseconds. */
export const presentEvent = (
  { seq, id, type, occurredAt, readAt, about, ask }: NumberedEvent,
  timeZone: string,
): ChangeEvent => ({
  seq,
  id,
  type,
  title: eventTypes[type].title,
  occurred_at: campusTimestamp(occurredAt, timeZone),
  read_at: readAt === null ? null : campusTimestamp(readAt, timeZone),
  about,
  ask,
});
