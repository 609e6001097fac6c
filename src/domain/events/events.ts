import { setImmediate } from 'node:timers/promises';
import { Loop } from '../../lib/loop.ts';
import type { Clock } from '../../lib/time.ts';
import type { Log, Student } from '../context.ts';
import { asFailure, failures } from '../errors.ts';
import { limitFailure, limits } from '../limits.ts';
import type { EventJournal, EventStore, JournalEntry, JournalPage } from './ports.ts';

/** `closing`: the service ends. `token`: the token is no longer valid. `slow`: the reader reads too slowly. */
export type Goodbye = 'closing' | 'token' | 'slow';

/** The other end of a stream. Its methods never throw. */
export interface EventSink {
  event(entry: JournalEntry): void;
  /** The next event follows this `seq`, which a returning reader names. */
  at(seq: number): void;
  /** Tells that events were swept before they could be sent; the remaining ones follow. */
  gap(): void;
  comment(): void;
  end(goodbye: Goodbye): void;
  /** Characters that wait to be read. */
  readonly waiting: number;
}

interface ChangeEventsDeps {
  readonly journal: Pick<EventJournal, 'onAppended'>;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Streams of this process, over all students. */
  readonly most: number;
  /** False where no copies are kept, since changes are seen by them. */
  readonly offered: boolean;
}

const PAGE = 100;
/** Students whose events are sent before other work of the process has a turn. */
const SENT_AT_ONCE = 100;
const MOST_WAITING = 256 * 1024;
const TICK_MS = 1_000;
/** In ticks, which are seconds. */
const COMMENT_EVERY = 25;
const LOOK_MS = 2_000;
/** Allows for clocks that differ and slow transactions; older events are read from the journal. */
const LOOK_BACK_MS = 30_000;
const RETRY_SECONDS = 60;
/** Retry time where no copies are kept: asking sooner does not help. */
const OFF_SECONDS = 3_600;

interface Stream {
  readonly userid: string;
  readonly tokenHash: string;
  readonly sink: EventSink;
  /** Spreads the comments of all streams over their period: 5,000 at once would hold up every call. */
  readonly beat: number;
  /** The account that it belongs to; null until the journal was read. */
  account: number | null;
  /** `seq` of the last event that was sent. */
  last: number;
  /** The journal is being read for it. */
  isReading: boolean;
  /** Events were appended that it has not read. */
  isStale: boolean;
  isOpen: boolean;
}

/**
 * Change events of a student, and the streams of this process. Reading throws `feeds-off` where no copies are kept.
 */
export class EventStreams {
  readonly #deps: ChangeEventsDeps;
  readonly #streams = new Map<string, Set<Stream>>();
  readonly #stopListening: () => void;
  #open = 0;
  #made = 0;
  #tick = 0;
  #stopTicking = (): void => {};
  #isClosed = false;
  readonly #looking: Loop;

