import { dayText, weekdayOf } from '../../lib/calendar-day.ts';

/** A term of the demo campus. Seasons: 1 autumn, 2 spring, 3 summer; the year is the first of its academic year. */
export interface DemoTerm {
  readonly year: number;
  readonly season: number;
  /** Day number of the Monday that begins week 1. */
  readonly firstDay: number;
  readonly weeks: number;
}

/** The day at which the campus answers, and what goes by it. */
export interface Present {
  readonly term: DemoTerm;
  readonly today: number;
  /** The day from which the university exams count. */
  readonly examsFrom: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CAMPUS_OFFSET_MS = 8 * 60 * 60 * 1000;
const WEEKDAYS = '日一二三四五六';

/** Weeks for which the records of timetables and exams are written. */
const WRITTEN_WEEKS = 18;
/** As many as a week mask has characters. */
const AUTUMN_WEEKS = 24;
/** Days from the first to the last exam. */
const EXAM_DAYS = 5;

/** The number of the campus day at an instant. */
export const campusDayOf = (epochMs: number): number => Math.floor((epochMs + CAMPUS_OFFSET_MS) / DAY_MS);

/** The first Monday of March. */
const springOf = (year: number): number => {
  const first = Date.UTC(year, 2, 1) / DAY_MS;
  return first + ((7 - weekdayOf(first)) % 7);
};

/** The term that the records of the students are written for. */
export const RECORDS_TERM: DemoTerm = { year: 2025, season: 2, firstDay: springOf(2026), weeks: WRITTEN_WEEKS };

/** A morning in that term, for records that do not know the term. */
export const RECORDS_MOMENT = Date.UTC(2026, 2, 18, 2);

/** It lasts until the spring of the next year. */
const autumnOf = (year: number): DemoTerm => ({
  year,
  season: 1,
  firstDay: springOf(year + 1) - AUTUMN_WEEKS * 7,
  weeks: AUTUMN_WEEKS,
});

/**
 * The term of a day. Autumn, spring and summer follow each other without a vacation, so that whoever tries the service
 * finds a week with classes on any day.
 */
const termOf = (day: number): DemoTerm => {
  const year = Number(dayText(day).slice(0, 4));
  const spring = springOf(year);
  if (day < spring) return autumnOf(year - 1);
  const summer = spring + WRITTEN_WEEKS * 7;
  if (day < summer) return { year: year - 1, season: 2, firstDay: spring, weeks: WRITTEN_WEEKS };
  const autumn = autumnOf(year);
  if (day >= autumn.firstDay) return autumn;
  return { year: year - 1, season: 3, firstDay: summer, weeks: (autumn.firstDay - summer) / 7 };
};

/**
 * The present of the campus. Exams keep their days for a week and end with the term.
 * @param moves false: the campus stays in the term of its records, with a vacation before and after it
 */
export const presentAt = (epochMs: number, moves: boolean): Present => {
  const today = campusDayOf(epochMs);
  if (!moves) return { term: RECORDS_TERM, today, examsFrom: today };
  const term = termOf(today);
  const wednesday = today - weekdayOf(today) + 2;
  return { term, today, examsFrom: Math.min(wednesday, term.firstDay + term.weeks * 7 - 1 - EXAM_DAYS) };
};

/** `2026-03-18` and `三`. */
export const dayWords = (day: number): { readonly date: string; readonly weekday: string } => ({
  date: dayText(day),
  weekday: WEEKDAYS[(weekdayOf(day) + 1) % 7] ?? '',
});

export const weekOf = (day: number, { firstDay }: DemoTerm): number => Math.floor((day - firstDay) / 7) + 1;

/** The calendar line of the home page, under the name of the records' term: outside the term it names no week. */
export const calendarLine = ({ today, term }: Present): string => {
  const week = weekOf(today, term);
  const middle = week >= 1 && week <= term.weeks ? `第${week}周` : '假期';
  return `2025-2026 春  ${middle}   星期${dayWords(today).weekday}`;
};

/** The week of a term of any length that stands for one of a written term; the first weeks are the same in all. */
export const weekIn = (weeks: number, written: number): number =>
  written <= 3 ? written : Math.round((written * weeks) / WRITTEN_WEEKS);
