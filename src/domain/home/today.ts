import { byText } from '../../lib/text.ts';
import { dayNumber, dayText, weekdayOf } from '../../lib/time.ts';
import type { CurrentTerm } from '../academics/current-term.ts';
import type { Schedule, SectionTimes } from '../academics/ports.ts';
import { type Adjustments, adjusting } from '../calendar/types.ts';
import { Failure } from '../errors.ts';
import type { HomeToday } from './records.ts';

type HomeClass = HomeToday['classes'][number];

const timeOf = ({ slots }: SectionTimes, session: number, member: 'startTime' | 'endTime'): string | null =>
  slots.find((slot) => slot.session === session)?.[member] || null;

const classesOn = (day: number, first: number, weeks: number, { courses, sections }: Schedule): HomeClass[] => {
  const week = Math.floor((day - first) / 7) + 1;
  // If the calendar states no weeks, those of the timetable count, as in feeds.
  if (week < 1 || (weeks > 0 && week > weeks)) return [];
  return courses.flatMap((course) =>
    course.places
      .filter((place) => place.weekday === weekdayOf(day) + 1 && place.weekMask[week - 1] === '1')
      .map((place) => ({
        course_name: course.name,
        course_code: course.code,
        course_sequence: course.sequence,
        teacher_name: course.teachers,
        class_sessions: place.firstSession,
        continuing_session: place.sessionCount,
        start_time: timeOf(sections, place.firstSession, 'startTime'),
        end_time: timeOf(sections, place.firstSession + Math.max(1, place.sessionCount) - 1, 'endTime'),
        campus_name: place.campus,
        teaching_building_name: place.building,
        classroom_name: place.room,
        week_description: place.weekDescription,
      })),
  );
};

const wordsFor = (date: string, sources: readonly string[], isHeld: boolean): string | null => {
  const others = sources.filter((source) => source !== date);
  if (others.length > 0) return `上 ${others.join('、')} 的课`;
  return isHeld ? null : '今日停课';
};

/**
 * The classes of a day, as calendar feeds have them: a day off has none, a swapped one those of the other day.
 * @throws Failure `upstream-unreadable` where the first day of the term is unknown
 */
export const todayOf = (
  date: string,
  term: Pick<CurrentTerm, 'startAt' | 'countedWeek' | 'weeks'> & { readonly code: string },
  schedule: Schedule,
  adjustments: Adjustments,
): HomeToday => {
  const day = dayNumber(date);
  if (day === null) throw new Error('today is no day');
  const heldOn = adjusting(adjustments);
  const moved = adjustments.moved.map(({ from }) => from);
  const sources = [...new Set([date, ...moved])].filter((source) => heldOn(source) === date);
  const first = dayNumber(term.startAt);
  if (first === null) throw new Failure('upstream-unreadable', { system: 'academics', reason: 'first day unknown' });
  const classes = sources.flatMap((source) => classesOn(dayNumber(source) ?? Number.NaN, first, term.weeks, schedule));
  return {
    date,
    weekday: weekdayOf(day),
    week_number: term.countedWeek,
    term_code: term.code,
    adjustment: wordsFor(dayText(day), sources, heldOn(date) === date),
    classes: classes.toSorted((a, b) => a.class_sessions - b.class_sessions || byText(a.course_name, b.course_name)),
  };
};
