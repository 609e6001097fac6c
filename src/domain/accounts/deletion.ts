import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import { type AttemptDeps, passed, withOutcome } from './attempt.ts';
import { submitted } from './pair-asks.ts';
import type { PasswordPair } from './ports.ts';

const attemptDeletion = async (
  deps: AttemptDeps,
  { userid, tokenHash }: Student,
  pair: PasswordPair,
  context: CallContext,
): Promise<{ result: undefined; outcome: string }> => {
  const scope = { userid, code: null };
  const caller = deps.callers.callerOf(userid, context.address, {
    holder: tokenHash !== undefined,
    hash: tokenHash ?? null,
  });
  passed(await deps.guard.look(scope, { type: 'comparing', by: 'holder', caller }));
  const stored = await deps.accounts.readPair(userid);
  if (!stored) throw new Failure('token-user-gone');
  const sent = submitted(deps, { userid, pair }, stored);
  passed(await deps.guard.decide(scope, { type: 'deletion-wanted', caller, pair: sent }));
  if (!(await deps.accounts.deleteUser(userid))) throw new Failure('token-user-gone');
  try {
    await deps.campus.forget(userid);
  } catch (cause) {
    // The account and everything sealed is gone; what is left in memory belongs to nobody and ages out.
    const student = deps.callers.studentTag(userid);
    context.log.warn({ student, err: cause }, 'session of a deleted account not dropped');
  }
  return { result: undefined, outcome: 'deleted' };
};

export const createDeletion =
  (deps: AttemptDeps) =>
  (student: Student, pair: PasswordPair, context: CallContext): Promise<void> =>
    withOutcome(deps, 'account deletion', student.userid, context, () => attemptDeletion(deps, student, pair, context));
