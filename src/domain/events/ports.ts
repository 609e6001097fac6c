import { DAY_MS } from '../../lib/time.ts';
import type { EventAbout, EventType } from './records.ts';

/** Marks, times and rooms. */
export type EventDetail = Readonly<Record<string, string | number | boolean | null>>;

/** An event before it is in the journal. */
export interface NewEvent {
  readonly type: EventType;
  /** Start of the reading at the campus that showed it, epoch ms; null: no reading did. */
  readonly readAt: number | null;
  readonly about: EventAbout;
  /** Path of the read that shows it, such as `/exams`; null: none does. */
  readonly ask: string | null;
  /** Sent only in full events. */
  readonly detail: EventDetail;
}

/** An event in the journal of its student. */
export interface JournalEntry extends NewEvent {
  readonly userid: string;
  /** From 1, without gaps, per student. */
  readonly seq: number;
  /** The same in lists, streams and hooks: `evt_` and 22 characters. */
  readonly id: string;
  /** When we saw it, epoch ms. */
  readonly occurredAt: number;
  /** See `JournalPage`; left out if the entry was read from storage. */
  readonly account?: number;
}

export interface JournalPage {
  /** Sorted by `seq`. */
  readonly entries: readonly JournalEntry[];
  /** The next `after`. */
  readonly next: number;
  /** Events between `after` and these have been swept. */
  readonly gap: boolean;
  /** Tells the account from an earlier one with the same id; 0: there is none. */
  readonly account: number;
}

export const journalLimits = {
  /** Most entries per student. */
  entries: 200,
  ageMs: 30 * DAY_MS,
  /** How long what is known of a read is kept after its last reading. */
  knownMs: 400 * DAY_MS,
};

/** Called after the commit with the events of one student that one transaction has appended, in the order of `seq`. */
export type AppendListener = (entries: readonly JournalEntry[]) => void;

/** Appends to the events of every student over all replicas. They go with the account. */
export interface EventJournal {
  /**
   * Appends in one transaction, together with the deliveries to hooks, and tells the listeners afterwards.
   * @returns the entries; empty when there is no such student
   */
  append(userid: string, events: readonly NewEvent[]): Promise<readonly JournalEntry[]>;
  /** Listens to what this process appends, readings included. Returns a function that stops it. */
  onAppended(listener: AppendListener): () => void;
}

export interface EventStore {
  /** Returns at most `limit` entries after `after`, from the oldest if null. An `after` that never existed is a gap. */
  page(userid: string, after: number | null, limit: number): Promise<JournalPage>;
  /** The events of these students since `since`, in the order of student and `seq`. */
  recent(since: number, userids: readonly string[]): Promise<readonly JournalEntry[]>;
  /** The last `seq` of the student of each token valid at `now`, keyed by token hash. One statement. */
  lastByToken(hashes: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
}

/** Names, days and rooms of an item that may vanish or change, never a mark. */
export type Kept = Readonly<Record<string, string>>;

export interface Item {
  /** Its identity within the scope, at any position in the list. */
  readonly key: string;
  /** Another text is a change. */
  readonly content: string;
  readonly keep?: Kept;
  /** It keeps a known item, and an unknown one is no news. */
  readonly onlyIfKnown?: boolean;
}

/** The differences of a reading from those before. */
export interface ItemDifferences<I extends Item> {
  readonly added: I[];
  readonly changed: Array<{ readonly item: I; readonly before: Kept | null }>;
  readonly gone: Kept[];
}

/** An event without its reading. */
export type EventDraft = Omit<NewEvent, 'readAt'>;

/** The part of a reading that is compared with what is known under one scope. */
export interface NewsPart<I extends Item = Item> {
  readonly scope: string;
  /** Several reads may show the same item: each is compared with its own content. */
  readonly source: string;
  /**
   * Items that a reading does not show any more stay known (`kept`), so that they are never news again, are forgotten `at
   * once`, or are gone once a second reading has `agreed`.
   */
  readonly vanished: 'kept' | 'at once' | 'agreed';
  readonly items: readonly I[];
  tell(found: ItemDifferences<I>): readonly EventDraft[];
}

/** Events of a reading depend on this beside its value. */
interface EventReading {
  readonly params: readonly string[];
  /** Its subject, where the parameters do not say it. */
  readonly about: EventAbout;
  /** Day of the reading, `YYYY-MM-DD` at the campus. */
  readonly today: string;
  /** Thresholds of the student's hooks, in kWh. */
  readonly thresholds: readonly number[];
}

/**
 * Lists what a read shows, so that a change becomes an event. Pure. Null: the value is not whole, and nothing can be
 * compared with it.
 */
export type ReadEvents<V> = (value: V, reading: EventReading) => readonly NewsPart[] | null;
