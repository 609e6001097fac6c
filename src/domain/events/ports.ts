import type { EventAbout } from './records.ts';
import type { EventType } from './types.ts';

/** What a reading says of an event beside names: marks, times, places. */
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
  /** What a full event tells besides. */
  readonly detail: EventDetail;
}

/** An event in the journal of its student. */
export interface JournalEntry extends NewEvent {
  readonly userid: string;
  /** 1 for the student's first event, and one more for each that follows. */
  readonly seq: number;
  /** The same wherever the event is told: `evt_` and 22 characters. */
  readonly id: string;
  /** When we saw it, epoch ms. */
  readonly occurredAt: number;
}

export interface JournalPage {
  /** In the order of `seq`. */
  readonly entries: readonly JournalEntry[];
  /** To be sent as `after` the next time. */
  readonly next: number;
  /** Events between `after` and these are kept no more. */
  readonly gap: boolean;
}

export const journalLimits = {
  /** Of one student. */
  entries: 200,
  ageMs: 30 * 86_400_000,
  /** What was known of a read, since it was last read. */
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
  /** The last `seq` of each student who has had an event since `since` (epoch ms). One statement. */
  latestSince(since: number): Promise<ReadonlyArray<{ readonly userid: string; readonly seq: number }>>;
  /** What these students have had since `since`, in the order of student and `seq`. */
  recent(since: number, userids: readonly string[]): Promise<readonly JournalEntry[]>;
  /** Of the tokens that are good at `now`, by their hashes: the last `seq` of their students. */
  lastByToken(hashes: readonly string[], now: number): Promise<ReadonlyMap<string, number>>;
  /** Hears of what this process appends, readings included. Returns how to stop. */
  onAppended(listener: AppendListener): () => void;
}
