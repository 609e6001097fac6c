import { weekInSeason } from './calendar.ts';

interface Slot {
  readonly day: number;
  readonly first: number;
  readonly count: number;
}

/**
 * A course of a programme and the one class of it that the programme's students attend: every page that shows the
 * course reads it from here.
 */
export interface DemoCourse {
  /** Year of study and season in which the programme has it; null where none of its students ever chose it. */
  readonly when: { readonly year: number; readonly season: number } | null;
  readonly part: string;
  readonly code: string;
  readonly sequence: string;
  readonly name: string;
  readonly english: string;
  readonly credits: number;
  readonly hours: number;
  readonly nature: string;
  readonly exam: string;
  /** The faculty examines it itself, in its last class. */
  readonly isTested: boolean;
  /** The first one is in charge. */
  readonly teachers: readonly string[];
  /** Of its term: from, to, every how many; null for a course without a time. */
  readonly weeks: readonly [from: number, to: number, step: number] | null;
  readonly slots: readonly Slot[];
  readonly room: string;
  /** Score, retake and make-up, each empty where there is none. */
  readonly marks: readonly [score: string, retake: string, makeup: string];
}

/** Where a course has no timetable. */
const HOURS_PER_CREDIT = 16;
const SEASONS = ' abc';

const slotOf = (text: string): Slot => {
  const [day = 0, first = 0, last = 0] = text.split(/[.-]/).map(Number);
  return { day, first, count: last - first + 1 };
};

const weeksOf = (text: string, season: number): DemoCourse['weeks'] => {
  if (text === '') return null;
  const [from = 0, to = 0, step = 1] = text.split(/[-/]/).map(Number);
  return [weekInSeason(season, from), weekInSeason(season, to), step];
};

/** A teaching hour is a session. 0 for a course without a timetable. */
const sessionsOf = (weeks: DemoCourse['weeks'], slots: readonly Slot[]): number => {
  if (weeks === null) return 0;
  const [from, to, step] = weeks;
  return (Math.floor((to - from) / step) + 1) * slots.reduce((sum, { count }) => sum + count, 0);
};

/**
 * Reads a table, one course a line: term of the studies (`3b`: the spring of the third year), part of the plan, class,
 * name, English name, credits, nature, exam (`考查+`: tested in class), teachers, weeks (`2-18/2`: even ones),
 * sessions (`1.3-4`: the third and fourth on Monday), room, marks (`52//63`: 63 in the make-up).
 * @param prefix of every course code; year, season and number follow
 */
export const courseTable = (prefix: string, text: string): readonly DemoCourse[] => {
  const numbers = new Map<string, number>();
  return text
    .trim()
    .split('\n')
    .map((line): DemoCourse => {
      const [term = '', part = '', sequence = '', name = '', english = '', credits, nature = '', ...more] =
        line.split('|');
      const [exam = '', teachers = '', weeks = '', slots = '', room = '', marks = ''] = more;
      const [score = '', retake = '', makeup = ''] = marks.split('/');
      const number = (numbers.get(term) ?? 0) + 1;
      numbers.set(term, number);
      const when = term === '-' ? null : { year: Number(term[0]), season: SEASONS.indexOf(term[1] ?? '') };
      const [taught, places] = [weeksOf(weeks, when?.season ?? 1), slots === '' ? [] : slots.split(' ').map(slotOf)];
      return {
        when,
        part,
        code: `${prefix}${when?.year ?? 9}20${when?.season ?? 9}${String(number).padStart(3, '0')}`,
        sequence,
        name,
        english,
        credits: Number(credits),
        hours: sessionsOf(taught, places) || Number(credits) * HOURS_PER_CREDIT,
        nature,
        exam: exam.replace('+', ''),
        isTested: exam.endsWith('+'),
        teachers: teachers.split(','),
        weeks: taught,
        slots: places,
        room,
        marks: [score, retake, makeup],
      };
    });
};
