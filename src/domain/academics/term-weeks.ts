import { dayNumber, dayText, weekdayOf } from '../../lib/time.ts';
import type { SectionTimes } from './ports.ts';

/** The one way in which the weeks of a term are counted. Days are day numbers. */

/**
 * The day on which the week opens in which the first day lies: the campus may state another day of week 1. Where it does
 * not say when weeks open, they do on Monday, or with a first day that is a Sunday. Null: no first day.
 */
export const weekOne = (firstDay: string, sections?: Pick<SectionTimes, 'semester'>): number | null => {
  const stated = dayNumber(firstDay);
  if (stated === null) return null;
  const weekday = weekdayOf(stated);
  const opens = Number(sections?.semester?.firstDay);
  const opening = opens >= 1 && opens <= 7 ? opens - 1 : weekday === 6 ? 6 : 0;
  return stated - ((weekday - opening + 7) % 7);
};

/** Below 1 before the term. */
export const weekAt = (day: number, first: number): number => Math.floor((day - first) / 7) + 1;

/** The same, 0 outside the weeks of the calendar. */
export const weekWithin = (day: number, first: number, weeks: number): number => {
  const week = weekAt(day, first);
  return week >= 1 && week <= weeks ? week : 0;
};

/** What the page of a student has said on a day. */
export interface StatedWeek {
  readonly week: number;
  /** `YYYY-MM-DD` */
  readonly on: string;
}

/** Week 1 as the page has it. */
export const weekOneBy = ({ week, on }: StatedWeek, first: number): number => {
  const day = dayNumber(on);
  return day === null ? first : first - 7 * (week - weekAt(day, first));
};

/** Days that are remembered: two of them may outvote the third. */
const mostStated = 3;

/** The statements of the last days, one of each, with a new one. */
export const withStated = (before: readonly StatedWeek[], now: StatedWeek): StatedWeek[] =>
  [...before.filter(({ on }) => on < now.on), now].slice(-mostStated);

/** The first day that feeds count from: another one only where the page says the same of it on two days. */
export const agreedFirstDay = (
  firstDay: string,
  stated: readonly StatedWeek[],
  sections: Pick<SectionTimes, 'semester'>,
): string => {
  const first = weekOne(firstDay, sections);
  if (first === null) return firstDay;
  const said = stated.map((each) => weekOneBy(each, first));
  const agreed = said.findLast((day, at) => said.indexOf(day) < at);
  const day = dayNumber(firstDay);
  return agreed === undefined || day === null ? firstDay : dayText(day + agreed - first);
};
