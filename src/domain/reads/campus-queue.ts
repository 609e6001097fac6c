import { KeyLock } from '../../lib/single-flight.ts';
import type { Clock } from '../../lib/time.ts';
import type { Log } from '../context.ts';
import { type Failure, failures, isFailure } from '../errors.ts';
import { type Leases, withLease } from '../lease.ts';
import type { CampusQueueStore } from './ports.ts';

const QUEUE = 'offerings';
/** Students with a call that waits for its turn, in one process. The fill of a term waits beside them. */
const MOST_WAITING = 3;
/** Calls of one student, of which one waits in the queue. */
const MOST_OF_ONE = 4;
const LONGEST_WAIT_MS = 12_000;
const LEASE_MS = 30_000;
const LOOK_AGAIN_MS = 250;
/** Between two pages of which no limit is known. */
const PAGES_EVERY_MS = 1_000;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
const LEAST_RETRY_SECONDS = 5;

interface QueueDeps {
  readonly leases: Leases;
  readonly store: CampusQueueStore;
  readonly clock: Clock;
  readonly log: Log;
  /** `OFFERINGS_EVERY_SECONDS`, in milliseconds. */
  readonly everyMs: number;
}

interface Turn<T> {
  /** A query of the offerings, which the campus limits; any other page takes less of a pause before it. */
  readonly isQuery: boolean;
  readonly userid: string;
  /** A call waits for it, which fails at once when that would take too long. */
  readonly isAwaited: boolean;
  readonly signal: AbortSignal;
  /** The value that another replica has read while this one waited. */
  readonly doneMeanwhile: () => Promise<T | undefined>;
}

/**
 * Sends one request at a time over all replicas, with a pause in between that grows when the campus complains about too
 * many. Only one call per student waits in the queue, which leaves room for others.
 */
export class CampusQueue {
  readonly #deps: QueueDeps;
  /** Keyed by student. */
  readonly #calls = new Map<string, number>();
  readonly #ofOne = new KeyLock();
  readonly #waiting = new Set<object>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /**
   * @throws Failure `campus-busy` {retryAfterSeconds} while the campus wants a pause, where the queue is full or the wait
   *   is too long; what `work` throws
   */
  async run<T>(turn: Turn<T>, work: () => Promise<T>): Promise<T> {
    if (!turn.isAwaited) return this.#alone(turn, turn.signal, () => {}, work);
    const { userid } = turn;
    const calls = this.#calls.get(userid) ?? 0;
    if (calls >= MOST_OF_ONE) throw this.#full();
    this.#calls.set(userid, calls + 1);
    const late = new AbortController();
    const stopTimer = this.#deps.clock.timer(LONGEST_WAIT_MS, () => late.abort(this.#full()));
    const signal = AbortSignal.any([turn.signal, late.signal]);
    try {
      return await this.#ofOne.run(userid, signal, () => this.#wait(turn, signal, stopTimer, work));
    } finally {
      stopTimer();
      const left = (this.#calls.get(userid) ?? 0) - 1;
      if (left > 0) this.#calls.set(userid, left);
      else this.#calls.delete(userid);
    }
  }

  async #wait<T>(turn: Turn<T>, signal: AbortSignal, stopTimer: () => void, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.size >= MOST_WAITING) throw this.#full();
    this.#waiting.add(turn);
    const begin = (): void => {
      stopTimer();
      this.#waiting.delete(turn);
    };
    try {
      return await this.#alone(turn, signal, begin, work);
    } finally {
      begin();
    }
  }

  #alone<T>(turn: Turn<T>, signal: AbortSignal, begin: () => void, work: () => Promise<T>): Promise<T> {
    const { leases, store, clock, everyMs } = this.#deps;
    const { doneMeanwhile } = turn;
    const lease = { name: `campus-line:${QUEUE}`, lifeMs: LEASE_MS, pollMs: LOOK_AGAIN_MS, signal, doneMeanwhile };
    return withLease(leases, lease, async () => {
      const { sinceMs, pauseLeftMs, pauseMs } = await store.state(QUEUE, clock.now());
      if (pauseLeftMs > 0) throw busyFor(pauseLeftMs);
      const intervalMs = turn.isQuery ? everyMs : Math.min(PAGES_EVERY_MS, everyMs);
      if (sinceMs !== null && sinceMs < intervalMs) await clock.wait(intervalMs - sinceMs, signal);
      begin();
      return this.#ask(turn, pauseMs, work);
    });
  }

  async #ask<T>({ isQuery }: Turn<T>, pauseMs: number, work: () => Promise<T>): Promise<T> {
    let pause: number | undefined;
    try {
      const value = await work();
      if (isQuery) pause = 0;
      return value;
    } catch (error) {
      if (!isFailure(error, 'campus-busy')) throw error;
      pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
      this.#deps.log.warn({ system: 'academics', ms: pause }, 'the campus was asked too often; requests pause');
      throw busyFor(pause);
    } finally {
      await this.#deps.store.end(QUEUE, this.#deps.clock.now(), pause);
    }
  }

  #full(): Failure {
    const seconds = Math.ceil((this.#waiting.size * this.#deps.everyMs) / 1000);
    const retryAfterSeconds = Math.max(LEAST_RETRY_SECONDS, seconds);
    return failures.campusBusy('academics', 'queue full', { retryAfterSeconds });
  }
}

const busyFor = (ms: number): Failure =>
  failures.campusBusy('academics', 'asked too often', { retryAfterSeconds: Math.ceil(ms / 1000) });
