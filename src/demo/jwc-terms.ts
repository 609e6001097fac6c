import { dayNumber, dayText } from '../lib/calendar-day.ts';
import type { DemoReply } from './exchange.ts';
import { type DemoTerm, RECORDS_TERM, weekIn, weekOf } from './records/calendar.ts';

/**
 * The records of the students are written as they stand in one term. What they say of terms is renamed on the way out,
 * and what a request says of them on the way in, so that they stand in the term of today.
 */
type TermName = Pick<DemoTerm, 'year' | 'season'>;

const CODE = /(\d{4})-\d{4}-([123])-1/g;
const NAME = /(\d{4})-\d{4}(学年|&#23398;年| )([秋春夏])/g;
const SEASONS = ' 秋春夏';

export const isTermOfRecords = ({ year, season }: TermName): boolean =>
  year === RECORDS_TERM.year && season === RECORDS_TERM.season;

const nextOf = ({ year, season }: TermName): TermName =>
  season === 3 ? { year: year + 1, season: 1 } : { year, season: season + 1 };

const isSame = (one: TermName, other: TermName): boolean => one.year === other.year && one.season === other.season;

/** Autumns and springs, counted; in summer the count stands between the spring before and the autumn after. */
const halfYear = ({ year, season }: TermName): number => 2 * year + season - 1;

/**
 * The term that is to `current` what `term` is to `from`: the same, the next, or as many springs and autumns, or
 * summers, before it.
 */
const counterpart = (term: TermName, from: TermName, current: TermName): TermName => {
  if (isSame(term, from)) return current;
  if (isSame(term, nextOf(from))) return nextOf(current);
  if (term.season === 3) return { year: term.year - from.year + current.year, season: 3 };
  const half = halfYear(term) - halfYear(from) + halfYear(current);
  return { year: Math.floor(half / 2), season: (half % 2) + 1 };
};

const renamed = (text: string, from: TermName, current: TermName): string =>
  text
    .replace(CODE, (_code, year, season) => {
      const shown = counterpart({ year: Number(year), season: Number(season) }, from, current);
      return `${shown.year}-${shown.year + 1}-${shown.season}-1`;
    })
    .replace(NAME, (_name, year, between, season) => {
      const shown = counterpart({ year: Number(year), season: SEASONS.indexOf(season) }, from, current);
      return `${shown.year}-${shown.year + 1}${between}${SEASONS[shown.season]}`;
    });

/** What a request says, in terms of the records. */
export const asRecorded = (fields: URLSearchParams, current: TermName): URLSearchParams =>
  new URLSearchParams(
    [...fields].map(([name, value]): [string, string] => [name, renamed(value, current, RECORDS_TERM)]),
  );

/** What the records say, in terms of today. */
export const shownText = (text: string, current: TermName): string => renamed(text, RECORDS_TERM, current);

export const asShown = (answer: DemoReply, current: TermName): DemoReply =>
  typeof answer.body === 'string' ? { ...answer, body: shownText(answer.body, current) } : answer;

const DATE = /(?<![\d-])(\d{4})([年/-])(\d{1,2})([月/-])(\d{1,2})(?!\d)/g;

/** Moves the days of the records, in any spelling, to the same weekday of the same part of the term. */
export const withMovedDays = (answer: DemoReply, term: DemoTerm): DemoReply => {
  if (typeof answer.body !== 'string' || isTermOfRecords(term)) return answer;
  const body = answer.body.replace(DATE, (written, year, afterYear, month, afterMonth, ofMonth) => {
    const day = dayNumber(`${year}-${month.padStart(2, '0')}-${ofMonth.padStart(2, '0')}`);
    if (day === null) return written;
    const week = weekOf(day, RECORDS_TERM);
    // What was before the term comes in its first week.
    const moved = term.firstDay + day - RECORDS_TERM.firstDay + (Math.max(1, weekIn(term.weeks, week)) - week) * 7;
    const [shownYear, ...rest] = dayText(moved).split('-');
    const [shownMonth, shownDay] = afterYear === '-' ? rest : rest.map(Number);
    return `${shownYear}${afterYear}${shownMonth}${afterMonth}${shownDay}`;
  });
  return { ...answer, body };
};
