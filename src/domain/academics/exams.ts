import { inCampusTime, isZoned, timesIn } from '../../lib/moments.ts';
import { byText } from '../../lib/text.ts';
import { dayNumber, dayText } from '../../lib/time.ts';
import type { Failure } from '../errors.ts';
import { unsaidOf } from '../record.ts';
import { ExamExtras } from './records.ts';

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

/** A moment by another clock becomes day and hour of the campus. A day without an hour is often written as midnight. */
export const atCampus = (exam: Exam, timeZone: string): Exam => {
  if (!isZoned(exam.date)) return exam;
  const [date = '', hour = ''] = inCampusTime(exam.date, timeZone).split(' ');
  const begin = hour.slice(0, 5);
  return { ...exam, date, time: exam.time || (begin === '00:00' ? '' : begin) };
};

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

/** Begins the note of an exam whose seat is known. */
const seatPrefix = '座位号: ';

/** Names are the same in wide and narrow characters, and however they are spaced. */
const sameName = (name: string): string => name.normalize('NFKC').replace(/\s+/g, '');

/** `HH:MM`; null for none, and for one in doubt. */
const startOf = (time: string): string | null => timesIn(time)?.from.slice(0, 5) ?? null;

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
      ...(seat === undefined ? {} : { note: `${seatPrefix}${seat.seat}` }),
      ...(extras === undefined ? {} : { extras }),
    };
  });
};

const seatOfNote = (note: string): string | null => /座位号\s?[:：]\s?([^，,；;\s]+)/.exec(note)?.[1] ?? null;

/** One says nothing, or both say the same. */
const agree = (one: string | null, other: string | null): boolean => {
  const [a, b] = [sameName(one ?? ''), sameName(other ?? '')];
  return a === '' || b === '' || a.endsWith(b) || b.endsWith(a);
};

const isSame = (one: Exam, other: Exam): boolean => {
  const [begin, otherBegin] = [startOf(one.time), startOf(other.time)];
  if (begin === null || begin !== otherBegin || dayNumber(one.date) === null || one.date !== other.date) return false;
  if (sameName(one.courseName) !== sameName(other.courseName)) return false;
  const [seat, otherSeat] = [seatOfNote(one.note), seatOfNote(other.note)];
  return agree(one.location, other.location) && (seat === null || otherSeat === null || seat === otherSeat);
};

const unsaidOfExtras = unsaidOf(ExamExtras);

/** What each of two entries of one exam knows; the longer place says more. */
const combine = (one: Exam, other: Exam): Exam => {
  const seat = seatOfNote(one.note) ?? seatOfNote(other.note);
  const known = one.extras ?? other.extras;
  // A seat goes before a remark, which then is a hint.
  const hint = seat === null ? '' : other.note;
  const extras = hint === '' || known?.hint ? known : { ...(known ?? unsaidOfExtras), hint };
  return {
    ...one,
    location: other.location.length > one.location.length ? other.location : one.location,
    time: timesIn(one.time)?.to === null && timesIn(other.time)?.to ? other.time : one.time,
    note: seat === null ? one.note || other.note : `${seatPrefix}${seat}`,
    ...(extras === undefined ? {} : { extras }),
  };
};

/** The exams of both lists; one that stands in both is shown once. */
const mergeRepeats = (university: readonly Exam[], others: readonly Exam[]): Exam[] => {
  const used = new Set<Exam>();
  const byName = Map.groupBy(others, ({ courseName }) => sameName(courseName));
  const merged = university.map((exam) => {
    const same = (byName.get(sameName(exam.courseName)) ?? []).find((other) => !used.has(other) && isSame(exam, other));
    if (same === undefined) return exam;
    used.add(same);
    return combine(exam, same);
  });
  return [...merged, ...others.filter((exam) => !used.has(exam))];
};

/** One list out of both sources, which names a part that failed. @throws Failure of the first when both failed */
export const mergeExams = ({ seats, university, others }: ExamSources): ExamFindings => {
  if (university.failure && others.failure) throw university.failure;
  const exams = mergeRepeats(withSeats(university.value ?? [], seats.value ?? []), others.value ?? []);
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
