import { KeyLock } from '../../lib/single-flight.ts';
import { abortAfter, type Clock } from '../../lib/time.ts';
import type { Log } from '../context.ts';
import { type Failure, failures, isFailure } from '../errors.ts';
import { holdLease, type Leases } from '../lease.ts';
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

interface CampusTurnRequest<T> {
  /** A query of the offerings, which the campus limits; any other page takes less of a pause before it. */
  readonly isQuery: boolean;
  readonly userid: string;
  /** A call waits for it, which fails at once when that would take too long. */
  readonly isAwaited: boolean;
  readonly signal: AbortSignal;
  /** The value that another replica has read while this one waited. */
  readonly doneMeanwhile: () => Promise<T | undefined>;
}

/** The turn of one request; the next one follows when it is disposed of. */
export interface CampusTurn<T> extends AsyncDisposable {
  /** The value that another replica has read meanwhile; undefined: the request is to be sent. */
  readonly done: T | undefined;
  /** The answer to the request. @throws Failure `campus-busy` {retryAfterSeconds}, what `sent` throws */
  answer(sent: Promise<T>): Promise<T>;
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
   *   is too long
   */
  async enter<T>(wanted: CampusTurnRequest<T>): Promise<CampusTurn<T>> {
    const { leases, store, clock, log } = this.#deps;
    const { isQuery, doneMeanwhile } = wanted;
    await using held = new AsyncDisposableStack();
    using waiting = new DisposableStack();
    const signal = wanted.isAwaited ? await this.#wait(wanted, held, waiting) : wanted.signal;
    const lease = { name: `campus-line:${QUEUE}`, lifeMs: LEASE_MS, pollMs: LOOK_AGAIN_MS, signal, doneMeanwhile };
    const { done } = held.use(await holdLease(leases, lease));
    let pause: number | undefined;
    const lastMs = done === undefined ? await this.#waitForInterval(isQuery, signal) : 0;
    if (done === undefined) held.defer(() => store.end(QUEUE, clock.now(), pause));
    const answer = async (sent: Promise<T>): Promise<T> => {
      try {
        const value = await sent;
        if (isQuery) pause = 0;
        return value;
      } catch (error) {
        if (!isFailure(error, 'campus-busy')) throw error;
        pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * lastMs));
        log.warn({ system: 'academics', ms: pause }, 'the campus was asked too often; requests pause');
        throw busyFor(pause);
      }
    };
    const all = held.move();
    return { done, answer, [Symbol.asyncDispose]: () => all.disposeAsync() };
  }

  /** Takes a place in the queue, `held` until the request is over and counted as `waiting` until it begins. */
  async #wait<T>(
    wanted: CampusTurnRequest<T>,
    held: AsyncDisposableStack,
    waiting: DisposableStack,
  ): Promise<AbortSignal> {
    const { userid } = wanted;
    const calls = this.#calls.get(userid) ?? 0;
    if (calls >= MOST_OF_ONE) throw this.#queueFull();
    this.#calls.set(userid, calls + 1);
    held.defer(() => {
      const left = (this.#calls.get(userid) ?? 0) - 1;
      if (left > 0) this.#calls.set(userid, left);
      else this.#calls.delete(userid);
    });
    const late = waiting.use(abortAfter(this.#deps.clock, LONGEST_WAIT_MS, () => this.#queueFull()));
    const signal = AbortSignal.any([wanted.signal, late.signal]);
    held.use(await this.#ofOne.enter(userid, signal));
    if (this.#waiting.size >= MOST_WAITING) throw this.#queueFull();
    this.#waiting.add(wanted);
    waiting.defer(() => this.#waiting.delete(wanted));
    return signal;
  }

  /** @returns the length of the last pause */
  async #waitForInterval(isQuery: boolean, signal: AbortSignal): Promise<number> {
    const { store, clock, everyMs } = this.#deps;
    const { sinceMs, pauseLeftMs, pauseMs } = await store.state(QUEUE, clock.now());
    if (pauseLeftMs > 0) throw busyFor(pauseLeftMs);
    const intervalMs = isQuery ? everyMs : Math.min(PAGES_EVERY_MS, everyMs);
    if (sinceMs !== null && sinceMs < intervalMs) await clock.wait(intervalMs - sinceMs, signal);
    return pauseMs;
  }

  #queueFull(): Failure {
    const seconds = Math.ceil((this.#waiting.size * this.#deps.everyMs) / 1000);
    const retryAfterSeconds = Math.max(LEAST_RETRY_SECONDS, seconds);
    return failures.campusBusy('academics', 'queue full', { retryAfterSeconds });
  }
}

const busyFor = (ms: number): Failure =>
  failures.campusBusy('academics', 'asked too often', { retryAfterSeconds: Math.ceil(ms / 1000) });
