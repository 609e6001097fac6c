import { randomToken, sha256 } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { Failure } from '../errors.ts';
import type { AttemptDeps } from './account-deps.ts';
import { neither } from './login-guard.ts';
import { impossibleStep } from './password-pair.ts';
import type { PasswordPair } from './ports.ts';
import { adopt, askCampus, guardedAttempt, refusal, withOutcome } from './sign-in-attempt.ts';
import { isUserid } from './userid.ts';

interface RegistrationEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly inviteToken: string;
}

const attemptRegistration = async (
  deps: AttemptDeps,
  { userid, pair, inviteToken }: RegistrationEntry,
  caller: CallContext,
  detached: CallContext,
): Promise<{ result: { token: string }; outcome: string }> => {
  const facts = {
    stored: 'none' as const,
    equalAt: neither,
    impossibleAt: impossibleStep(pair),
    healthySession: false,
  };
  const { verdict } = await deps.guard.decide(userid, facts, { type: 'registration-wanted' });
  if (verdict.type === 'refuse' && verdict.why === 'registration-cool-down') throw refusal(verdict);
  const inviteTokenHash = sha256(inviteToken);
  if (!(await deps.invites.tokenUsable(inviteTokenHash, deps.clock.now()))) throw new Failure('invite-token-invalid');
  if (await deps.accounts.findUser(userid)) throw new Failure('userid-taken');
  // What the guard says about the pair and a pause comes after the two checks above.
  if (verdict.type === 'refuse') throw refusal(verdict);
  caller.signal.throwIfAborted();
  const proven = await askCampus(deps, { userid, pair, purpose: 'registration', facts, stored: null }, detached);
  caller.signal.throwIfAborted();

  const token = randomToken();
  const now = deps.clock.now();
  const stored = await deps.accounts.register({
    userid,
    pair,
    inviteTokenHash,
    tokenHash: sha256(token),
    tokenExpiresAt: now + deps.settings.tokenTtlMs,
    now,
  });
  if (stored !== 'created') throw new Failure(stored);
  await adopt(deps, proven, detached);
  return { result: { token }, outcome: 'created' };
};

export const createRegistration =
  (deps: AttemptDeps) =>
  (entry: RegistrationEntry, context: CallContext): Promise<{ token: string }> =>
    withOutcome(deps, 'registration', entry.userid, context, async () => {
      if (!isUserid(entry.userid)) throw new Failure('userid-malformed');
      return guardedAttempt(deps, entry.userid, context, (detached) =>
        attemptRegistration(deps, entry, context, detached),
      );
    });
