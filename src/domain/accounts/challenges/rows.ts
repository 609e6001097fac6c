import { sha256 } from '../../../lib/hash.ts';
import type { Challenge } from '../../challenge.ts';
import type { CallContext } from '../../context.ts';
import { asFailure, Failure } from '../../errors.ts';
import { withLease } from '../../lease.ts';
import { type AccountDeps, type AttemptDeps, LEASE_MS, passed } from '../attempt.ts';
import { signInLease } from '../userid.ts';
import { keptHalf, pageNames, viewOf } from './desk.ts';
import type { ChallengeHalf, ChallengeKey, ChallengeRow, Challenges } from './ports.ts';
import { type ChallengeEvent, isImageStale, type Transition, targetOf, transition } from './state.ts';

export type Parts = NonNullable<AccountDeps['secondSteps']>;

const ID_LENGTH = 43;

export const unknownChallenge = (reason: string): Failure => new Failure('challenge-unknown', { reason });
const busy = (): Failure => new Failure('challenge-busy', { retryAfterSeconds: 1 });

const refusalOf = ({ why, seconds }: Extract<Transition, { type: 'refused' }>): Failure => {
  if (why === 'busy') return busy();
  if (why === 'needless') return new Failure('challenge-target', { reason: 'nothing to send' });
  return new Failure('rate-limited', { retryAfterSeconds: seconds, reason: why });
};

type ChallengeRows = ReturnType<typeof createRows>;

/** The challenges that are open: found by their keys, changed by their table, each change stored by revision. */
export const createRows = (deps: AccountDeps, { store }: Parts) => {
  const { clock, leases } = deps;
  /** @throws Failure `challenge-unknown` */
  const find = async (key: ChallengeKey): Promise<ChallengeRow> => {
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
  /** The next revision. @throws Failure `challenge-busy` when another call was faster */
  const keep = async (row: ChallengeRow): Promise<ChallengeRow> => {
    const next = { ...row, revision: row.revision + 1 };
    if (!(await store.change(next))) throw busy();
    return next;
  };
  return {
    find,
    keep,
    /**
     * What an event makes of it, stored; null: it has ended and is gone.
     * @throws Failure `challenge-busy`, `rate-limited`, `challenge-target`
     */
    async apply(
      row: ChallengeRow,
      event: ChallengeEvent,
      half: Partial<ChallengeHalf> = {},
    ): Promise<ChallengeRow | null> {
      const moved = transition(row.state, event, clock.now());
      if (moved.type === 'refused') throw refusalOf(moved);
      if (moved.type === 'goes-on') return keep({ ...row, state: moved.state, half: { ...row.half, ...half } });
      await store.remove(row.idHash);
      return null;
    },
    /**
     * Alone for the student, over all replicas, with the challenge as the caller has seen it.
     * @throws Failure `challenge-busy` when it has changed since, or (`waits` false) when another call is at it
     */
    alone<T>(
      seen: ChallengeRow,
      key: ChallengeKey,
      { signal, waits }: { readonly signal: AbortSignal; readonly waits: boolean },
      work: (row: ChallengeRow) => Promise<T>,
    ): Promise<T> {
      const wish = { name: signInLease(seen.userid), lifeMs: LEASE_MS, signal, ...(waits ? {} : { whenHeld: busy }) };
      return withLease(leases, wish, async () => {
        const row = await find(key);
        if (row.revision !== seen.revision) throw busy();
        return work(row);
      });
    },
  };
};

/** What a person asks for before answering: a code, or another image. */
export const createSending = (deps: AttemptDeps, { campus, store }: Parts, rows: ChallengeRows) => {
  const { guard, clock } = deps;
  const isUnsent = (error: unknown): boolean => asFailure(error).passwords === 'unsent';

  const put = async (row: ChallengeRow, target: number | undefined, context: CallContext): Promise<ChallengeRow> => {
    const { state, half, userid, entry } = row;
    const now = clock.now();
    const phone = targetOf(row, target);
    const isFirst = state.sent === 'unknown' && half.targets.length === 0;
    const checked = transition(state, { type: 'send-begins' }, now);
    // The first one counted when the password was sent: only one of the two rings.
    const isBooked = checked.type === 'goes-on' && state.kind === 'sms' && !isFirst;
    const { id } = entry.booked;
    if (isBooked) passed(await guard.decide({ userid, code: null }, { type: 'challenge-sends', id }));
    const begun = await rows.apply(row, { type: 'send-begins' }, phone === null ? {} : { chosen: phone });
    if (begun === null) throw unknownChallenge('ended');
    const wish = { target: phone, renew: isImageStale(state, now) };
    const sent = await campus.send(userid, half.resume, wish, context).catch(async (error: unknown) => {
      if (isUnsent(error)) {
        if (isBooked) await guard.decide({ userid, code: null }, { type: 'challenge-unsent', id });
        await rows.apply(begun, { type: 'send-unsent', before: state }, { chosen: half.chosen });
      } else if (state.kind === 'captcha') {
        // Without an image there is nothing to answer.
        await store.remove(row.idHash);
      }
      throw error;
    });
    const next = await (() => {
      switch (sent.kind) {
        case 'image':
          return rows.apply(begun, { type: 'image-shown' }, keptHalf(sent.half));
        case 'refused':
          return rows.apply(begun, { type: 'send-refused', resendAfter: sent.resendAfter });
        case 'gone':
          return rows.apply(begun, { type: 'gone' });
        case 'sent': {
          const { resume, targets, stillValid, resendAfter } = sent;
          const event = { type: 'sent', sent: sent.sent, stillValid, resendAfter } as const;
          return rows.apply(begun, event, { resume, ...(targets.length > 0 && { targets }) });
        }
      }
    })();
    if (next === null) throw unknownChallenge('gone');
    return next;
  };

  return {
    async send(...[key, target, context]: Parameters<Challenges['send']>): Promise<Challenge> {
      const seen = await rows.find(key);
      return rows.alone(seen, key, { signal: context.signal, waits: true }, async (row) =>
        viewOf(deps, await put(row, target, context), key, context.address),
      );
    },
    /** Another image in place of one that is too old or spent; null: with that one the challenge has ended. */
    async showImage(
      row: ChallengeRow,
      why: 'image-shown' | 'misread',
      context: CallContext,
    ): Promise<ChallengeRow | null> {
      const wish = { target: null, renew: true };
      const shown = await campus.send(row.userid, row.half.resume, wish, context).catch(async (error: unknown) => {
        if (!isUnsent(error)) await store.remove(row.idHash);
        throw error;
      });
      if (shown.kind === 'image') return rows.apply(row, { type: why }, keptHalf(shown.half));
      return rows.apply(row, { type: 'gone' });
    },
  };
};
