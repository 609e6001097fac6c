import { byText } from '../../lib/text.ts';
import { dayNumber, dayText, weekdayOf } from '../../lib/time.ts';
import type { CurrentTerm } from '../academics/current-term.ts';
import type { Schedule, SectionTimes } from '../academics/ports.ts';
import { weekAt, weekOne, weekOneBy, weekWithin } from '../academics/term-weeks.ts';
import { timesOf } from '../calendar/classes.ts';
import { type Adjustments, adjustDays } from '../calendar/types.ts';
import { failures } from '../errors.ts';
import type { HomeToday } from './records.ts';

type HomeClass = HomeToday['classes'][number];

/** A class as it is shown, and its hours where the campus states both. */
export interface HeldClass {
  readonly times: { readonly from: string; readonly to: string } | null;
  readonly shown: HomeClass;
}

const timeOf = ({ slots }: SectionTimes, session: number, member: 'startTime' | 'endTime'): string | null =>
  slots.find((slot) => slot.session === session)?.[member] || null;

const classesOn = (day: number, first: number, weeks: number, { courses, sections }: Schedule): HeldClass[] => {
  const week = weekAt(day, first);
  // If the calendar states no weeks, those of the timetable count, as in feeds.
  if (week < 1 || (weeks > 0 && week > weeks)) return [];
  return courses.flatMap((course) =>
    course.places
      .filter((place) => place.weekday === weekdayOf(day) + 1 && place.weekMask[week - 1] === '1')
      .map((place) => {
        const last = place.firstSession + Math.max(1, place.sessionCount) - 1;
        return {
          times: timesOf(sections, place.firstSession, last),
          shown: {
            course_name: course.name,
            course_code: course.code,
            course_sequence: course.sequence,
            teacher_name: course.teachers,
            class_sessions: place.firstSession,
            continuing_session: place.sessionCount,
            start_time: timeOf(sections, place.firstSession, 'startTime'),
            end_time: timeOf(sections, last, 'endTime'),
            campus_name: place.campus,
            teaching_building_name: place.building,
            classroom_name: place.room,
            week_description: place.weekDescription,
          },
        };
      }),
  );
};

type HomeTerm = Pick<CurrentTerm, 'startAt' | 'stated' | 'weeks'>;

/**
 * The first day of week 1. The week that the student's page names today goes before the first day of all students.
 * @throws Failure `upstream-unreadable` where that is unknown
 */
const firstOf = ({ startAt, stated }: HomeTerm, { sections }: Schedule): number => {
  const first = weekOne(startAt, sections);
  if (first === null) throw failures.upstreamUnreadable('academics', 'first day unknown');
  return stated === null ? first : weekOneBy(stated, first);
};

/**
 * The classes that are held on a day, as calendar feeds have them: a day off has none, a swapped one those of the other
 * day. `sources`: the days whose classes they are.
 * @throws Failure `upstream-unreadable` where the first day of the term is unknown
 */
export const findHeldOn = (
  term: HomeTerm,
  schedule: Schedule,
  adjustments: Adjustments,
): ((date: string) => { readonly sources: readonly string[]; readonly classes: readonly HeldClass[] }) => {
  const dayOf = adjustDays(adjustments);
  const moved = adjustments.moved.map(({ from }) => from);
  const first = firstOf(term, schedule);
  return (date) => {
    const sources = [...new Set([date, ...moved])].filter((source) => dayOf(source) === date);
    const classes = sources.flatMap((source) =>
      classesOn(dayNumber(source) ?? Number.NaN, first, term.weeks, schedule),
    );
    const sorted = classes.toSorted(
      ({ shown: a }, { shown: b }) => a.class_sessions - b.class_sessions || byText(a.course_name, b.course_name),
    );
    return { sources, classes: sorted };
  };
};

const wordsFor = (date: string, sources: readonly string[], isHeld: boolean): string | null => {
  const others = sources.filter((source) => source !== date);
  if (others.length > 0) return `上 ${others.join('、')} 的课`;
  return isHeld ? null : '今日停课';
};

/**
 * The classes of today.
 * @throws Failure `upstream-unreadable` where the first day of the term is unknown
 */
export const todayOf = (
  date: string,
  term: HomeTerm & { readonly code: string },
  schedule: Schedule,
  adjustments: Adjustments,
): HomeToday => {
  const day = dayNumber(date);
  if (day === null) throw new Error('today is no day');
  const { sources, classes } = findHeldOn(term, schedule, adjustments)(date);
  return {
    date,
    weekday: weekdayOf(day),
    week_number: weekWithin(day, firstOf(term, schedule), term.weeks),
    term_code: term.code,
    adjustment: wordsFor(dayText(day), sources, sources.includes(date)),
    classes: classes.map(({ shown }) => shown),
  };
};
