import { dayNumber, weekdayOf } from '../../lib/time.ts';
import type { Term } from './records.ts';

export interface CalendarText {
  /** `2025-2026`, `""` when not stated. */
  readonly academicYear: string;
  /** `秋`, `春` or `夏`; `""` when not stated. */
  readonly season: string;
  /** Null outside teaching weeks, when the text names none. */
  readonly week: number | null;
  /** It mentions the end of the term, or examinations. */
  readonly speaksOfEnd: boolean;
}

export interface TermStart {
  /** First day of week 1, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** 0 when not stated. */
  readonly weeks: number;
}

/** The facts of one day, from which the current term is worked out for the day of the answer. */
export interface TermFacts {
  readonly text: CalendarText;
  readonly start: TermStart;
  /** `YYYY-MM-DD` at the campus. */
  readonly readOn: string;
}

export interface CurrentTerm {
  readonly academicYear: string;
  readonly season: string;
  /** 0: not in a teaching week. */
  readonly week: number;
  readonly startAt: string;
  /** Counted from the first day, also where the page states a week; 0 outside the weeks of the calendar. */
  readonly countedWeek: number;
  /** Weeks in the calendar; 0 if it states none. */
  readonly weeks: number;
  readonly isEnding: boolean;
  /** 0 Monday … 6 Sunday. */
  readonly weekday: number;
}

type NamedTerm = Pick<CalendarText, 'academicYear' | 'season'>;

const seasonNumbers: Readonly<Record<string, string>> = { 秋: '1', 春: '2' };

/** Year and season of a term code; the season is empty for other terms than autumn and spring. */
export const namedTermOf = (code: string): NamedTerm => {
  const [, academicYear = '', number] = /^(\d{4}-\d{4})-(\d{1,2})(?:-|$)/.exec(code) ?? [];
  const season = Object.entries(seasonNumbers).find(([, each]) => each === number)?.[0] ?? '';
  return { academicYear, season };
};

/** The code of the term in the calendar text; null where it lacks the year, or names no autumn or spring. */
export const derivedTermCode = ({ academicYear, season }: NamedTerm): string | null => {
  const number = seasonNumbers[season];
  return academicYear === '' || number === undefined ? null : `${academicYear}-${number}-1`;
};

/** The same by the list of terms, which shows a term other than autumn and spring as the current one. */
export const termCodeOf = (text: NamedTerm, all: readonly Term[]): string | null => {
  const { academicYear, season } = text;
  if (academicYear === '') return null;
  const number = seasonNumbers[season];
  const isMeant = ({ term_code: code, is_current: isCurrent }: Term): boolean =>
    number === undefined
      ? isCurrent && /^\d{4}-\d{4}-[^12]/.test(code) && code.startsWith(`${academicYear}-`)
      : code === `${academicYear}-${number}` || code.startsWith(`${academicYear}-${number}-`);
  const meant = all.filter(isMeant);
  const found = meant.find(({ is_current }) => is_current) ?? meant[0];
  return found?.term_code ?? derivedTermCode(text);
};

/** From this week on a term counts as ending. */
const endingFrom = 16;

/** Counted from the first day; 0 before week 1 and after the last one. */
const weekOf = (today: number, { firstDay, weeks }: TermStart): number => {
  const stated = dayNumber(firstDay);
  // Weeks open on Monday, or with a first day that is a Sunday; another day lies in week 1.
  const first = stated === null || weekdayOf(stated) === 6 ? stated : stated - weekdayOf(stated);
  const week = first === null ? 0 : Math.floor((today - first) / 7) + 1;
  return week >= 1 && week <= weeks ? week : 0;
};

/** @param today `YYYY-MM-DD` at the campus; its weekday counts, never the one on the page, which may be yesterday's */
export const currentTermOf = (text: CalendarText, start: TermStart, today: string): CurrentTerm => {
  const day = dayNumber(today);
  if (day === null) throw new Error('today is no day');
  // A stated week is used even where the calendar does not have it: the campus knows its term.
  const week = text.week ?? weekOf(day, start);
  return {
    academicYear: text.academicYear,
    season: text.season,
    week,
    startAt: start.firstDay,
    countedWeek: weekOf(day, start),
    weeks: start.weeks,
    isEnding: week >= endingFrom || text.speaksOfEnd,
    weekday: weekdayOf(day),
  };
};

const seasons = new Map([
  ['1', '秋季学期'],
  ['2', '春季学期'],
]);

/** `2025-2026-1-1` → `2025-2026秋季学期`; the code itself where it has fewer parts or another season. */
export const termDisplayName = (code: string): string => {
  const [from, to, season] = code.split('-');
  const name = season === undefined ? undefined : seasons.get(season);
  return name === undefined ? code : `${from}-${to}${name}`;
};
