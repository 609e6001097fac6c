import { setImmediate as nextTurn } from 'node:timers/promises';
import { networkOf } from '../../lib/address.ts';
import { campusDate, offsetAt } from '../../lib/campus-time.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Accessor, CallTrail, Log, Student } from '../context.ts';
import { asFailure } from '../errors.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOLDED_AFTER_MS = 2 * DAY_MS;
const KEPT_MS = 90 * DAY_MS;
/** Of one token or feed. */
export const MOST_ENTRIES = 500;
/** What one answer holds, the newest first. */
export const MOST_TOLD = 2_000;
const WRITE_EVERY_MS = 30_000;
/** Beyond these it writes at once. */
const MOST_WAITING = 5_000;
/** Of one turn of the event loop: 2,000 at once held it for 40 to 76 ms. */
const WRITTEN_AT_ONCE = 200;

export const accessOutcomes = ['ok', 'refused', 'failed'] as const;
export type AccessOutcome = (typeof accessOutcomes)[number];

/** By the status that the caller was told; 499: the caller had left. */
export const outcomeOf = (status: number): AccessOutcome => (status < 400 ? 'ok' : status < 499 ? 'refused' : 'failed');

/** How often something was done with a token or feed, or by an operator, within an hour or a day. Epoch milliseconds. */
export interface AccessEntry extends Accessor {
  readonly operation: string;
  readonly outcome: AccessOutcome;
  readonly span: 'hour' | 'day';
  /** Of the hour, or of the day at the campus. */
  readonly from: number;
  readonly count: number;
  /** How many of them have asked the campus. */
  readonly asked: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** From which the last one came. */
  readonly network: string | null;
}

export interface AccessLogStore {
  /** Adds to what is there; what concerns no student that exists since then is left out. One transaction. */
  add(entries: readonly AccessEntry[]): Promise<void>;
  /** The newest first. */
  list(userid: string, since: number, most: number): Promise<AccessEntry[]>;
  /** Makes days of the hours that began before `before`. */
  fold(before: number, dayOf: (from: number) => number): Promise<void>;
  /** Removes what began before `oldest`, and of each token, feed or operator the oldest beyond `most`. */
  sweep(oldest: number, most: number): Promise<void>;
}

/** Changed in place: a call costs a look into a map. */
interface Counted {
  readonly accessor: Accessor;
  readonly operation: string;
  readonly outcome: AccessOutcome;
  readonly from: number;
  readonly firstAt: number;
  count: number;
  asked: number;
  lastAt: number;
  address: string;
}

interface AccessLogDeps {
  readonly store: AccessLogStore;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly log: Log;
}

export type AccessLog = ReturnType<typeof createAccessLog>;

/** Counts in memory and writes every half minute; what a killed process has not written is lost. */
export const createAccessLog = ({ store, clock, timeZone, log }: AccessLogDeps) => {
  let waiting = new Map<string, Counted>();
  let writing = Promise.resolve();

  /** What could not be written goes with what was counted since. */
  const putBack = (key: string, counted: Counted): void => {
    const since = waiting.get(key);
    waiting.set(key, counted);
    if (since === undefined) return;
    counted.count += since.count;
    counted.asked += since.asked;
    counted.lastAt = since.lastAt;
    counted.address = since.address;
  };

  const writeNow = async (): Promise<void> => {
    const now = [...waiting];
    waiting = new Map();
    for (let at = 0; at < now.length; at += WRITTEN_AT_ONCE) {
      if (at > 0) await nextTurn();
      try {
        await store.add(now.slice(at, at + WRITTEN_AT_ONCE).map(([, counted]) => entryOf(counted)));
      } catch (error) {
        const { kind, reason } = asFailure(error);
        const left = now.slice(at);
        log.warn({ failure: kind, reason, entries: left.length }, 'access log not written');
        // With the next one. Beyond that, memory must not fill while storage does not answer.
        if (waiting.size + left.length <= 4 * MOST_WAITING) for (const [key, counted] of left) putBack(key, counted);
        return;
      }
    }
  };

  /** One after the other, so that what was counted before is there when this is done. */
  const write = (): Promise<void> => {
    writing = writing.then(writeNow);
    return writing;
  };
  const timer = setInterval(write, WRITE_EVERY_MS);
  timer.unref();

  const dayOf = (from: number): number =>
    Date.parse(`${campusDate(from, timeZone)}T00:00:00Z`) - offsetAt(from, timeZone);

  return {
    /** Counts one call that is over. It costs no statement. */
    count(
      { accessor, askedCampus }: CallTrail,
      { operation, status, address }: { readonly operation: string; readonly status: number; readonly address: string },
    ): void {
      if (accessor === null) return;
      const now = clock.now();
      const from = now - (now % HOUR_MS);
      const outcome = outcomeOf(status);
      const key = `${accessor.userid} ${accessor.source} ${accessor.id} ${operation} ${outcome} ${from}`;
      const entry = waiting.get(key);
      if (entry !== undefined) {
        entry.count += 1;
        entry.asked += askedCampus ? 1 : 0;
        entry.lastAt = now;
        entry.address = address;
        return;
      }
      const asked = askedCampus ? 1 : 0;
      waiting.set(key, { accessor, operation, outcome, from, firstAt: now, count: 1, asked, lastAt: now, address });
      if (waiting.size >= MOST_WAITING) void write();
    },
    /** What was counted here is in it. */
    async list({ userid }: Student, since: number): Promise<AccessEntry[]> {
      await write();
      return store.list(userid, since, MOST_TOLD);
    },
    async sweep(): Promise<void> {
      const now = clock.now();
      await store.fold(now - FOLDED_AFTER_MS, dayOf);
      await store.sweep(now - KEPT_MS, MOST_ENTRIES);
    },
    /** Writes what waits to be written. */
    close(): Promise<void> {
      clearInterval(timer);
      return write();
    },
  };
};

const entryOf = ({ accessor, address, ...counted }: Counted): AccessEntry => ({
  ...accessor,
  ...counted,
  span: 'hour',
  network: address === '' ? null : networkOf(address, 64),
});

/** What an operator has done to a student's access. */
export const operatorEntry = (userid: string, operation: string, now: number): AccessEntry => ({
  ...{ userid, source: 'operator', id: null, name: null, operation, outcome: 'ok', span: 'hour' },
  ...{ from: now - (now % HOUR_MS), count: 1, asked: 0, firstAt: now, lastAt: now, network: null },
});
