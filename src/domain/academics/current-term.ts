import { campusDayOr } from '../../lib/moments.ts';
import { dayNumber, weekdayOf } from '../../lib/time.ts';
import { type Failure, failures } from '../errors.ts';
import type { Term } from './records.ts';
import { type StatedWeek, weekAt, weekOne, weekWithin } from './term-weeks.ts';

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

/** What a driver reads of it. `code`: where the campus states the code of the term itself, so that no list has to decide it. */
export interface StatedCalendarText extends CalendarText {
  readonly code?: string;
}

export interface TermStart {
  /** First day of week 1, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** 0 when not stated. */
  readonly weeks: number;
}

/** What a driver reads of it. A day that is stated as a moment is that of the campus only by its clock: `startAtCampus`. */
export interface StatedTermStart extends TermStart {
  /** Decides the weeks where one of the days is such a moment. */
  readonly lastDay?: string;
}

/** The week of the last day, which may begin before its weekday in the first one; 0 where one of the days is none. */
export const weeksOfTerm = (firstDay: string, lastDay: string): number => {
  const [first, last] = [weekOne(firstDay), dayNumber(lastDay)];
  return first === null || last === null || lastDay < firstDay ? 0 : weekAt(last, first);
};

export const startAtCampus = ({ firstDay, lastDay, weeks }: StatedTermStart, timeZone: string): TermStart => {
  const first = campusDayOr(firstDay, timeZone);
  if (lastDay === undefined) return { firstDay: first, weeks };
  return { firstDay: first, weeks: weeksOfTerm(first, campusDayOr(lastDay, timeZone)) };
};

/** The facts of one day, from which the current term is worked out for the day of the answer. */
export interface TermFacts {
  readonly text: CalendarText;
  /** Of the term; null where the campus names none that its list has. */
  readonly code: string | null;
  readonly start: TermStart;
  /** Weeks that the page has named on the last days, the latest at the end. */
  readonly stated: readonly StatedWeek[];
  /** `YYYY-MM-DD` at the campus. */
  readonly readOn: string;
}

export interface CurrentTerm {
  readonly academicYear: string;
  readonly season: string;
  /** Null where it is unknown. */
  readonly code: string | null;
  /** 0: not in a teaching week. */
  readonly week: number;
  readonly startAt: string;
  /** What the page has said today; null: it names no week. */
  readonly stated: StatedWeek | null;
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

/** How lists name the seasons: terms are shown as halves of the year. */
const seasonNames: Readonly<Record<string, RegExp>> = { 秋: /[秋上]/, 春: /[春下]/ };

/**
 * The same by the list of terms, which decides: the last parts of a code differ between campuses. A term other than autumn
 * and spring is the current one of the list.
 */
export const findTermCode = ({ academicYear, season }: NamedTerm, all: readonly Term[]): string | null => {
  if (academicYear === '') return null;
  const ofYear = all.filter(({ term_code: code }) => code.startsWith(`${academicYear}-`));
  const current = ofYear.find(({ is_current }) => is_current);
  const number = seasonNumbers[season];
  if (number === undefined)
    return namedTermOf(current?.term_code ?? '').season === '' ? (current?.term_code ?? null) : null;
  const meant = ofYear.filter(({ term_code: code }) => namedTermOf(code).season === season);
  const named = current && seasonNames[season]?.test(current.term_name) ? current : undefined;
  return (meant.find((term) => term === current) ?? meant[0] ?? named)?.term_code ?? null;
};

/** From this week on a term counts as ending. */
const endingFrom = 16;

/** @param today `YYYY-MM-DD` at the campus; its weekday counts, never the one on the page, which may be yesterday's */
export const currentTermOf = ({ text: read, code, start, stated, readOn }: TermFacts, today: string): CurrentTerm => {
  // The week in the text is the week of the day on which it was read; for another day it is counted.
  const text = readOn === today ? read : { ...read, week: null };
  const day = dayNumber(today);
  if (day === null) throw new Error('today is no day');
  // A stated week is used even where the calendar does not have it: the campus knows its term.
  const first = weekOne(start.firstDay);
  const week = text.week ?? (first === null ? 0 : weekWithin(day, first, start.weeks));
  return {
    academicYear: text.academicYear,
    season: text.season,
    code,
    week,
    startAt: start.firstDay,
    stated: stated.find(({ on }) => on === today) ?? null,
    weeks: start.weeks,
    isEnding: week >= endingFrom || text.speaksOfEnd,
    weekday: weekdayOf(day),
  };
};

export const termUnknown = (cause?: unknown): Failure =>
  failures.upstreamUnreadable('academics', 'current term unknown', { part: 'term', cause });

/** @throws Failure `upstream-unreadable` where it is unknown: such a term must not look like one without classes */
export const requireTermCode = ({ code }: Pick<CurrentTerm, 'code'>): string => {
  if (code === null) throw termUnknown();
  return code;
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
