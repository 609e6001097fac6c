import type { Clock } from '../../lib/clock.ts';
import type { Log, Student } from '../context.ts';
import { asFailure, Failure } from '../errors.ts';
import type { EventJournal, JournalEntry, JournalPage } from './ports.ts';

/** `closing`: the service ends; `token`: the token is good no more; `slow`: the reader takes what it is sent too slowly. */
export type Goodbye = 'closing' | 'token' | 'slow';

/** The other end of a stream. Nothing that it does throws. */
export interface EventSink {
  event(entry: JournalEntry): void;
  /** The next event is the one behind this `seq`: a returning reader names it. */
  at(seq: number): void;
  /** Events were swept before they could be sent: what is left of them follows. */
  gap(): void;
  /** Shows that the connection lives. */
  comment(): void;
  /** The last word. */
  end(goodbye: Goodbye): void;
  /** Characters that wait to be taken. */
  readonly waiting: number;
}

interface ChangeEventsDeps {
  readonly journal: EventJournal;
  readonly clock: Clock;
  readonly log: Log;
  /** Streams of this process, over all students. */
  readonly most: number;
  /** Without copies there is nothing that a change could be seen by. */
  readonly offered: boolean;
}

const PER_STUDENT = 3;
const PAGE = 100;
/** Leaves others a turn of the event loop. */
const SENT_AT_ONCE = 100;
const MOST_WAITING = 256 * 1024;
const TICK_MS = 1_000;
/** In ticks, and so seconds. */
const LOOK_EVERY = 2;
const COMMENT_EVERY = 25;
/** For clocks that differ and transactions that take their time; what is older is read from the journal. */
const LOOK_BACK_MS = 30_000;
const RETRY_SECONDS = 60;
/** Where no copies are kept, asking again sooner does not help. */
const OFF_SECONDS = 3_600;

