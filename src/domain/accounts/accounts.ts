import { LRUCache } from 'lru-cache';
import { Turns } from '../../lib/queues.ts';
import { boundSize } from '../../lib/text.ts';
import type { CallContext, Student } from '../context.ts';
import { failures } from '../errors.ts';
import { wantsDeletion } from './guard/comparing.ts';
import { RefusalLimits } from './guard/refusal-limits.ts';
import { erasureOf } from './guard/stored-rows.ts';
import type { PasswordPair } from './ports.ts';
import { compareSubmitted } from './sign-in/ask.ts';
import { type AccountDeps, type AttemptDeps, throwIfRefused, withOutcome } from './sign-in/attempt.ts';
import { Challenges } from './sign-in/challenges.ts';
import { createLogin } from './sign-in/login.ts';
import { createRegistration } from './sign-in/registration.ts';
import { createVerifyInviteCode } from './tokens/invitations.ts';
import { createAuthentication, createSessions } from './tokens/tokens.ts';

const attemptDeletion = async (
  deps: AttemptDeps,
  { userid, tokenHash }: Student,
  pair: PasswordPair,
  context: CallContext,
): Promise<{ result: 'erased' | 'erasing'; outcome: string }> => {
  const caller = deps.callers.callerOf(userid, context.address, tokenHash ?? null);
  const stored = await deps.accounts.readPair(userid);
  if (!stored) throw failures.tokenUserGone();
  const sent = compareSubmitted(deps, { userid, pair }, stored);
  throwIfRefused(await deps.guard.decide(userid, (draft, at) => wantsDeletion(draft, caller, sent, at)));
  const result = await deps.accounts.deleteUser(userid, erasureOf(userid, deps.clock.now()));
  if (result === null) throw failures.tokenUserGone();
  try {
    await deps.forget(userid);
  } catch (cause) {
    // The account is erased. The session in memory expires by itself.
    const student = deps.callers.studentTag(userid);
    context.log.warn({ student, err: cause }, 'session of a deleted account not dropped');
  }
  return { result, outcome: 'deleted' };
};

export type Accounts = Omit<ReturnType<typeof createAccounts>, 'challenges'>;

/** All operations throw Failure `storage-failed` besides. */
export const createAccounts = (deps: AccountDeps) => {
  const attempts: AttemptDeps = {
    ...deps,
    limits: new RefusalLimits(deps.clock, deps.observer),
    turns: new Turns(),
    registeredFrom: new LRUCache(boundSize(10_000)),
  };
  const challenges = new Challenges(attempts);
  const logins = { ...attempts, desk: challenges };
  return {
    challenges,
    /** @throws Failure `invite-code-invalid`, `rate-limited` {retryAfterSeconds} */
    verifyInviteCode: createVerifyInviteCode(attempts),
    /**
     * @throws Failure in this order: `userid-malformed`, `rate-limited`, `invite-token-invalid`,
     *   `userid-taken` or `userid-erasing` {retryAfterSeconds}, `credentials-refused` {step}, `registration-cool-down`, `sign-in-guarded`, `rate-limited`,
     *   `sign-in-unavailable` {step}, `timed-out`
     */
    register: createRegistration(logins),
    /**
     * `context.bearer`, a token of this student that is or was valid, makes the caller an owner.
     * @throws Failure in this order: `rate-limited`, `user-unknown`, `login-cool-down`, `credentials-refused` {step},
     *   `sign-in-guarded`, `rate-limited`, `sign-in-unavailable`, `timed-out`
     */
    login: createLogin(logins),
    ...createAuthentication(deps),
    ...createSessions(deps),
    /**
     * Erases everything of the student whose stored pair this is; `erasing`: some of it remains for a while, and can do
     * nothing. A refusal makes no login wait.
     * @throws Failure in this order: `stored-credentials-unreadable`, `token-user-gone`, `login-cool-down`
     *   {retryAfterSeconds}, `account-proof-refused`
     */
    deleteAccount: (student: Student, pair: PasswordPair, context: CallContext): Promise<'erased' | 'erasing'> =>
      withOutcome(attempts, 'account deletion', student.userid, context, () =>
        attemptDeletion(attempts, student, pair, context),
      ),
  };
};
