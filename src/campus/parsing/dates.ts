import { dayNumber } from '../../lib/calendar-day.ts';

const two = (digits: string): string => digits.padStart(2, '0');

/** The spellings of the campus: `2026-01-09`, `2026/1/9`, `2026.1.9`, `2026年1月9日` and `20260109`. */
const spelling = /(?<!\d)(?:(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)|(\d{4})(\d{2})(\d{2})(?!\d))/g;

/** Every real date in a text, as `YYYY-MM-DD`, in order. */
export const datesIn = (text: string): string[] =>
  [...text.matchAll(spelling)].flatMap(([, y1, m1, d1, y2, m2, d2]) => {
    const date = `${y1 ?? y2}-${two(m1 ?? m2 ?? '')}-${two(d1 ?? d2 ?? '')}`;
    return dayNumber(date) === null ? [] : [date];
  });

/** The first date of a text as `YYYY-MM-DD`; the text itself where it holds none. */
export const isoDateOr = (text: string): string => datesIn(text)[0] ?? text;

/** One time of day, or a span of which only the beginning is taken: where one exam ends the next one may begin. */
const span = /(?<!\d)(\d{1,2})[:：](\d{2})(?!\d)(?:\s?[-~—–～至到]{1,2}\s?\d{1,2}[:：]\d{2}(?!\d))?/g;

/** When the things that a text speaks of begin, as `HH:MM`, in order. */
export const startTimesIn = (text: string): string[] =>
  [...text.matchAll(span)].map(([, hour, minute]) => `${two(hour ?? '')}:${minute}`);