  constructor(deps: ChangeEventsDeps) {
    this.#deps = deps;
    this.#looking = new Loop({
      ...{ failed: 'event streams have to wait', everyMs: LOOK_MS, afterMs: LOOK_MS, clock: deps.clock, log: deps.log },
      body: () => this.#look(),
    });
    this.#stopListening = deps.journal.onAppended((entries) => this.#tellStreams(entries));
  }

  get open(): number {
    return this.#open;
  }

  /** Returns at most `limit` events after `after`, from the oldest if null. */
  async page({ userid }: Student, after: number | null, limit: number): Promise<JournalPage> {
    this.#checkOffered();
    return this.#deps.store.page(userid, after, limit);
  }

  /**
   * Sends all events after `after`; null: those from now on. Returns a function that ends the stream.
   * @throws Failure `rate-limited` where the student has as many as there may be, `overloaded` where the service has
   */
  async stream(student: Student, after: number | null, sink: EventSink): Promise<() => void> {
    const stream = this.#enter(student, after, sink);
    try {
      if (after === null) await this.#beginNow(stream);
      else await this.#catchUp(stream);
    } catch (error) {
      this.#leave(stream);
      throw error;
    }
    return () => this.#leave(stream);
  }

  /** Ends the streams of tokens that have ended here at once; other processes see it with their next look. */
  tokensEnded(): void {
    if (this.#open > 0) this.#looking.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    for (const stream of this.#all()) this.#end(stream, 'closing');
    this.#stopTicking();
    await this.#looking.close();
  }

  #checkOffered(): void {
    if (!this.#deps.offered) throw failures.feedsOff(OFF_SECONDS);
  }

  #all(): Stream[] {
    return [...this.#streams.values()].flatMap((own) => [...own]);
  }

  #enter({ userid, tokenHash = '' }: Student, after: number | null, sink: EventSink): Stream {
    this.#checkOffered();
    if (this.#isClosed) throw failures.overloaded(5, 'closing');
    const own = this.#streams.get(userid) ?? new Set();
    if (own.size >= limits.eventStreams.most) throw limitFailure(limits.eventStreams, RETRY_SECONDS * 1_000);
    if (this.#open >= this.#deps.most) throw failures.overloaded(RETRY_SECONDS, 'event streams');
    this.#made += 1;
    const stream: Stream = {
      userid,
      tokenHash,
      sink,
      beat: this.#made,
      account: null,
      last: after ?? 0,
      isReading: after === null,
      isStale: false,
      isOpen: true,
    };
    this.#streams.set(userid, own.add(stream));
    this.#open += 1;
    if (this.#open === 1) this.#startTicking();
    return stream;
  }

  /** Events that are appended during it are read from the journal. */
  async #beginNow(stream: Stream): Promise<void> {
    const { next, account } = await this.#deps.store.page(stream.userid, null, 0);
    stream.last = next;
    stream.account = account;
    stream.isReading = false;
    stream.sink.at(stream.last);
    if (stream.isStale) await this.#catchUp(stream);
  }

  #leave(stream: Stream): void {
    if (!stream.isOpen) return;
    stream.isOpen = false;
    this.#open -= 1;
    const own = this.#streams.get(stream.userid);
    own?.delete(stream);
    if (own?.size === 0) this.#streams.delete(stream.userid);
    if (this.#open === 0) this.#stopTicking();
  }

  #end(stream: Stream, goodbye: Goodbye): void {
    if (!stream.isOpen) return;
    this.#leave(stream);
    stream.sink.end(goodbye);
  }

  #send(stream: Stream, entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (!stream.isOpen) return;
      if (entry.seq <= stream.last) continue;
      stream.last = entry.seq;
      stream.sink.event(entry);
      if (stream.sink.waiting > MOST_WAITING) this.#end(stream, 'slow');
    }
  }

  /** A stream ends with its account, though the same id may be registered again. */
  #belongs(stream: Stream, account: number): boolean {
    stream.account ??= account;
    if (stream.account === account) return true;
    this.#end(stream, 'token');
    return false;
  }

  async #readPage(stream: Stream): Promise<void> {
    const { entries, next, gap, account } = await this.#deps.store.page(stream.userid, stream.last, PAGE);
    if (!this.#belongs(stream, account)) return;
    // The journal of a new account counts from 1.
    if (next < stream.last) stream.last = 0;
    if (gap && stream.isOpen) stream.sink.gap();
    this.#send(stream, entries);
    stream.last = Math.max(stream.last, next);
    if (gap && stream.isOpen) stream.sink.at(stream.last);
    if (entries.length === PAGE) stream.isStale = true;
  }

  /** Reads from the journal until nothing is left to read. */
  async #catchUp(stream: Stream): Promise<void> {
    stream.isStale = true;
    if (stream.isReading) return;
    stream.isReading = true;
    try {
      while (stream.isStale && stream.isOpen) {
        stream.isStale = false;
        await this.#readPage(stream);
      }
    } finally {
      stream.isReading = false;
    }
  }

  #noteFailed(error: unknown): void {
    const { kind, reason } = asFailure(error);
    this.#deps.log.warn({ failure: kind, reason }, 'event streams have to wait');
  }

  #tellStreams(entries: readonly JournalEntry[]): void {
    const [first] = entries;
    if (first === undefined || this.#open === 0) return;
    for (const stream of this.#streams.get(first.userid) ?? []) this.#deliver(stream, entries);
  }

  /** Entries of one student, in their order. */
  #deliver(stream: Stream, entries: readonly JournalEntry[]): void {
    const [first] = entries;
    if (first?.account !== undefined && !this.#belongs(stream, first.account)) return;
    const news = entries.filter(({ seq }) => seq > stream.last);
    if (news.length === 0) return;
    if (!stream.isReading && news[0]?.seq === stream.last + 1) this.#send(stream, news);
    else this.#catchUp(stream).catch((error: unknown) => this.#noteFailed(error));
  }

  /** Looks for events of other replicas, and for tokens that have ended: one statement, unless there is news. */
  async #look(): Promise<undefined> {
    if (this.#open === 0) return;
    const { store, clock } = this.#deps;
    const now = this.#all();
    const last = await store.lastByToken([...new Set(now.map(({ tokenHash }) => tokenHash))], clock.now());
    for (const stream of now) if (!last.has(stream.tokenHash)) this.#end(stream, 'token');
    const isBehind = ({ isOpen, tokenHash, last: told }: Stream): boolean =>
      isOpen && told < (last.get(tokenHash) ?? 0);
    const userids = [...new Set(now.filter(isBehind).map(({ userid }) => userid))];
    const since = clock.now() - LOOK_BACK_MS;
    for (let at = 0; at < userids.length; at += SENT_AT_ONCE) {
      if (at > 0) await setImmediate();
      const entries = await store.recent(since, userids.slice(at, at + SENT_AT_ONCE));
      for (const [userid, own] of Map.groupBy(entries, (entry) => entry.userid))
        for (const stream of this.#streams.get(userid) ?? []) this.#deliver(stream, own);
    }
    // The events of those that are left are older.
    for (const stream of now.filter(isBehind)) this.#catchUp(stream).catch((error: unknown) => this.#noteFailed(error));
  }

  #startTicking(): void {
    this.#stopTicking = this.#deps.clock.timer(TICK_MS, () => {
      this.#tick += 1;
      for (const { sink, beat } of this.#all()) if ((this.#tick + beat) % COMMENT_EVERY === 0) sink.comment();
      if (this.#open > 0) this.#startTicking();
    });
  }
}

export type ChangeEvents = Pick<EventStreams, keyof EventStreams>;
