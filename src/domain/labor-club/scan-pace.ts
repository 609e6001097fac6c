import type { Clock } from '../../lib/clock.ts';
import { randomToken } from '../../lib/hash.ts';
import type { LeaseStore } from '../accounts/ports.ts';
import { Failure } from '../errors.ts';

const PAUSE_MS = 3_000;

export interface ScanPaceDeps {
  readonly leases: LeaseStore;
  readonly clock: Clock;
}

/**
 * One scan per student in three seconds, over all replicas: an app that fires twice for one QR code must not reach the
 * campus twice. The pause is a lease that nobody gives back.
 * @throws Failure `rate-limited` {retryAfterSeconds}
 */
export const takeScanTurn = async ({ leases, clock }: ScanPaceDeps, userid: string): Promise<void> => {
  const taken = await leases.acquire(`labor-scan:${userid}`, randomToken(), clock.now(), PAUSE_MS);
  if (!taken) throw new Failure('rate-limited', { retryAfterSeconds: PAUSE_MS / 1000 });
};
