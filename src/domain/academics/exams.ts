import { byText } from '../../lib/text.ts';
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
  /** Left out if the campus states nothing of it. The admission ticket is for the student alone. */
  readonly extras?: ExamExtras;
}

export interface ExamSeat {
  readonly courseName: string;
  readonly seat: string | null;
  readonly extras?: ExamExtras;
  /** Dates (`YYYY-MM-DD`) and beginnings (`HH:MM`) in the block. */
  readonly dates: readonly string[];
  readonly times: readonly string[];
}

/** Days for which university exams are asked for, `YYYY-MM-DD`, both included. */
export interface ExamWindow {
  readonly start: string;
  readonly end: string;
}

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
  /** Sorted by date as text, so exams without a date come first; university exams before others. */
  readonly exams: readonly Exam[];
  /** Parts that could not be read; empty when the list is complete. */
  readonly missing: ReadonlyArray<{ readonly part: ExamPart; readonly failure: Failure }>;
}

const longestUnknownTerm = 270;

/**
 * Today (`YYYY-MM-DD`) until the exams of the term are over: 30 March after an autumn term, 30 September after a spring
 * term. After that day, when the campus may name the old term while it announces resits: until 30 March of next year.
 */
export const examWindow = (termCode: string, today: string): ExamWindow => {
  const [, secondYear, season] = /^\d{4}-(\d{4})-(\d+)(?:-|$)/.exec(termCode) ?? [];
  const ends: Readonly<Record<string, string>> = { '1': `${secondYear}-03-30`, '2': `${secondYear}-09-30` };
  const day = dayNumber(today);
  if (day === null) throw new Error('today is no day');
  const end = (season === undefined ? undefined : ends[season]) ?? dayText(day + longestUnknownTerm);
  return { start: today, end: end >= today ? end : `${Number(today.slice(0, 4)) + 1}-03-30` };
};

/** Names are the same in wide and narrow characters, and however they are spaced. */
const sameName = (name: string): string => name.normalize('NFKC').replace(/\s+/g, '');

const startOf = (time: string): string | null => {
  const [, hour, minute] = /(\d{1,2})[:：](\d{2})/.exec(time) ?? [];
  return hour === undefined || minute === undefined ? null : `${hour.padStart(2, '0')}:${minute}`;
};

/** `states`: the block names this day and hour. `fits`: it names no other. */
const match = (exam: Exam, block: ExamSeat): 'states' | 'fits' | 'differs' => {
  const start = startOf(exam.time);
  if (block.dates.length > 0 && !block.dates.includes(exam.date)) return 'differs';
  if (start !== null && block.times.length > 0 && !block.times.includes(start)) return 'differs';
  return block.dates.length > 0 && (start === null || block.times.length > 0) ? 'states' : 'fits';
};

/**
 * Finds the block of an exam by name, day and hour, since a name may occur twice (a resit, a part of a course).
 * A block that could belong to several is left out: a guess would send a student to another's seat.
 */
const finder = (exams: readonly Exam[], all: readonly ExamSeat[]) => {
  const blocks = Map.groupBy(all, ({ courseName }) => sameName(courseName));
  const named = Map.groupBy(exams, ({ courseName }) => sameName(courseName));
  // Counted once per block: counted for each exam, a long list of one name would cost its cube.
  const fitting = new Map(
    all.map((block) => {
      const sameNamed = named.get(sameName(block.courseName)) ?? [];
      return [block, sameNamed.filter((exam) => match(exam, block) !== 'differs').length] as const;
    }),
  );
  return (exam: Exam): ExamSeat | undefined => {
    const own = blocks.get(sameName(exam.courseName)) ?? [];
    const belongs = (block: ExamSeat): boolean => match(exam, block) !== 'differs' && fitting.get(block) === 1;
    return own.find((each) => match(exam, each) === 'states') ?? own.find(belongs);
  };
};

/** Adds the seat (as note) and the extras of its block to every exam. The extras of a block go to one exam only. */
export const withSeats = (exams: readonly Exam[], blocks: readonly ExamSeat[]): Exam[] => {
  const { seated = [], others = [] } = Object.groupBy(blocks, ({ seat }) => (seat === null ? 'others' : 'seated'));
  const seatOf = finder(exams, seated);
  const otherOf = finder(exams, others);
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

/** One list out of both sources, which names a part that failed. @throws Failure of the first when both failed */
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

export const byTimeOfDay = (exams: readonly Exam[]): Exam[] =>
  exams.toSorted((a, b) => byText(a.date, b.date) || byText(a.time, b.time));
