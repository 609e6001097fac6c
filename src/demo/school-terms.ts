import { dayNumber, dayText, weekdayOf } from '../lib/time.ts';

const WEEKS = 20;

export interface SchoolTerm {
  /** The year in which its academic year begins. */
  readonly year: number;
  /** 1 autumn, 2 spring. */
  readonly number: 1 | 2;
  readonly isCurrent: boolean;
  /** A Monday, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** A Sunday. */
  readonly lastDay: string;
  readonly weeks: number;
}

const mondayFrom = (day: string): number => {
  const number = dayNumber(day) ?? 0;
  return number + ((7 - weekdayOf(number)) % 7);
};

/** The term of a day and the ones before, newest first: autumn from August on, spring from February. */
export const schoolTerms = (today: string, count = 3): SchoolTerm[] => {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const newest = month >= 8 ? year * 2 : month >= 2 ? year * 2 - 1 : year * 2 - 2;
  return Array.from({ length: count }, (_, at) => {
    const half = newest - at;
    const start = Math.floor(half / 2);
    const isAutumn = half % 2 === 0;
    const first = mondayFrom(isAutumn ? `${start}-09-01` : `${start + 1}-02-20`);
    return {
      year: start,
      number: isAutumn ? 1 : 2,
      isCurrent: at === 0,
      firstDay: dayText(first),
      lastDay: dayText(first + WEEKS * 7 - 1),
      weeks: WEEKS,
    };
  });
};
