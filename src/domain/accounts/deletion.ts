import { studentTag } from '../../lib/hash.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { AttemptDeps } from './account-deps.ts';
import { compareSecrets } from './password-pair.ts';
import type { PasswordPair } from './ports.ts';
import { guardedAttempt, refusal, withOutcome } from './sign-in-attempt.ts';

const attemptDeletion = async (
  deps: AttemptDeps,
  userid: string,
  pair: PasswordPair,
  context: CallContext,
): Promise<{ result: undefined; outcome: string }> => {
  const stored = await deps.accounts.readPair(userid);
  if (!stored) throw new Failure('token-user-gone');
  const facts = {
    stored: stored.refusedStep ?? ('good' as const),
    equalAt: compareSecrets(pair, stored.pair),
    impossibleAt: null,
    healthySession: false,
  };
  const { verdict } = await deps.guard.decide(userid, facts, { type: 'deletion-wanted' });
  if (verdict.type === 'refuse') throw refusal(verdict);
  if (!(await deps.accounts.deleteUser(userid))) throw new Failure('token-user-gone');
  try {
    await deps.campus.forget(userid);
  } catch (cause) {
    // The account and everything sealed is gone; what is left in memory belongs to nobody and ages out.
    context.log.warn({ student: studentTag(userid), err: cause }, 'session of a deleted account not dropped');
  }
  return { result: undefined, outcome: 'deleted' };
};

export const createDeletion =
  (deps: AttemptDeps) =>
  (student: Student, pair: PasswordPair, context: CallContext): Promise<void> =>
    withOutcome(deps, 'account deletion', student.userid, context, async () =>
      guardedAttempt(deps, student.userid, context, (detached) =>
        attemptDeletion(deps, student.userid, pair, detached),
      ),
    );
