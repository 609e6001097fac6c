import { randomToken, sha256, studentTag } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { Failure, isFailure } from '../errors.ts';
import type { AccountDeps, AttemptDeps } from './account-deps.ts';
import { type GuardFacts, neither } from './login-guard.ts';
import { compareSecrets, impossibleStep } from './password-pair.ts';
import type { PasswordPair, StoredPair } from './ports.ts';
import { adopt, askCampus, attemptByNobody, guardedAttempt, refusal, withOutcome } from './sign-in-attempt.ts';
import { KEPT_TOKENS } from './tokens.ts';
import { isUserid } from './userid.ts';

interface LoginEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
}

/** A pair that cannot be unsealed (its key is gone) is as good as none: the login replaces it. */
const readablePair = async (deps: AccountDeps, userid: string, context: CallContext): Promise<StoredPair | null> => {
  try {
    return await deps.accounts.readPair(userid);
  } catch (error) {
    if (!isFailure(error, 'stored-credentials-unreadable')) throw error;
    context.log.warn({ student: studentTag(userid) }, 'stored credentials are unreadable, login replaces them');
    return null;
  }
};

const factsOf = async (
  deps: AccountDeps,
  { userid, pair }: LoginEntry,
  stored: StoredPair | null,
): Promise<Omit<GuardFacts, 'now'>> => {
  const equalAt = stored ? compareSecrets(pair, stored.pair) : neither;
  const good = stored !== null && stored.refusedStep === null;
  return {
    stored: stored ? (stored.refusedStep ?? 'good') : 'none',
    equalAt,
    impossibleAt: impossibleStep(pair),
    healthySession: good && equalAt.portal && equalAt['unified-login'] && (await deps.campus.healthy(userid)),
  };
};

const attemptLogin = async (
  deps: AttemptDeps,
  entry: LoginEntry,
  caller: CallContext,
  detached: CallContext,
): Promise<{ result: { token: string }; outcome: string }> => {
  const { userid, pair } = entry;
  if (!(await deps.accounts.findUser(userid))) throw new Failure('user-unknown');
  const stored = await readablePair(deps, userid, detached);
  const facts = await factsOf(deps, entry, stored);
  const { verdict } = await deps.guard.decide(userid, facts, { type: 'login-wanted' });
  if (verdict.type === 'refuse') throw refusal(verdict);
  caller.signal.throwIfAborted();
  const proven =
    verdict.type === 'ask-campus'
      ? await askCampus(deps, { userid, pair, purpose: 'login', facts, stored }, detached)
      : null;
  // The outcome is written down; a caller who left gets no token that nobody holds.
  caller.signal.throwIfAborted();

  const changed = !(stored && facts.equalAt.portal && facts.equalAt['unified-login']);
  const token = randomToken();
  const now = deps.clock.now();
  const recorded = await deps.accounts.recordLogin({
    userid,
    // An equal pair that had been set aside is stored again, which makes it good again.
    newPair: proven && (changed || facts.stored !== 'good') ? pair : null,
    tokenHash: sha256(token),
    tokenExpiresAt: now + deps.settings.tokenTtlMs,
    now,
    keep: KEPT_TOKENS,
    revokeOthers: proven !== null && changed,
    clearCoolDown: proven !== null,
  });
  if (recorded === 'user-gone') throw new Failure('user-unknown');
  if (proven) await adopt(deps, proven, detached);
  return { result: { token }, outcome: proven ? 'accepted' : verdict.type };
};

export const createLogin =
  (deps: AttemptDeps) =>
  (entry: LoginEntry, context: CallContext): Promise<{ token: string }> =>
    withOutcome(deps, 'login', entry.userid, context, async () => {
      if (!isUserid(entry.userid)) return attemptByNobody(deps, context);
      return guardedAttempt(deps, entry.userid, context, (detached) => attemptLogin(deps, entry, context, detached));
    });
