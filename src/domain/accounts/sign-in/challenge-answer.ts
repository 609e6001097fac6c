import type { CallContext } from '../../context.ts';
import { failures } from '../../errors.ts';
import { type Caller, isEqual } from '../guard/callers.ts';
import type { ChallengeRow, VerifiedSession } from '../ports.ts';
import { noGrants } from '../tokens/personal-tokens.ts';
import { Booking, compareSubmitted, readablePair } from './ask.ts';
import { type AttemptDeps, adopt } from './attempt.ts';
import { issueToken, type LoggedIn } from './login.ts';
import { createAccount } from './registration.ts';

/** How an answer that passed has ended. */
export type ChallengeResult =
  | (LoggedIn & { readonly kind: 'logged-in'; readonly purpose: 'login' | 'registration' })
  | { readonly kind: 'renewed' };

/** Who answers a challenge has the budgets of the caller who opened it. */
const openerOf = (caller: Caller, { opener: { kind, names } }: ChallengeRow): Caller =>
  kind === 'token' ? { ...caller, token: names } : caller;

/** The booking of an answer, and the end of the sign-in that it completes. */
export const bookAnswer = async (deps: AttemptDeps, row: ChallengeRow, context: CallContext) => {
  const { userid, purpose, pair, keep, invite } = row;
  const isRegistration = purpose === 'registration';
  if (isRegistration && invite === null) throw failures.inviteTokenInvalid();
  // A token that comes with the call proves nothing that the id of the challenge does not.
  const caller = openerOf(deps.callers.callerOf(userid, context.address, null), row);
  const entry = { userid, pair, ...(keep && { keep }) };
  const stored = isRegistration ? null : await readablePair(deps, userid, context);
  const sent = compareSubmitted(deps, entry, stored);
  // A session of another pair is none of the stored one's.
  if (purpose === 'renewal' && !isEqual(sent)) throw failures.challengeUnknown('pair replaced');
  const finish = async (verified: VerifiedSession): Promise<ChallengeResult> => {
    if (purpose === 'renewal') {
      await adopt(deps, verified, context);
      return { kind: 'renewed' };
    }
    if (invite !== null) {
      const { token } = await createAccount(deps, entry, invite, context, verified);
      return { kind: 'logged-in', purpose, token, grants: noGrants };
    }
    const { token, grants } = await issueToken(deps, entry, context, sent, verified);
    return { kind: 'logged-in', purpose, token, grants };
  };
  const booking = new Booking(deps, { entry, caller, sent, stored, invite: invite?.hash, isAnswer: true });
  return { booking, finish };
};
