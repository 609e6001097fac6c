import { Failure } from '../errors.ts';
import type { GuardKeeper } from './guard-keeper.ts';
import { type GuardFacts, neither } from './login-guard.ts';
import type { AccountStore, SignInCredentials } from './ports.ts';
import { refusal } from './sign-in-attempt.ts';

/** Facts of a sign-in with the stored pair itself: nobody has submitted anything. */
const factsOf = (stored: GuardFacts['stored']): Omit<GuardFacts, 'now'> => ({
  stored,
  equalAt: neither,
  impossibleAt: null,
  healthySession: false,
});

/** The stored pair for data calls and background work, under the same table as logins. */
export const createSignInCredentials = (deps: {
  readonly accounts: AccountStore;
  readonly guard: GuardKeeper;
}): SignInCredentials => {
  const { accounts, guard } = deps;
  return {
    forSignIn: async (userid) => {
      const stored = await accounts.readPair(userid);
      const facts = factsOf(stored ? (stored.refusedStep ?? 'good') : 'none');
      const { verdict } = await guard.decide(userid, facts, { type: 'data-wanted' });
      if (verdict.type === 'refuse') throw refusal(verdict);
      if (!stored) throw new Failure('token-user-gone');
      return { pair: stored.pair, version: stored.version };
    },
    refused: async (userid, version, step) => {
      const { setAside } = await guard.decide(userid, factsOf('good'), { type: 'refused', purpose: 'data', step });
      if (setAside) await accounts.markPairRefused(userid, version, setAside);
    },
    guarded: async (userid) => {
      const { next } = await guard.decide(userid, factsOf('good'), { type: 'guarded' });
      return next.pauseSeconds;
    },
    accepted: async (userid) => {
      await guard.decide(userid, factsOf('good'), { type: 'accepted', purpose: 'data' });
    },
  };
};
