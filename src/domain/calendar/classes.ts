import { Type } from '@sinclair/typebox';
import { timeOfDay } from '../../lib/moments.ts';
import { dayNumber, dayText, weekdayOf } from '../../lib/time.ts';
import { areOfWord } from '../../lib/weeks-in-words.ts';
import type { CoursePlace, Schedule, ScheduledCourse, SectionTimes } from '../academics/ports.ts';
import { agreedFirstDay, weekOne } from '../academics/term-weeks.ts';
import { allReads } from '../all-reads.ts';
import { storedRecord } from '../record.ts';
import { type FeedKind, type FeedReading, type FeedSource, nextSource } from './sources.ts';
import type { CalendarEvent, DayOfClasses } from './types.ts';

/** The timetable of a term, and the day on which its first week begins. */
export interface FeedTimetable {
  readonly term: string;
  /** `YYYY-MM-DD` */
  readonly firstDay: string;
  readonly schedule: Pick<Schedule, 'courses' | 'sections'>;
}

type FirstOfPlace = 'weekday' | 'firstSession' | 'sessionCount' | 'weekMask' | 'weekDescription';

const StoredPlace = storedRecord<FirstOfPlace | 'campus' | 'building' | 'room'>()({
  weekday: Type.Number(),
  firstSession: Type.Number(),
  sessionCount: Type.Number(),
  weekMask: Type.String(),
  weekDescription: Type.String(),
  campus: Type.String(),
  building: Type.String(),
  room: Type.String(),
});

const StoredTimetable = storedRecord<'term' | 'firstDay' | 'schedule'>()({
  term: Type.String(),
  firstDay: Type.String(),
  schedule: storedRecord<'courses' | 'sections'>()({
    courses: Type.Array(
      storedRecord<'name' | 'code' | 'sequence' | 'teachers' | 'places'>()({
        name: Type.String(),
        code: Type.String(),
        sequence: Type.String(),
        teachers: Type.String(),
        places: Type.Array(StoredPlace),
      }),
    ),
    sections: storedRecord<'slots'>()({
      slots: Type.Array(
        storedRecord<'session' | 'startTime' | 'endTime'>()({
          session: Type.Number(),
          startTime: Type.String(),
          endTime: Type.String(),
        }),
      ),
    }),
  }),
});

/** One course in one week, on one weekday, in one place, in sessions without a gap. */
interface Class {
  readonly course: ScheduledCourse;
  readonly weeks: string;
  readonly place: string;
  readonly week: number;
  /** 1 Monday … 7 Sunday. */
  readonly weekday: number;
  readonly first: number;
  readonly last: number;
}

/** `东校区 明理楼-308`: a part that the next one repeats is left out. */
const placeOf = ({ campus, building, room }: CoursePlace): string =>
  [campus, building, room]
    .map((part) => part.trim())
    .filter((part, at, parts) => part !== '' && !parts.slice(at + 1).some((later) => later.startsWith(part)))
    .join(' ');

/** 全周, 单周 and 双周 say no last week: it is that of the term, else the last that another course has. */
const lastWeekOf = ({ courses, sections }: FeedTimetable['schedule']): number => {
  const stated = Number(sections.semester?.totalWeeks ?? 0);
  if (stated > 0) return stated;
  const masks = courses.flatMap(({ places }) =>
    places.flatMap(({ weekMask, weekDescription }) => (areOfWord(weekMask, weekDescription) ? [] : weekMask)),
  );
  return Math.max(0, ...masks.map((mask) => mask.lastIndexOf('1') + 1)) || Number.POSITIVE_INFINITY;
};

const classesOfCourse = (course: ScheduledCourse, lastWeek: number): Class[] =>
  course.places.flatMap((place) => {
    const weeks = areOfWord(place.weekMask, place.weekDescription) ? lastWeek : Number.POSITIVE_INFINITY;
    return [...place.weekMask].flatMap((mark, index) =>
      mark === '1' && index < weeks
        ? {
            course,
            weeks: place.weekDescription,
            place: placeOf(place),
            week: index + 1,
            weekday: place.weekday,
            first: place.firstSession,
            last: place.firstSession + Math.max(1, place.sessionCount) - 1,
          }
        : [],
    );
  });

/** Sessions that follow on each other, or overlap, in the same place are one class. */
const join = (classes: readonly Class[]): Class[] => {
  const groups = Map.groupBy(classes, ({ week, weekday, place }) => JSON.stringify([week, weekday, place]));
  return [...groups.values()].flatMap((group) => {
    const runs: Class[] = [];
    for (const each of group.toSorted((a, b) => a.first - b.first || a.last - b.last)) {
      const run = runs.at(-1);
      if (run === undefined || each.first > run.last + 1) runs.push(each);
      else runs[runs.length - 1] = { ...run, last: Math.max(run.last, each.last) };
    }
    return runs;
  });
};

/** The day of a weekday in a week; weeks are counted from the first day, on any weekday. */
const dayOf = (firstDay: number, week: number, weekday: number): string =>
  dayText(firstDay + 7 * (week - 1) + ((weekday - 1 - weekdayOf(firstDay) + 7) % 7));

