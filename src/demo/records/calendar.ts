import { dayText, weekdayOf } from '../../lib/time.ts';

/** A term of the demo campus. Seasons: 1 autumn, 2 spring, 3 summer; the year is the first of its academic year. */
export interface DemoTerm {
  readonly year: number;
  readonly season: number;
  /** Day number of the Monday that begins week 1. */
  readonly firstDay: number;
  readonly weeks: number;
}

/** The day at which the campus answers, and the term that it names as the current one. */
export interface Present {
  readonly term: DemoTerm;
  readonly today: number;
  /** Of that day, `HH:MM`. */
  readonly time: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CAMPUS_OFFSET_MS = 8 * 60 * 60 * 1000;
const WEEKDAYS = '日一二三四五六';
const SEASONS = ' 秋春夏';

/** Weeks with classes, for which the tables are written; in the two after them are exams. */
const WRITTEN_WEEKS = 18;
const TERM_WEEKS = 20;
const SUMMER_WEEKS = 4;

export const campusDayOf = (epochMs: number): number => Math.floor((epochMs + CAMPUS_OFFSET_MS) / DAY_MS);

const mondayFrom = (year: number, month: number, date: number): number => {
  const first = Date.UTC(year, month - 1, date) / DAY_MS;
  return first + ((7 - weekdayOf(first)) % 7);
};

/** Autumn begins so early that it ends before the Spring Festival of any year; a summer follows its spring at once. */
export const termIn = (year: number, season: number): DemoTerm => {
  if (season === 1) return { year, season, firstDay: mondayFrom(year, 8, 25), weeks: TERM_WEEKS };
  const spring = mondayFrom(year + 1, 3, 1);
  if (season === 2) return { year, season, firstDay: spring, weeks: TERM_WEEKS };
  return { year, season, firstDay: spring + TERM_WEEKS * 7, weeks: SUMMER_WEEKS };
};

export const endOf = ({ firstDay, weeks }: DemoTerm): number => firstDay + weeks * 7;

/** The spring of a campus whose dates do not move. */
export const FIXED_TERM = termIn(2025, 2);

/** A morning in that term, for records that do not know the term. */
export const FIXED_MOMENT = Date.UTC(2026, 2, 18, 2);

/** In a vacation, the term before it. */
const termOf = (day: number): DemoTerm => {
  const year = Number(dayText(day).slice(0, 4));
  const terms = [termIn(year - 1, 1), termIn(year - 1, 2), termIn(year - 1, 3), termIn(year, 1)];
  return terms.findLast(({ firstDay }) => firstDay <= day) ?? FIXED_TERM;
};

/** @param moves false: the campus stays in one spring, with a vacation before and after it */
export const presentAt = (epochMs: number, moves: boolean): Present => {
  const today = campusDayOf(epochMs);
  const time = new Date(epochMs + CAMPUS_OFFSET_MS).toISOString().slice(11, 16);
  return { term: moves ? termOf(today) : FIXED_TERM, today, time };
};

/** `2025-2026-2-1`. */
export const codeOf = ({ year, season }: DemoTerm): string => `${year}-${year + 1}-${season}-1`;

/** `2025-2026学年春`. */
export const nameOf = ({ year, season }: DemoTerm): string => `${year}-${year + 1}学年${SEASONS[season]}`;

/** `20260318`. */
export const dayDigits = (day: number): string => dayText(day).replaceAll('-', '');

/** `2026年3月18日`. */
export const chineseDate = (day: number): string => {
  const [year, month, date] = dayText(day).split('-').map(Number);
  return `${year}年${month}月${date}日`;
};

/** `2026-03-18` and `三`. */
export const dayWords = (day: number): { readonly date: string; readonly weekday: string } => ({
  date: dayText(day),
  weekday: WEEKDAYS[(weekdayOf(day) + 1) % 7] ?? '',
});

export const weekOf = (day: number, { firstDay }: DemoTerm): number => Math.floor((day - firstDay) / 7) + 1;

/** The calendar line of the home page: outside the term it names no week. */
export const calendarLine = ({ today, term }: Present): string => {
  const week = weekOf(today, term);
  const middle = week >= 1 && week <= term.weeks ? `第${week}周` : '假期';
  return `${term.year}-${term.year + 1} ${SEASONS[term.season]}  ${middle}   星期${dayWords(today).weekday}`;
};

/** The week, in a term of any length, for a written one; the first weeks are the same in all. */
export const weekIn = (weeks: number, written: number): number =>
  written <= 3 ? written : Math.round((written * Math.min(weeks, WRITTEN_WEEKS)) / WRITTEN_WEEKS);

/** The same for a season, whose terms all have one length. */
export const weekInSeason = (season: number, written: number): number =>
  weekIn(season === 3 ? SUMMER_WEEKS : TERM_WEEKS, written);
