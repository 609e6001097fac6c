import type { NewEvent } from './ports.ts';
import type { EventAbout } from './records.ts';

/** What an item is remembered by where it may vanish or change: names, days and places, never a mark. */
export type Kept = Readonly<Record<string, string>>;

/** One thing that a reading shows. */
export interface Item {
  /** Tells it from all others of its scope, wherever it stands in the list. */
  readonly key: string;
  /** What it says: another text is a change. */
  readonly content: string;
  readonly keep?: Kept;
  /** It is still there if it was, and no news if it was not. */
  readonly onlyIfKnown?: boolean;
}

/** What one reading shows that the ones before did not. */
export interface Found<I extends Item> {
  readonly added: I[];
  readonly changed: Array<{ readonly item: I; readonly before: Kept | null }>;
  /** As the items were remembered. */
  readonly gone: Kept[];
}

/** An event before it is known which reading showed it. */
export type Tale = Omit<NewEvent, 'readAt'>;

/** What a reading says under one scope, which is compared with what is known there. */
export interface NewsPart<I extends Item = Item> {
  /** Names what is remembered, of one student. */
  readonly scope: string;
  /** Several reads may show the same: the words of each are compared with its own. */
  readonly source: string;
  /**
   * What a reading does not show any more: `kept` in mind, so that it is never news again; forgotten `at once`; or gone,
   * once a second reading has `agreed`.
   */
  readonly vanished: 'kept' | 'at once' | 'agreed';
  readonly items: readonly I[];
  tell(found: Found<I>): readonly Tale[];
}

/** What the events of a reading depend on beside its value. */
export interface EventReading {
  readonly params: readonly string[];
  /** What it is about, where the parameters do not tell. */
  readonly about: EventAbout;
  /** Of the reading, `YYYY-MM-DD` at the campus. */
  readonly today: string;
  /** In kWh, of the hooks of the student. */
  readonly thresholds: readonly number[];
}

/**
 * What the value of a read shows, for the events that follow from how it differs from what was known. Pure. Null: it is
 * not all of what it is of, and nothing can be compared with it.
 */
export type ReadEvents<V> = (value: V, reading: EventReading) => readonly NewsPart[] | null;