/** `HH:MM:SS` of the first and the last session; null where the campus does not say. */
export const timesOf = ({ slots }: SectionTimes, first: number, last: number): { from: string; to: string } | null => {
  const from = timeOfDay(slots.find(({ session }) => session === first)?.startTime ?? '');
  const to = timeOfDay(slots.find(({ session }) => session === last)?.endTime ?? '');
  return from === null || to === null || to <= from ? null : { from, to };
};

const sessionsText = ({ first, last }: Class): string => (first === last ? `第${first}节` : `第${first}-${last}节`);

const describe = (one: Class, held: string, planned: string): string => {
  const { course, weeks, week } = one;
  const lines = [
    course.teachers === '' ? null : `教师：${course.teachers}`,
    `周次：第${week}周${weeks === '' ? '' : `（${weeks}）`}`,
    `节次：${sessionsText(one)}`,
    course.code === '' ? null : `课程号：${course.code}${course.sequence === '' ? '' : `-${course.sequence}`}`,
    held === planned ? null : `调课：原定 ${planned}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
};

/**
 * Every class of a term on the day on which it is held. A class whose sessions have no times takes the whole day,
 * because any hour would be made up. No recurrences: programs differ in how they read exceptions, such as days off.
 * Empty when the first day is no day; ends with the course that brings more than `most`.
 */
export const classCalendarEvents = (
  { term, firstDay, schedule }: FeedTimetable,
  heldOn: DayOfClasses,
  most = Number.POSITIVE_INFINITY,
): CalendarEvent[] => {
  const first = weekOne(firstDay, schedule.sections);
  if (first === null) return [];
  const taken = new Map<string, number>();
  const eventOf = (one: Class): CalendarEvent[] => {
    const { course, week, weekday, place } = one;
    const { code, sequence, name } = course;
    const planned = dayOf(first, week, weekday);
    const day = heldOn(planned);
    if (day === null) return [];
    // The place is no part of it: a class that moves to another room is still the same class.
    const key = JSON.stringify(['class', term, code, sequence, code === '' ? name : '', week, weekday, one.first]);
    const again = taken.get(key) ?? 0;
    taken.set(key, again + 1);
    const times = timesOf(schedule.sections, one.first, one.last);
    const title = name === '' ? code : name;
    return [
      {
        key: again === 0 ? key : `${key} ${again}`,
        category: '课程',
        start: times === null ? day : `${day}T${times.from}`,
        end: times === null ? null : `${day}T${times.to}`,
        title: times === null ? `${title}（${sessionsText(one)}）` : title,
        place,
        description: describe(one, day, planned),
      },
    ];
  };
  const lastWeek = lastWeekOf(schedule);
  const events: CalendarEvent[] = [];
  for (const course of schedule.courses) {
    if (events.length > most) break;
    events.push(...join(classesOfCourse(course, lastWeek)).flatMap(eventOf));
  }
  return events;
};

/** Courses of which the campus states no time. */
export const coursesWithoutTime = ({ courses }: Pick<Schedule, 'courses'>): string[] =>
  courses.filter(({ places }) => places.length === 0).map(({ name, code }) => (name === '' ? code : name));

const hasClasses = ({ schedule }: FeedTimetable): boolean => schedule.courses.some(({ places }) => places.length > 0);

/** A timetable replaces the known one, unless it cannot be dated, has lost its hours, or is suddenly empty. */
const nextClasses = (
  source: FeedSource<FeedTimetable> | null,
  read: FeedReading<FeedTimetable> | null,
): FeedSource<FeedTimetable> | null => {
  if (read === null || dayNumber(read.value.firstDay) === null) return source;
  const hasHours = read.value.schedule.sections.slots.length > 0;
  if (source !== null && source.term === read.term && hasClasses(read.value) && !hasHours) return source;
  return nextSource(source, read, (before, now) => hasClasses(before) && !hasClasses(now));
};

const { currentTerm, schedule } = allReads;

export const classesFeed: FeedKind<FeedTimetable> = {
  title: '课表',
  missing: '尚无课表：请在应用中打开一次当前学期和本学期课表。',
  holds: '`classes` of the current term',
  needs: ['academics.schedule', 'academics.calendarText', 'academics.termStart'],
  reads: [currentTerm.name, schedule.name],
  shape: 1,
  stored: StoredTimetable,
  many: true,
  async read(copies) {
    const term = await copies.term();
    const table = term && (await copies.last(schedule, [term.code]));
    if (!table) return null;
    const { code, stated } = term;
    const firstDay = agreedFirstDay(term.firstDay, stated, table.value.sections);
    return { value: { term: code, firstDay, schedule: table.value }, term: code, readAt: table.readAt };
  },
  next: nextClasses,
  events: (value, { heldOn, most }) => classCalendarEvents(value, heldOn, most),
  left: (value) => ['没有上课时间的课程', coursesWithoutTime(value.schedule)],
};
