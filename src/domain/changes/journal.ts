import { randomToken } from '../../lib/hash.ts';
import type { Clock } from '../../lib/time.ts';
import {
  type AppendListener,
  type EventJournal,
  type JournalEntry,
  journalLimits,
  type NewEvent,
} from '../events/ports.ts';
import { eventBody, isWantedEvent } from '../hooks/message.ts';
import type { Hook } from '../hooks/ports.ts';
import type { MeasuredCopy } from '../reads/copy-limits.ts';
import type { CopyKey, CopyState, CopyToKeep } from '../reads/ports.ts';

type CopyName = Pick<CopyKey, 'read' | 'params'>;

/** The rows of one student within a transaction. */
export interface StudentRows {
  /** `text`: null where it cannot be opened. */
  copy(like: CopyToKeep): Promise<(CopyState & { readonly text: () => string | null }) | null>;
  putCopy(copy: CopyToKeep): Promise<void>;
  touchCopy(name: CopyName, readAt: number): Promise<void>;
  copySizes(): Promise<ReadonlyArray<Omit<MeasuredCopy, 'used'>>>;
  copiesOfFeeds(): Promise<readonly CopyName[]>;
  dropCopy(name: CopyName): Promise<void>;
  /** By scope; null: it cannot be opened. */
  known(scopes: readonly string[], onlyInDoubt: boolean): Promise<ReadonlyMap<string, string | null>>;
  putKnown(scope: string, text: string, inDoubt: boolean, readAt: number): Promise<void>;
  /** Leaves the newest. */
  trimKnown(most: number): Promise<void>;
  /** Returns the number of the last of them, and the account; null: there is no such student. */
  numberEvents(count: number): Promise<{ readonly last: number; readonly account: number } | null>;
  putEvents(entries: readonly JournalEntry[]): Promise<void>;
  dropEvents(upTo: number): Promise<void>;
  hooks(): Promise<ReadonlyArray<Omit<Hook, 'url'>>>;
  putDeliveries(hook: string, messages: ReadonlyArray<{ entry: JournalEntry; body: string }>): Promise<void>;
  /** Gives up the oldest of those that wait. */
  trimDeliveries(hook: string, most: number): Promise<void>;
  /** False: there is no such pair, or it was refused before. Device trust ends with it. */
  refusePair(version: number, step: string): Promise<boolean>;
}

export interface StudentChange {
  readonly operation: string;
  readonly userid: string;
  /** Locks the row of the student first; with a generation only where it is still that one. Left out: counting does. */
  readonly lock?: { readonly generation?: number };
  /** It may be lost when the machine fails. */
  readonly isUnsynced?: boolean;
}

/** The one transaction in which something of a student changes. Null: there is no such student. */
export interface StudentRowStore {
  change<T>(change: StudentChange, work: (rows: StudentRows) => Promise<T>): Promise<T | null>;
}

/** Deliveries that wait at one hook; the oldest beyond these are given up. */
const MOST_WAITING = 500;

interface JournalDeps {
  readonly students: StudentRowStore;
  readonly clock: Clock;
  readonly timeZone: string;
}

/** Stores events with the change that they tell, and what hooks deliver of them. */
export class Journal implements EventJournal {
  readonly #deps: JournalDeps;
  readonly #listeners = new Set<AppendListener>();

  constructor(deps: JournalDeps) {
    this.#deps = deps;
  }

  /** Makes a change and appends its events, or neither; tells the listeners after the commit. */
  async change(
    change: StudentChange,
    work: (rows: StudentRows) => Promise<readonly NewEvent[]>,
  ): Promise<readonly JournalEntry[]> {
    const entries =
      (await this.#deps.students.change(change, async (rows) => this.#append(rows, change, await work(rows)))) ?? [];
    if (entries.length > 0) for (const listener of this.#listeners) listener(entries);
    return entries;
  }

  append(userid: string, events: readonly NewEvent[]): Promise<readonly JournalEntry[]> {
    return this.change({ operation: 'append events', userid }, async () => events);
  }

  onAppended(listener: AppendListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #append(
    rows: StudentRows,
    { userid }: StudentChange,
    events: readonly NewEvent[],
  ): Promise<readonly JournalEntry[]> {
    const numbered = events.length === 0 ? null : await rows.numberEvents(events.length);
    if (numbered === null) return [];
    const { last, account } = numbered;
    const { clock, timeZone } = this.#deps;
    const occurredAt = clock.now();
    const entries = events.map((event, at): JournalEntry => {
      const id = `evt_${randomToken().slice(0, 22)}`;
      return { ...event, userid, seq: last - events.length + 1 + at, id, occurredAt, account };
    });
    await rows.putEvents(entries.slice(-journalLimits.entries));
    await rows.dropEvents(last - journalLimits.entries);
    for (const hook of await rows.hooks()) {
      const takes = ({ type }: JournalEntry): boolean => hook.state === 'on' || type === 'test.ping';
      const wanted = entries.filter((entry) => takes(entry) && isWantedEvent(hook, entry)).slice(-MOST_WAITING);
      if (wanted.length === 0) continue;
      const bodyOf = (entry: JournalEntry): string => eventBody(entry, hook.detail, timeZone);
      const messages = wanted.map((entry) => ({ entry, body: bodyOf(entry) }));
      await rows.putDeliveries(hook.id, messages);
      await rows.trimDeliveries(hook.id, MOST_WAITING);
    }
    return entries;
  }
}
