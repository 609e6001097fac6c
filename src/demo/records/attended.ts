import { type DemoTerm, endOf, type Present, termIn, weekOf } from './calendar.ts';
import type { DemoCourse } from './courses.ts';
import type { Programme } from './programmes.ts';
import { timeSpan } from './sections.ts';

/** A course in the term in which the student attends it. */
export interface Attended {
  readonly course: DemoCourse;
  readonly term: DemoTerm;
  /** Day and hours of its exam; without one, the day on which it is assessed. */
  readonly examDay: number;
  readonly examTime: string;
  readonly isPublished: boolean;
}

const FIRST_ENTRY = 2023;
const YEARS_SHOWN = 2;
const THIRD_YEAR = 2;

/** A student is followed through two years; then another one takes the number. */
export const entryOf = ({ year }: DemoTerm): number =>
  FIRST_ENTRY + YEARS_SHOWN * Math.floor((year - FIRST_ENTRY - THIRD_YEAR) / YEARS_SHOWN);

const DAYS_UNTIL_PUBLISHED = 3;
const EXAM_HOURS = ['08:30-10:30', '14:00-16:00', '18:30-20:30'] as const;
const SUNDAY = 6;

/** The week after the last class; where the term ends with it, its last Sunday. */
const examDayOf = ({ exam, slots, weeks }: DemoCourse, term: DemoTerm): number => {
  const [, last] = weeks ?? [1, term.weeks];
  const weekday = (slots[0]?.day ?? SUNDAY + 1) - 1;
  const isAfter = exam === '考试';
  const week = isAfter ? Math.min(last + 1, term.weeks) : last;
  return term.firstDay + (week - 1) * 7 + (isAfter && last === term.weeks ? SUNDAY : weekday);
};

/** Whether classes of the course are held on that day at a time that meets those hours. */
const meets = ({ weeks, slots }: DemoCourse, term: DemoTerm, day: number, hours: string): boolean => {
  const [from, to, step] = weeks ?? [0, 0, 1];
  const week = weekOf(day, term);
  const isHeld = week >= from && week <= to && (week - from) % step === 0;
  const weekday = ((day - term.firstDay) % 7) + 1;
  const [begin = '', end = ''] = hours.split('-');
  return (
    isHeld &&
    slots.some((slot) => {
      const [classBegin = '', classEnd = ''] = timeSpan(slot).split('-');
      return slot.day === weekday && classBegin < end && classEnd > begin;
    })
  );
};

export const listAttended = ({ courses }: Programme, { term: current, today }: Present): readonly Attended[] => {
  const entry = entryOf(current);
  const taken = new Set<string>();
  return courses.flatMap((course): Attended[] => {
    const { when } = course;
    if (when === null) return [];
    const term = termIn(entry + when.year - 1, when.season);
    if (term.firstDay > current.firstDay) return [];
    const examDay = examDayOf(course, term);
    const beside = courses.filter((each) => each.when?.year === when.year && each.when.season === when.season);
    // At the first hours of that day that neither a class nor another exam has.
    const examTime =
      EXAM_HOURS.find(
        (hours) => !taken.has(`${examDay} ${hours}`) && !beside.some((each) => meets(each, term, examDay, hours)),
      ) ?? '';
    if (course.exam === '考试') taken.add(`${examDay} ${examTime}`);
    const isPublished = today >= Math.min(examDay + DAYS_UNTIL_PUBLISHED, endOf(term));
    return [{ course, term, examDay, examTime, isPublished }];
  });
};

const WORDS: ReadonlyMap<string, number> = new Map([
  ['优秀', 95],
  ['良好', 85],
]);

/** The mark that counts: the best of the three. */
export const markOf = ({ marks }: DemoCourse): string =>
  marks.reduce((best, mark) => (Number(mark) > Number(best) ? mark : best));

/** A mark as a number; null for a word without one. */
export const numberOf = (course: DemoCourse): number | null => {
  const mark = markOf(course);
  const value = WORDS.get(mark) ?? Number(mark);
  return Number.isFinite(value) ? value : null;
};

export const hasPassed = (course: DemoCourse): boolean => (numberOf(course) ?? 100) >= 60;

const GRADES: readonly (readonly [least: number, point: number])[] = [
  [90, 4],
  [85, 3.7],
  [82, 3.3],
  [78, 3],
  [75, 2.7],
  [72, 2.3],
  [68, 2],
  [64, 1.5],
  [60, 1],
];

/** Null for a mark that does not count among the grade points. */
export const gradePointOf = (course: DemoCourse): number | null => {
  const mark = numberOf(course);
  return mark === null ? null : (GRADES.find(([least]) => mark >= least)?.[1] ?? 0);
};

/** Weighted by credits, with two decimals. */
export const averageOf = (courses: readonly DemoCourse[], figure: (course: DemoCourse) => number | null): number => {
  const counted = courses.flatMap((course) => {
    const value = figure(course);
    return value === null ? [] : [{ value, credits: course.credits }];
  });
  const credits = counted.reduce((sum, each) => sum + each.credits, 0);
  const sum = counted.reduce((total, each) => total + each.value * each.credits, 0);
  return credits === 0 ? 0 : Math.round((sum / credits) * 100) / 100;
};
