import type { TSchema } from '@sinclair/typebox';
import type { StatedWeek } from '../academics/term-weeks.ts';
import { allReads } from '../all-reads.ts';
import type { Capability } from '../capabilities.ts';
import { ageOf } from '../reads/decide.ts';
import { confirmRemoval } from '../reads/listed-in.ts';
import type { Reads } from '../reads/reads.ts';
import type { ReadRow, TimedValue } from '../reads/types.ts';
import type { CalendarEvent, DayOfClasses } from './types.ts';

export interface FeedSource<V> {
  readonly value: V;
  /** `""` while the current term is not known. */
  readonly term: string;
  /** Start of the reading at the campus, epoch ms. */
  readonly readAt: number;
  /** The first of the later readings that had nothing; null: there is none. */
  readonly emptySince: number | null;
}

export type FeedReading<V> = Omit<FeedSource<V>, 'emptySince'>;

export interface EventsHow {
  readonly heldOn: DayOfClasses;
  /** Of moments that another clock states. */
  readonly timeZone: string;
  readonly most: number;
}

/** All that differs by kind of calendar. */
export interface FeedKind<V> {
  readonly title: string;
  /** Shown by a calendar that has no data of this kind yet. */
  readonly missing: string;
  /** Wording for the documents. */
  readonly holds: string;
  /** Capabilities of the campus that it needs. */
  readonly needs: readonly Capability[];
  readonly reads: readonly string[];
  /** Grows when the members of the values that a feed stores mean something else; those of before are not read then. */
  readonly shape: number;
  /** What its calendars need of a stored value. A later member needs a default or may be null. */
  readonly stored: TSchema;
  /** May have more events than a calendar holds, so they come after those of the other kinds. */
  readonly many?: boolean;
  /** Reads the copies of a student. The campus is not asked. */
  read(copies: StudentCopies): Promise<FeedReading<V> | null>;
  /** The source after a reading. */
  next(source: FeedSource<V> | null, read: FeedReading<V> | null, timeZone: string): FeedSource<V> | null;
  /** Ends with what brings more than `most`. */
  events(value: V, how: EventsHow): CalendarEvent[];
  /** Names what could not be placed in the calendar, with the words to introduce it. */
  left?(value: V): readonly [words: string, names: readonly string[]];
}

interface TermNow {
  readonly code: string;
  readonly firstDay: string;
  readonly stated: readonly StatedWeek[];
}

export class StudentCopies {
  readonly #reads: Pick<Reads, 'lastCopy'>;
  readonly #userid: string;
  #term: Promise<TermNow | null> | null = null;

  constructor(reads: Pick<Reads, 'lastCopy'>, userid: string) {
    this.#reads = reads;
    this.#userid = userid;
  }

  last<V>(row: ReadRow<V>, params?: readonly string[]): Promise<TimedValue<V> | null> {
    return this.#reads.lastCopy(this.#userid, row, params);
  }

  /** The current term by the copies; looked for once. */
  term(): Promise<TermNow | null> {
    this.#term ??= this.#findTerm();
    return this.#term;
  }

  async #findTerm(): Promise<TermNow | null> {
    const facts = await this.last(allReads.currentTerm);
    if (facts === null || facts.value.code === null) return null;
    const { code, start, stated } = facts.value;
    return { code, firstDay: start.firstDay, stated };
  }
}

/** The source, as old as the reading at most: one from before a clock was set back would stay until its time. */
export const confirmSource = <V>(
  source: FeedSource<V> | null,
  read: FeedReading<V> | null,
  now: number,
): FeedSource<V> | null => {
  if (source === null || ageOf(source.readAt, now) !== null) return source;
  const readAt = read?.readAt ?? now;
  return { ...source, readAt, emptySince: source.emptySince === null ? null : Math.min(source.emptySince, readAt) };
};

/** @param losesAll whether the reading lacks all that the source has and that it should show */
export const nextSource = <V>(
  source: FeedSource<V> | null,
  read: FeedReading<V> | null,
  losesAll: (before: V, read: V) => boolean,
): FeedSource<V> | null => {
  if (read === null || (source !== null && read.readAt < source.readAt)) return source;
  if (source === null || source.term !== read.term || !losesAll(source.value, read.value))
    return { ...read, emptySince: null };
  const { since, agreed } = confirmRemoval(source.emptySince, read.readAt);
  return agreed ? { ...read, emptySince: null } : { ...source, emptySince: since };
};
