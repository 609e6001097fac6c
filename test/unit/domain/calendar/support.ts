import type { Exam } from '../../../../src/domain/academics/exams.ts';
import type { CoursePlace, ScheduledCourse, SectionTimes } from '../../../../src/domain/academics/ports.ts';
import type { FeedActivity } from '../../../../src/domain/calendar/activities.ts';
import type { FeedTimetable } from '../../../../src/domain/calendar/classes.ts';
import { type Feed, type FeedSources, feedParts } from '../../../../src/domain/calendar/kinds.ts';

export const sections: SectionTimes = {
  slots: [
    ['0800', '0845'],
    ['0855', '0940'],
    ['1010', '1055'],
    ['1105', '1150'],
    ['1400', '1445'],
    ['1455', '1540'],
    ['1610', '1655'],
    ['1705', '1750'],
    ['1900', '1945'],
    ['1955', '2040'],
    ['2050', '2135'],
    ['2140', '2225'],
  ].map(([startTime = '', endTime = ''], index) => ({
    session: index + 1,
    name: `第${index + 1}节`,
    startTime,
    endTime,
    length: '45',
    block: 1,
  })),
  semester: null,
};

/** `mask(1, 3)`: weeks 1 and 3. */
export const mask = (...weeks: number[]): string =>
  Array.from({ length: 24 }, (_, index) => (weeks.includes(index + 1) ? '1' : '0')).join('');

export const place = (more: Partial<CoursePlace> = {}): CoursePlace => ({
  weekday: 1,
  firstSession: 1,
  sessionCount: 2,
  weekMask: mask(1),
  weekDescription: '1周',
  campus: '东校区',
  building: '明理楼',
  room: '明理楼-308',
  ...more,
});

export const course = (places: readonly CoursePlace[], more: Partial<ScheduledCourse> = {}): ScheduledCourse => ({
  name: '编译原理',
  code: 'KJ3202001',
  sequence: '02',
  teachers: '周明 许静',
  nature: '必修',
  examType: '考试',
  credits: 3.5,
  places,
  ...more,
});

/** A Monday. */
export const firstDay = '2026-03-02';

export const timetable = (courses: readonly ScheduledCourse[], more: Partial<FeedTimetable> = {}): FeedTimetable => ({
  term: '2025-2026-2-1',
  firstDay,
  schedule: { courses, sections },
  ...more,
});

export const exam = (more: Partial<Exam> = {}): Exam => ({
  courseName: '高等数学（下）',
  date: '2026-06-20',
  time: '08:30-10:30',
  location: '东校区 明理楼-308',
  kind: 'university',
  note: '座位号: 18',
  ...more,
});

export const activity = (more: Partial<FeedActivity> = {}): FeedActivity => ({
  id: 'a1',
  title: '图书馆书架整理',
  startsAt: '2026-03-20 14:00:00',
  endsAt: '2026-03-20 16:00:00',
  signUpUntil: '2026-03-19 12:00:00',
  clubName: '图书馆劳动俱乐部',
  leaderName: '张伟',
  ...more,
});

export const feed: Feed = {
  id: '7d1f0a94c2b85e36',
  name: '我的课表',
  parts: ['classes', 'exams', 'activities'],
  alarmMinutes: null,
  createdAt: Date.UTC(2026, 2, 1),
  polledAt: null,
};

/** Every day is as the timetable has it. */
export const asPlanned = (day: string): string => day;

/** Whatever kinds there are, without anything of them. */
export const noSources = Object.fromEntries(feedParts.map((part) => [part, null])) as FeedSources;
