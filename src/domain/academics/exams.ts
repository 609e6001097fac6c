import { dayNumber, dayText } from '../../lib/time.ts';
import type { Failure } from '../errors.ts';
import type { ExamExtras } from './records.ts';

export interface Exam {
  readonly courseName: string;
  /** `YYYY-MM-DD`, `""` when not stated, the text of the campus where it is no date. */
  readonly date: string;
  /** `08:30-10:30`; free text for other exams. */
  readonly time: string;
  readonly location: string;
  readonly kind: 'university' | 'other';
  /** The seat of a university exam, the remark of another one. */
  readonly note: string;
  /** Left out: the campus says none of it. The admission ticket is for the student alone. */
  readonly extras?: ExamExtras;
}

/** A block of the exam page. */
export interface ExamSeat {
  readonly courseName: string;
  /** Null: it states none. */
  readonly seat: string | null;
  readonly extras?: ExamExtras;
  /** Dates (`YYYY-MM-DD`) and beginnings (`HH:MM`) that the block states. */
  readonly dates: readonly string[];
  readonly times: readonly string[];
}

/** Days from and to which university exams are asked for, `YYYY-MM-DD`, both included. */
export interface ExamWindow {
  readonly start: string;
  readonly end: string;
}

/** An answer of the campus, or why there is none. */
export type Outcome<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: Failure };

export interface ExamSources {
  readonly seats: Outcome<readonly ExamSeat[]>;
  readonly university: Outcome<readonly Exam[]>;
  readonly others: Outcome<readonly Exam[]>;
}

export type ExamPart = 'university-exams' | 'other-exams' | 'exam-seats';

export interface ExamFindings {
  /** University exams first, then the others; sorted by date as text, so those without a date come first. */
  readonly exams: readonly Exam[];
  /** Parts that could not be read; empty when the list is complete. */
  readonly missing: ReadonlyArray<{ readonly part: ExamPart; readonly failure: Failure }>;
}

const longestUnknownTerm = 270;

/**
 * Today until the end of the examinations of the term: 30 March after an autumn term, 30 September after a spring term.
 * Where that day has gone by already, until 30 March of next year, so that the window is never empty: in the vacation
 * the campus may still name the old term when resits are announced.
 * @param today `YYYY-MM-DD` at the campus
 */
export const examWindow = (termCode: string, today: string): ExamWindow => {
  const [, secondYear, season] = /^\d{4}-(\d{4})-(\d+)(?:-|$)/.exec(termCode) ?? [];
  const ends: Readonly<Record<string, string>> = { '1': `${secondYear}-03-30`, '2': `${secondYear}-09-30` };
  const day = dayNumber(today);
  if (day === null) throw new Error('today is no day');
  const end = (season === undefined ? undefined : ends[season]) ?? dayText(day + longestUnknownTerm);
  return { start: today, end: end >= today ? end : `${Number(today.slice(0, 4)) + 1}-03-30` };
};

/** The same name whether its brackets, digits and letters are wide or narrow, and however it is spaced. */
const sameName = (name: string): string => name.normalize('NFKC').replace(/\s+/g, '');

const startOf = (time: string): string | null => {
  const [, hour, minute] = /(\d{1,2})[:：](\d{2})/.exec(time) ?? [];
  return hour === undefined || minute === undefined ? null : `${hour.padStart(2, '0')}:${minute}`;
};

/** `states`: the block names this very day and hour. `fits`: it names no other. */
const match = (exam: Exam, block: ExamSeat): 'states' | 'fits' | 'differs' => {
  const start = startOf(exam.time);
  if (block.dates.length > 0 && !block.dates.includes(exam.date)) return 'differs';
  if (start !== null && block.times.length > 0 && !block.times.includes(start)) return 'differs';
  return block.dates.length > 0 && (start === null || block.times.length > 0) ? 'states' : 'fits';
};

/**
 * Finds the block of an exam. A name may stand in the list more than once (a resit, a part of a course): a block that
 * states day and hour tells which exam it belongs to. One that could belong to several is left out, because a guess would
 * send a student to another's seat.
 */
const finder = (exams: readonly Exam[], all: readonly ExamSeat[]) => {
  const blocks = Map.groupBy(all, ({ courseName }) => sameName(courseName));
  const named = Map.groupBy(exams, ({ courseName }) => sameName(courseName));
  // Counted once per block, so that a long list of one name does not cost its cube.
  const fitting = new Map(
    [...blocks].flatMap(([name, own]) =>
      own.map((block): [ExamSeat, number] => [
        block,
        (named.get(name) ?? []).filter((exam) => match(exam, block) !== 'differs').length,
      ]),
    ),
  );
  return (exam: Exam): ExamSeat | undefined => {
    const own = blocks.get(sameName(exam.courseName)) ?? [];
    const belongs = (block: ExamSeat): boolean => match(exam, block) !== 'differs' && fitting.get(block) === 1;
    return own.find((each) => match(exam, each) === 'states') ?? own.find(belongs);
  };
};

/** Puts its seat into the note of every exam, and what its block says besides into the extras; no block serves two. */
export const withSeats = (exams: readonly Exam[], blocks: readonly ExamSeat[]): Exam[] => {
  const [seated, others] = [true, false].map((wanted) => blocks.filter(({ seat }) => (seat !== null) === wanted));
  const seatOf = finder(exams, seated ?? []);
  const otherOf = finder(exams, others ?? []);
  const used = new Set<ExamSeat>();
  return exams.map((exam) => {
    const seat = seatOf(exam);
    const block = seat ?? otherOf(exam);
    if (block === undefined) return exam;
    const { extras } = used.has(block) ? {} : block;
    used.add(block);
    return {
      ...exam,
      ...(seat === undefined ? {} : { note: `座位号: ${seat.seat}` }),
      ...(extras === undefined ? {} : { extras }),
    };
  });
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * One list out of both sources. A source that failed is named, never shown as "no exams".
 * @throws Failure of the university exams when both sources failed
 */
export const mergeExams = ({ seats, university, others }: ExamSources): ExamFindings => {
  if (university.failure && others.failure) throw university.failure;
  const exams = [...withSeats(university.value ?? [], seats.value ?? []), ...(others.value ?? [])];
  const parts = [
    ['university-exams', university],
    ['other-exams', others],
    ['exam-seats', seats],
  ] as const;
  return {
    exams: exams.toSorted((a, b) => byText(a.date, b.date)),
    missing: parts.flatMap(([part, { failure }]) => (failure === undefined ? [] : [{ part, failure }])),
  };
};

/** The same exams, those of one day by their time as text. */
export const byTimeOfDay = (exams: readonly Exam[]): Exam[] =>
  exams.toSorted((a, b) => byText(a.date, b.date) || byText(a.time, b.time));
