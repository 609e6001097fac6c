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

/** Weeks for which the tables are written. */
export const WRITTEN_WEEKS = 18;
/** As many as a week mask has characters. */
const AUTUMN_WEEKS = 24;

export const campusDayOf = (epochMs: number): number => Math.floor((epochMs + CAMPUS_OFFSET_MS) / DAY_MS);

const springOf = (year: number): number => {
  const first = Date.UTC(year, 2, 1) / DAY_MS;
  return first + ((7 - weekdayOf(first)) % 7);
};

/** Autumn ends in the next year, where spring begins. */
export const termIn = (year: number, season: number): DemoTerm => {
  const spring = springOf(year + 1);
  if (season === 1) return { year, season, firstDay: spring - AUTUMN_WEEKS * 7, weeks: AUTUMN_WEEKS };
  if (season === 2) return { year, season, firstDay: spring, weeks: WRITTEN_WEEKS };
  const summer = spring + WRITTEN_WEEKS * 7;
  return { year, season, firstDay: summer, weeks: (termIn(year + 1, 1).firstDay - summer) / 7 };
};

export const endOf = ({ firstDay, weeks }: DemoTerm): number => firstDay + weeks * 7;

/** The spring of a campus whose dates do not move. */
export const FIXED_TERM = termIn(2025, 2);

/** A morning in that term, for records that do not know the term. */
export const FIXED_MOMENT = Date.UTC(2026, 2, 18, 2);

/** Autumn, spring and summer follow each other without a vacation, so that a visitor finds classes on any day. */
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

/** The week, in a term of any length, for one of a written term; the first weeks are the same in all. */
export const weekIn = (weeks: number, written: number): number =>
  written <= 3 ? written : Math.round((written * weeks) / WRITTEN_WEEKS);
