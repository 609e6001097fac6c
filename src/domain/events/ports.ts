import type { EventAbout, EventType } from './records.ts';

/** Marks, times and places: what a reading says of an event beside names. */
export type EventDetail = Readonly<Record<string, string | number | boolean | null>>;

/** News about a student, before it has a place in the journal. */
export interface NewEvent {
  readonly type: EventType;
  /** Start of the reading at the campus that showed it, epoch ms; null: no reading did. */
  readonly readAt: number | null;
  /** Names and ids, never a mark: all that a thin event tells. */
  readonly about: EventAbout;
  /** Path of the read that shows it, e.g. `/exams`; null: there is none. */
  readonly ask: string | null;
  /** Told by a full event besides. */
  readonly detail: EventDetail;
}

/** An event in the journal of its student. */
export interface JournalEntry extends NewEvent {
  readonly userid: string;
  /** 1 for the student's first event, and one more for each that follows. */
  readonly seq: number;
  /** The same in every place that tells the event: `evt_` and 22 characters. */
  readonly id: string;
  /** When we saw it, epoch ms. */
  readonly occurredAt: number;
  /** Tells the account from one that had the same id before; left out where the entry was read back. */
  readonly account?: number;
}

export interface JournalPage {
  /** In the order of `seq`. */
  readonly entries: readonly JournalEntry[];
  /** To be sent as `after` the next time. */
  readonly next: number;
  /** Events between `after` and these are kept no more. */
  readonly gap: boolean;
  /** Tells the account from one that had the same id before; 0: there is none. */
  readonly account: number;
}

export const journalLimits = {
  /** Of one student. */
  entries: 200,
  ageMs: 30 * 86_400_000,
  /** Of what is known of a read, since it was last read. */
  knownMs: 400 * 86_400_000,
};

/** Called after the commit, with what one transaction has appended for one student, in the order of `seq`. */
export type AppendListener = (entries: readonly JournalEntry[]) => void;

/** The events of every student over all replicas. They go with the account. */
export interface EventJournal {
  /**
   * Appends in one transaction, together with what the outbox makes of it; the listeners hear of it afterwards.
   * @returns the entries; empty when there is no such student
   */
  append(userid: string, events: readonly NewEvent[]): Promise<readonly JournalEntry[]>;
  /** At most `limit` entries behind `after`; null: from the oldest there is. An `after` that never was is a gap. */
  page(userid: string, after: number | null, limit: number): Promise<JournalPage>;
  /** The events of these students since `since`, in the order of student and `seq`. */
  recent(since: number, userids: readonly string[]): Promise<readonly JournalEntry[]>;
  /** Of the tokens that are good at `now`, by their hashes: the last `seq` of their students. One statement. */
  lastByToken(hashes: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
  /** Hears of what this process appends, readings included. Returns how to stop. */
  onAppended(listener: AppendListener): () => void;
}

/** Remembers an item that may vanish or change: names, days and places, never a mark. */
export type Kept = Readonly<Record<string, string>>;

/** One thing that a reading shows. */
export interface Item {
  /** Tells it from all others of its scope, at any position in the list. */
  readonly key: string;
  /** Its content: another text is a change. */
  readonly content: string;
  readonly keep?: Kept;
  /** It is still there if it was, and no news if it was not. */
  readonly onlyIfKnown?: boolean;
}

/** The differences of one reading from the ones before. */
export interface Found<I extends Item> {
  readonly added: I[];
  readonly changed: Array<{ readonly item: I; readonly before: Kept | null }>;
  /** As the items were remembered. */
  readonly gone: Kept[];
}

/** An event before it is known which reading showed it. */
export type EventDraft = Omit<NewEvent, 'readAt'>;

/** The part of a reading that is compared with what is known under one scope. */
export interface NewsPart<I extends Item = Item> {
  /** Names what is remembered, of one student. */
  readonly scope: string;
  /** Several reads may show the same: the words of each are compared with its own. */
  readonly source: string;
  /**
   * Says what becomes of items that a reading does not show any more: `kept` in mind, so that it is never news again; forgotten `at once`; or gone,
   * once a second reading has `agreed`.
   */
  readonly vanished: 'kept' | 'at once' | 'agreed';
  readonly items: readonly I[];
  tell(found: Found<I>): readonly EventDraft[];
}

/** The circumstances that the events of a reading depend on, beside its value. */
interface EventReading {
  readonly params: readonly string[];
  /** Its subject, where the parameters do not tell it. */
  readonly about: EventAbout;
  /** Of the reading, `YYYY-MM-DD` at the campus. */
  readonly today: string;
  /** In kWh, of the hooks of the student. */
  readonly thresholds: readonly number[];
}

/**
 * Lists what a read shows, so that a change becomes an event. Pure. Null: the value is not whole, and nothing can be
 * compared with it.
 */
export type ReadEvents<V> = (value: V, reading: EventReading) => readonly NewsPart[] | null;
