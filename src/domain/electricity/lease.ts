import type { Clock } from '../../lib/clock.ts';
import type { LeaseStore } from '../accounts/ports.ts';

const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

export interface Leases {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** Names this process. */
  readonly owner: string;
}

/** One named lease in the hands of one piece of work. A process that dies with it keeps it for half a minute. */
export class HeldLease {
  /** Aborted when another replica has taken the lease over. */
  readonly lost: AbortSignal;
  readonly #release: () => Promise<void>;

  constructor(lost: AbortSignal, release: () => Promise<void>) {
    this.lost = lost;
    this.#release = release;
  }

  release(): Promise<void> {
    return this.#release();
  }
}

/**
 * Takes a lease and renews it until it is released; null when somebody else holds it. `work` tells the takers of one
 * process apart.
 */
export const takeLease = async (
  { store, clock, owner }: Leases,
  name: string,
  work: number,
): Promise<HeldLease | null> => {
  const holder = `${owner}:${work}`;
  const acquire = () => store.acquire(name, holder, clock.now(), LEASE_MS);
  if (!(await acquire())) return null;
  const lost = new AbortController();
  const stop = new AbortController();
  const renew = async (): Promise<void> => {
    for (;;) {
      await clock.wait(RENEW_EVERY_MS, stop.signal);
      // A database that does not answer has not given the lease to anybody else either.
      if (!(await acquire().catch(() => true))) return lost.abort(new Error('lease taken over'));
    }
  };
  const renewing = renew().catch(() => {});
  return new HeldLease(lost.signal, async () => {
    stop.abort(new Error('lease released'));
    // An acquisition on its way would take the lease anew after its release.
    await renewing;
    await store.release(name, holder).catch(() => {});
  });
};