/** One open stream. */
interface Stream {
  readonly userid: string;
  readonly tokenHash: string;
  readonly sink: EventSink;
  /** Tells its comments from those of others in time. */
  readonly beat: number;
  /** Null until the journal was read: the account that it belongs to. */
  account: number | null;
  /** Of the last event that was sent. */
  last: number;
  /** The journal is being read for it. */
  isReading: boolean;
  isStale: boolean;
  isOpen: boolean;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Change events of the student behind a token, and all streams of a process: while there are none, it does nothing at all.
 * Reading throws `feeds-off` where no copies are kept.
 */
export const createChangeEvents = ({ journal, clock, log, most, offered }: ChangeEventsDeps) => {
  const streams = new Map<string, Set<Stream>>();
  let open = 0;
  let made = 0;
  let tick = 0;
  let stopTicking = (): void => {};
  let isClosed = false;
  let looking = false;
  let lookAgain = false;

  const leave = (stream: Stream): void => {
    if (!stream.isOpen) return;
    stream.isOpen = false;
    open -= 1;
    const own = streams.get(stream.userid);
    own?.delete(stream);
    if (own?.size === 0) streams.delete(stream.userid);
    if (open === 0) stopTicking();
  };

  const end = (stream: Stream, goodbye: Goodbye): void => {
    if (!stream.isOpen) return;
    leave(stream);
    stream.sink.end(goodbye);
  };

  const send = (stream: Stream, entries: readonly JournalEntry[]): void => {
    for (const entry of entries) {
      if (!stream.isOpen) return;
      if (entry.seq <= stream.last) continue;
      stream.last = entry.seq;
      stream.sink.event(entry);
      if (stream.sink.waiting > MOST_WAITING) end(stream, 'slow');
    }
  };

  /** A stream is no one's once its account was erased, though the same id may be registered again. */
  const belongs = (stream: Stream, account: number): boolean => {
    stream.account ??= account;
    if (stream.account === account) return true;
    end(stream, 'token');
    return false;
  };

  const readOn = async (stream: Stream): Promise<void> => {
    const { entries, next, gap, account } = await journal.page(stream.userid, stream.last, PAGE);
    if (!belongs(stream, account)) return;
    // A journal that starts over counts from 1 again.
    if (next < stream.last) stream.last = 0;
    if (gap && stream.isOpen) stream.sink.gap();
    send(stream, entries);
    stream.last = Math.max(stream.last, next);
    if (gap && stream.isOpen) stream.sink.at(stream.last);
    if (entries.length === PAGE) stream.isStale = true;
  };

  /** From the journal; a reader that comes in between has it read again. */
  const catchUp = async (stream: Stream): Promise<void> => {
    stream.isStale = true;
    if (stream.isReading) return;
    stream.isReading = true;
    try {
      while (stream.isStale && stream.isOpen) {
        stream.isStale = false;
        await readOn(stream);
      }
    } finally {
      stream.isReading = false;
    }
  };

  const failed = (error: unknown): void => {
    const { kind, reason } = asFailure(error);
    // The next look begins where this one stood.
    log.warn({ failure: kind, reason }, 'event streams have to wait');
  };

  /** Entries of one student, in their order. */
  const deliver = (stream: Stream, entries: readonly JournalEntry[]): void => {
    const [first] = entries;
    if (first?.account !== undefined && !belongs(stream, first.account)) return;
    const news = entries.filter(({ seq }) => seq > stream.last);
    if (news.length === 0) return;
    if (!stream.isReading && news[0]?.seq === stream.last + 1) send(stream, news);
    else catchUp(stream).catch(failed);
  };

  const stopListening = journal.onAppended((entries) => {
    const [first] = entries;
    if (first === undefined || open === 0) return;
    for (const stream of streams.get(first.userid) ?? []) deliver(stream, entries);
  });

  const all = (): Stream[] => [...streams.values()].flatMap((own) => [...own]);

  /** Looks up what other replicas have appended, and which tokens are good no more: one statement, unless there is news. */
  const look = async (): Promise<void> => {
    const now = all();
    const last = await journal.lastByToken([...new Set(now.map(({ tokenHash }) => tokenHash))], clock.now());
    for (const stream of now) if (!last.has(stream.tokenHash)) end(stream, 'token');
    const isBehind = ({ isOpen, tokenHash, last: told }: Stream): boolean =>
      isOpen && told < (last.get(tokenHash) ?? 0);
    const userids = [...new Set(now.filter(isBehind).map(({ userid }) => userid))];
    const since = clock.now() - LOOK_BACK_MS;
    for (let at = 0; at < userids.length; at += SENT_AT_ONCE) {
      if (at > 0) await nextTurn();
      const entries = await journal.recent(since, userids.slice(at, at + SENT_AT_ONCE));
      for (const [userid, own] of Map.groupBy(entries, (entry) => entry.userid))
        for (const stream of streams.get(userid) ?? []) deliver(stream, own);
    }
    // Entries that are older.
    for (const stream of now.filter(isBehind)) catchUp(stream).catch(failed);
  };

  /** One look at a time; one more follows where something has happened meanwhile. */
  const lookNow = (): void => {
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = true;
    look()
      .catch(failed)
      .finally(() => {
        looking = false;
        if (!lookAgain) return;
        lookAgain = false;
        lookNow();
      });
  };

  const beat = (): void => {
    tick += 1;
    for (const stream of all()) if ((tick + stream.beat) % COMMENT_EVERY === 0) stream.sink.comment();
    if (tick % LOOK_EVERY === 0) lookNow();
    stopTicking = open === 0 ? () => {} : clock.timer(TICK_MS, beat);
  };

  const checkOffered = (): void => {
    if (!offered) throw new Failure('feeds-off', { retryAfterSeconds: OFF_SECONDS });
  };

  return {
    /** Streams that are open. */
    get open(): number {
      return open;
    },
    /** At most `limit` events behind `after`; null: from the oldest there is. */
    async page({ userid }: Student, after: number | null, limit: number): Promise<JournalPage> {
      checkOffered();
      return journal.page(userid, after, limit);
    },
    /**
     * Sends what follows `after` from now on; null: what happens from now on. Returns how to leave.
     * @throws Failure `rate-limited` where the student has as many as there may be, `overloaded` where the service has
     */
    async stream(student: Student, after: number | null, sink: EventSink): Promise<() => void> {
      checkOffered();
      if (isClosed) throw new Failure('overloaded', { retryAfterSeconds: 5, reason: 'closing' });
      const own = streams.get(student.userid) ?? new Set();
      if (own.size >= PER_STUDENT) {
        throw new Failure('rate-limited', { retryAfterSeconds: RETRY_SECONDS, reason: 'event streams of a student' });
      }
      if (open >= most) throw new Failure('overloaded', { retryAfterSeconds: RETRY_SECONDS, reason: 'event streams' });
      made += 1;
      const { userid, tokenHash = '' } = student;
      const stream: Stream = {
        ...{ userid, tokenHash, sink, beat: made, account: null, last: after ?? 0 },
        ...{ isReading: after === null, isStale: false, isOpen: true },
      };
      streams.set(student.userid, own.add(stream));
      open += 1;
      if (open === 1) stopTicking = clock.timer(TICK_MS, beat);
      try {
        // Events that are appended in between are read from the journal as well.
        if (after === null) {
          const { next, account } = await journal.page(student.userid, null, 0);
          stream.last = next;
          stream.account = account;
          stream.isReading = false;
          sink.at(stream.last);
          if (stream.isStale) await catchUp(stream);
        } else await catchUp(stream);
      } catch (error) {
        leave(stream);
        throw error;
      }
      return () => leave(stream);
    },
    /** Tokens may have ended in this process: their streams end at once, in others with the next look. */
    tokensEnded(): void {
      if (open > 0) lookNow();
    },
    /** Ends all streams. */
    close(): void {
      isClosed = true;
      stopListening();
      for (const stream of all()) end(stream, 'closing');
      stopTicking();
    },
  };
};

export type ChangeEvents = ReturnType<typeof createChangeEvents>;
