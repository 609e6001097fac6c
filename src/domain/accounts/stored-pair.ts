import type { Clock } from '../../lib/clock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { Failure } from '../errors.ts';
import type { EventJournal, NewEvent } from '../events/ports.ts';
import { passed, refusalOf } from './attempt.ts';
import type { Callers } from './callers.ts';
import type { AskOutcome, GuardAnswer } from './guard/events.ts';
import type { GuardKeeper } from './keeper.ts';
import { firstPrints } from './pair-asks.ts';
import type { AccountStore, SignInCredentials, UnattendedTurn } from './ports.ts';

/** Between two looks whether another replica has ended what is under way. */
const TURN_POLL_MS = 200;

const personNeeded: NewEvent = { type: 'account.person_needed', readAt: null, about: {}, ask: null, detail: {} };

/** The stored pair for data calls and background work, under the same table as logins. */
export const createSignInCredentials = (deps: {
  readonly accounts: AccountStore;
  readonly guard: GuardKeeper;
  readonly callers: Callers;
  readonly clock: Clock;
  /** Left out: it is not reported. */
  readonly journal?: Pick<EventJournal, 'append'>;
}): SignInCredentials => {
  const { accounts, guard, callers, clock, journal } = deps;
  const scopeOf = (userid: string) => ({ userid, code: null });
  /** Seconds for which the pair is left alone. */
  const ended = async (userid: string, outcome: AskOutcome): Promise<number> => {
    const tag = callers.studentTag(userid);
    const answer = await guard.decide(scopeOf(userid), { type: 'stored-ended', tag, outcome, storedPrints: null });
    return answer.type === 'noted' ? answer.pausedSeconds : 0;
  };
  /** Those that wait for a turn in this process are woken when one ends. */
  const waiting = new Set<() => void>();
  const turnEnds = async (signal: AbortSignal): Promise<void> => {
    const woken = Promise.withResolvers<void>();
    const poll = new AbortController();
    waiting.add(woken.resolve);
    try {
      await raceSignal(Promise.race([woken.promise, clock.wait(TURN_POLL_MS, poll.signal)]), signal);
    } finally {
      poll.abort();
      waiting.delete(woken.resolve);
    }
  };
  const turn = (userid: string, signal: AbortSignal): UnattendedTurn => {
    const tag = callers.studentTag(userid);
    let begun = false;
    return {
      async begin() {
        for (;;) {
          signal.throwIfAborted();
          const answer = passed(await guard.decide(scopeOf(userid), { type: 'post-begins', tag }));
          if (answer.type !== 'turn-awaited') break;
          await turnEnds(signal);
        }
        begun = true;
      },
      async end() {
        if (!begun) return;
        begun = false;
        await guard.decide(scopeOf(userid), { type: 'post-ended', tag });
        for (const wake of waiting) wake();
      },
    };
  };
  return {
    turn,
    portalWanted: async (userid) => {
      const tag = callers.studentTag(userid);
      passed(await guard.decide(scopeOf(userid), { type: 'portal-wanted', tag }));
    },
    forSignIn: async (userid) => {
      const stored = await accounts.readPair(userid);
      const state = stored ? (stored.refusedStep ?? 'good') : 'none';
      const tag = callers.studentTag(userid);
      passed(await guard.decide(scopeOf(userid), { type: 'stored-wanted', stored: state, tag, attended: false }));
      if (!stored) throw new Failure('token-user-gone');
      return { pair: stored.pair, version: stored.version };
    },
    refused: async (userid, version, step) => {
      const stored = await accounts.readPair(userid);
      const storedPrints = stored?.version === version ? firstPrints(callers.prints(userid, stored.pair)) : null;
      const answer: GuardAnswer = await guard.decide(scopeOf(userid), {
        type: 'stored-ended',
        tag: callers.studentTag(userid),
        outcome: { type: 'refused', step },
        storedPrints,
      });
      if (answer.type === 'refuse') {
        const { retryAfterSeconds } = refusalOf(answer);
        throw new Failure('sign-in-unavailable', { step, reason: 'the campus refuses everybody', retryAfterSeconds });
      }
      if (answer.type === 'noted' && answer.setAside) await accounts.markPairRefused(userid, version, answer.setAside);
    },
    guarded: (userid) => ended(userid, { type: 'marker' }),
    renewsEarly: async (userid, step) => {
      passed(await guard.decide(scopeOf(userid), { type: 'early-renewal', step }));
    },
    unheld: (userid, outcome) => ended(userid, { type: outcome }),
    personNeeded: async (userid, wanted, step) => {
      if (wanted === 'captcha') {
        await guard.decide(scopeOf(userid), { type: 'captcha-met' });
        return;
      }
      await ended(userid, { type: 'person', wanted, step });
      // Once: from here on no pair is posted unattended. The mark holds, reported or not.
      await journal?.append(userid, [personNeeded]).catch(() => []);
    },
    accepted: async (userid) => {
      await ended(userid, { type: 'accepted' });
    },
  };
};
