import type { Clock } from '../../lib/clock.ts';
import { randomToken } from '../../lib/hash.ts';
import { KeyLock } from '../../lib/key-lock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { CallContext } from '../context.ts';
import { Failure } from '../errors.ts';
import type { LeaseStore } from './ports.ts';

const POLL_MS = 200;
/** Added to what is left of the deadline: an attempt never outlives its lease. */
const LEASE_MARGIN_MS = 5_000;

/** Runs the attempts (login, registration, deletion) of one student id one after the other, over all replicas. */
export interface OneAtATime {
  /**
   * A caller that leaves stops waiting, but an attempt that has begun runs to its end with a context of its own:
   * hanging up must not hide from the cool-down what the campus said.
   * @throws Failure `timed-out`, the reason of the caller's signal, or what `attempt` throws
   */
  run<T>(userid: string, context: CallContext, attempt: (detached: CallContext) => Promise<T>): Promise<T>;
}

export const createOneAtATime = (deps: { readonly leases: LeaseStore; readonly clock: Clock }): OneAtATime => {
  const { leases, clock } = deps;
  const lock = new KeyLock();

  const takeLease = async (name: string, owner: string, context: CallContext): Promise<void> => {
    while (!(await leases.acquire(name, owner, clock.now(), context.deadline.remaining() + LEASE_MARGIN_MS))) {
      if (context.deadline.passed) throw new Failure('timed-out', { reason: 'another attempt of this student id' });
      await clock.wait(POLL_MS, context.signal);
    }
  };

  const giveBack = async (name: string, owner: string, context: CallContext): Promise<void> => {
    try {
      await leases.release(name, owner);
    } catch (cause) {
      // It ends by itself; the outcome of the attempt is worth more than this.
      context.log.warn({ err: cause }, 'lease of an attempt could not be released');
    }
  };

  const detached = async <T>(context: CallContext, attempt: (own: CallContext) => Promise<T>): Promise<T> => {
    const limit = new AbortController();
    const over = new AbortController();
    clock.wait(context.deadline.remaining(), over.signal).then(
      () => limit.abort(new Failure('timed-out')),
      () => {},
    );
    try {
      return await attempt({ ...context, signal: limit.signal });
    } finally {
      over.abort();
    }
  };

  return {
    run: (userid, context, attempt) =>
      raceSignal(
        lock.run(userid, context.signal, async () => {
          const name = `attempt:${userid}`;
          const owner = randomToken();
          await takeLease(name, owner, context);
          try {
            return await detached(context, attempt);
          } finally {
            await giveBack(name, owner, context);
          }
        }),
        context.signal,
      ),
  };
};
