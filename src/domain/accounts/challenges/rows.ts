import { sha256 } from '../../../lib/hash.ts';
import { Failure } from '../../errors.ts';
import { withLease } from '../../lease.ts';
import { type AccountDeps, LEASE_MS } from '../attempt.ts';
import { signInLease } from '../userid.ts';
import { pageNames } from './desk.ts';
import type { ChallengeHalf, ChallengeKey, ChallengeRow } from './ports.ts';
import { type ChallengeEvent, type Transition, transition } from './state.ts';

export type Parts = NonNullable<AccountDeps['secondSteps']>;

const ID_LENGTH = 43;

export const unknownChallenge = (reason: string): Failure => new Failure('challenge-unknown', { reason });
const busy = (): Failure => new Failure('challenge-busy', { retryAfterSeconds: 1 });

const refusalOf = ({ why, seconds }: Extract<Transition, { type: 'refused' }>): Failure => {
  if (why === 'busy') return busy();
  if (why === 'needless') return new Failure('challenge-target', { reason: 'nothing to send' });
  return new Failure('rate-limited', { retryAfterSeconds: seconds, reason: why });
};

/** The challenges that are open: found by their keys, changed by their table, each change stored by revision. */
export interface ChallengeRows {
  /** @throws Failure `challenge-unknown` */
  find(key: ChallengeKey): Promise<ChallengeRow>;
  /**
   * What an event makes of it, stored; null: it has ended and is gone.
   * @throws Failure `challenge-busy`, `rate-limited`, `challenge-target`
   */
  apply(row: ChallengeRow, event: ChallengeEvent, half?: Partial<ChallengeHalf>): Promise<ChallengeRow | null>;
  /** The next revision. @throws Failure `challenge-busy` when somebody else was there first */
  keep(row: ChallengeRow): Promise<ChallengeRow>;
  /**
   * Alone for the student, over all replicas, with the challenge as the caller has seen it.
   * @throws Failure `challenge-busy` when it has changed since, or (`waits` false) when somebody is at it
   */
  alone<T>(
    seen: ChallengeRow,
    key: ChallengeKey,
    options: { readonly signal: AbortSignal; readonly waits: boolean },
    work: (row: ChallengeRow) => Promise<T>,
  ): Promise<T>;
}

export const createRows = (deps: AccountDeps, { store }: Parts): ChallengeRows => {
  const { clock, leases } = deps;
  const find: ChallengeRows['find'] = async (key) => {
    const now = clock.now();
    const row =
      'pageCode' in key
        ? await store.find({ pageNames: pageNames(deps, key.pageCode) }, now)
        : key.id.length === ID_LENGTH
          ? await store.find({ idHash: sha256(key.id) }, now)
          : null;
    if (row === null) throw unknownChallenge('not found');
    return row;
  };
  const keep: ChallengeRows['keep'] = async (row) => {
    const next = { ...row, revision: row.revision + 1 };
    if (!(await store.change(next))) throw busy();
    return next;
  };
  return {
    find,
    keep,
    async apply(row, event, half = {}) {
      const moved = transition(row.state, event, clock.now());
      if (moved.type === 'refused') throw refusalOf(moved);
      if (moved.type === 'goes-on') return keep({ ...row, state: moved.state, half: { ...row.half, ...half } });
      await store.remove(row.idHash);
      return null;
    },
    alone(seen, key, { signal, waits }, work) {
      const wish = { name: signInLease(seen.userid), lifeMs: LEASE_MS, signal, ...(waits ? {} : { whenHeld: busy }) };
      return withLease(leases, wish, async () => {
        const row = await find(key);
        if (row.revision !== seen.revision) throw busy();
        return work(row);
      });
    },
  };
};
