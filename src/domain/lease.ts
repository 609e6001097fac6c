import { randomToken } from '../lib/hash.ts';
import { KeyLock } from '../lib/single-flight.ts';
import type { Clock } from '../lib/time.ts';
import type { Failure } from './errors.ts';

/**
 * Named leases over all replicas. A lease that is not released ends by the time of the database; `now` is for a database
 * that has none. All who ask for a lease of one name give the same life.
 */
export interface LeaseStore {
  /** True when `owner` holds the lease now; one that it held before is prolonged. */
  acquire(name: LeaseName, owner: string, now: number, ttlMs: number): Promise<boolean>;
  release(name: LeaseName, owner: string): Promise<void>;
}

/** Several names are acquired together or not at all. */
export type LeaseName = string | readonly [string, ...string[]];

const POLL_MS = 150;

export interface Leases {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Callers of one process wait for each other here, in order of arrival, without asking storage. */
  readonly queue: KeyLock;
}

export const createLeases = (store: LeaseStore, clock: Clock): Leases => ({ store, clock, queue: new KeyLock() });

export interface LeaseOptions<T> {
  /** A lease that concerns one student is named `<purpose>:<userid>`: it goes when the account is erased. */
  readonly name: LeaseName;
  /** The lease of a process that died lasts this long. While the work runs it is prolonged three times as often. */
  readonly lifeMs: number;
  /** Ends the waiting, with its reason. Once begun, the work is not ended by it. */
  readonly signal: AbortSignal;
  readonly pollMs?: number;
  /**
   * The result of another holder, which replaces the work; undefined: there is none. Asked after every wait, and under the
   * lease before the work begins.
   */
  readonly doneMeanwhile?: () => Promise<T | undefined>;
  /** Thrown when another caller, in any process, holds the lease. Without it the caller waits. */
  readonly whenHeld?: () => Failure;
}

/** A lease until it is disposed of. */
export interface HeldLease<T = never> extends AsyncDisposable {
  /** Aborted when another replica has taken the lease over, because this process was held up for longer than it lasts. */
  readonly lost: AbortSignal;
  /** The result of another holder; undefined: the work is to be done. */
  readonly done: T | undefined;
}

/** @throws the reason of the signal, what `whenHeld` says, and what storage says */
export const holdLease = async <T = never>(leases: Leases, options: LeaseOptions<T>): Promise<HeldLease<T>> => {
  const { store, clock, queue } = leases;
  const { name, lifeMs, signal, pollMs = POLL_MS, doneMeanwhile, whenHeld } = options;
  const lost = new AbortController();
  await using held = new AsyncDisposableStack();
  const hand = (done: T | undefined): HeldLease<T> => {
    const moved = held.move();
    return { lost: lost.signal, done, [Symbol.asyncDispose]: () => moved.disposeAsync() };
  };
  const [first = ''] = [name].flat();
  if (whenHeld === undefined) held.use(await queue.enter(first, signal));

  const owner = randomToken();
  const acquire = () => store.acquire(name, owner, clock.now(), lifeMs);
  while (!(await acquire())) {
    if (whenHeld !== undefined) throw whenHeld();
    await clock.wait(pollMs, signal);
    const done = await doneMeanwhile?.();
    if (done !== undefined) return hand(done);
  }
  const over = new AbortController();
  const prolong = async (): Promise<void> => {
    for (;;) {
      await clock.wait(lifeMs / 3, over.signal);
      // A database that does not answer has not given the lease to another either.
      if (!(await acquire().catch(() => true))) return lost.abort(new Error('lease taken over'));
    }
  };
  const prolonging = prolong().catch(() => {});
  held.defer(async () => {
    over.abort();
    // An acquisition on its way would take the lease again after its release.
    await prolonging;
    // The lease expires without it, and the outcome of the work matters more.
    await store.release(name, owner).catch(() => {});
  });
  signal.throwIfAborted();
  return hand(await doneMeanwhile?.());
};

/** Takes a lease that is never given back, for a pause between two calls. False while an earlier one lasts. */
export const takeTurn = ({ store, clock }: Leases, name: string, pauseMs: number): Promise<boolean> =>
  store.acquire(name, randomToken(), clock.now(), pauseMs);
