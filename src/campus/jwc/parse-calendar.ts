import type { TermStart } from '../../domain/academics/current-term.ts';
import { dayNumber } from '../../lib/calendar-day.ts';
import { htmlTokens } from '../parsing/html-tokens.ts';
import { withoutComments } from '../parsing/script-values.ts';
import { unreadable } from '../parsing/unreadable.ts';

/** The calendar page of a live session states the first day of the term in a script. */
export const calendarAlive = (page: string): boolean => /var\s{1,8}rq/.test(page);

/** What the scripts of the page do; the first days of earlier terms may still stand in their comments. */
const scriptOf = (page: string): string => {
  const scripts: string[] = [];
  for (const token of htmlTokens(page)) if (token.kind === 'raw' && token.name === 'script') scripts.push(token.text);
  // Without any, the answer may be the script itself.
  return (scripts.length === 0 ? [page] : scripts).map(withoutComments).join('\n');
};

/**
 * `var rq = "20250901"; var zs = 18;`: first day of week 1, number of weeks.
 * @throws Failure `upstream-unreadable` without a first day that is a real day
 */
export const parseCalendar = (page: string): TermStart => {
  const script = scriptOf(page);
  const [, year, month, day] = /var\s{1,8}rq\s{0,8}=\s{0,8}["'](\d{4})(\d{2})(\d{2})["']/.exec(script) ?? [];
  const firstDay = `${year}-${month}-${day}`;
  if (dayNumber(firstDay) === null) throw unreadable('academics', 'calendar without first day');
  const weeks = /var\s{1,8}zs\s{0,8}=\s{0,8}["']?(\d{1,3})(?!\d)/.exec(script)?.[1];
  return { firstDay, weeks: Number(weeks ?? 0) };
};
