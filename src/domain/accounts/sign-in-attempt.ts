import { studentTag } from '../../lib/hash.ts';
import type { CallContext } from '../context.ts';
import { asFailure, Failure, type FailureKind, isFailure } from '../errors.ts';
import type { AttemptName } from '../observation.ts';
import type { AccountDeps, AttemptDeps } from './account-deps.ts';
import type { GuardEvent, GuardFacts, GuardVerdict, SignInPurpose } from './login-guard.ts';
import type { PasswordPair, ProvenSession, SignInLine, StoredPair } from './ports.ts';

/**
 * Every answer from which a guesser could learn something. A cool-down belongs to them: it is what a wrong pair is
 * told while the stored one would be let through.
 */
const countedKinds: readonly FailureKind[] = [
  'user-unknown',
  'userid-taken',
  'invite-token-invalid',
  'login-cool-down',
  'registration-cool-down',
  'credentials-refused',
  'account-proof-refused',
];

/** A marker of the campus (it names its step) is not the caller's doing; being told of the running pause is a refusal. */
const isCounted = (error: unknown): boolean =>
  isFailure(error, ...countedKinds) || (isFailure(error, 'sign-in-guarded') && error.step === undefined);

export const refusal = (verdict: Extract<GuardVerdict, { type: 'refuse' }>): Failure => {
  switch (verdict.why) {
    case 'login-cool-down':
    case 'registration-cool-down':
      return new Failure(verdict.why, { retryAfterSeconds: verdict.retryAfterSeconds });
    case 'paused':
      return new Failure('sign-in-guarded', { retryAfterSeconds: verdict.retryAfterSeconds, reason: 'paused' });
    case 'set-aside':
      return new Failure('stored-credentials-refused', { step: verdict.step });
    case 'no-pair':
      return new Failure('token-user-gone');
    case 'credentials-refused':
      return new Failure('credentials-refused', { step: verdict.step });
    case 'proof-refused':
      return new Failure('account-proof-refused');
  }
};

const eventOf = (failure: Failure, purpose: SignInPurpose): GuardEvent | null => {
  switch (failure.kind) {
    case 'credentials-refused':
      return { type: 'refused', purpose, step: failure.step ?? 'portal' };
    case 'sign-in-guarded':
      return { type: 'guarded' };
    case 'sign-in-unavailable':
      return { type: 'unavailable' };
    case 'timed-out':
      return { type: 'timed-out' };
    default:
      return null;
  }
};

export interface CampusQuestion {
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly purpose: 'login' | 'registration';
  readonly facts: Omit<GuardFacts, 'now'>;
  readonly stored: StoredPair | null;
}

/** The stored pair is its owner's; any other one may be anybody's. */
const lineOf = ({ purpose, facts: { equalAt } }: CampusQuestion): SignInLine['line'] => {
  if (purpose === 'registration') return purpose;
  return equalAt.portal && equalAt['unified-login'] ? 'owner' : 'stranger';
};

/** Asks the campus once and writes down what it said before anybody is told. */
export const askCampus = async (
  deps: AccountDeps,
  question: CampusQuestion,
  context: CallContext,
): Promise<ProvenSession> => {
  const { userid, pair, purpose, facts, stored } = question;
  let proven: ProvenSession;
  try {
    const confirm = async () => {
      const { verdict } = await deps.guard.decide(userid, facts, { type: `${purpose}-wanted` });
      if (verdict.type === 'refuse') throw refusal(verdict);
    };
    proven = await deps.campus.prove(userid, pair, context, { confirm, line: { line: lineOf(question) } });
  } catch (error) {
    const failure = asFailure(error);
    // A refusal of the guard itself names no step: the campus was not asked and has said nothing new.
    const event =
      failure.step === undefined && failure.retryAfterSeconds !== undefined ? null : eventOf(failure, purpose);
    if (!event) throw error;
    const { verdict, setAside } = await deps.guard.decide(userid, facts, event);
    if (setAside && stored) await deps.accounts.markPairRefused(userid, stored.version, setAside);
    if (verdict.type === 'refuse' && verdict.why === 'paused') {
      throw new Failure('sign-in-guarded', {
        step: failure.step ?? 'portal',
        retryAfterSeconds: verdict.retryAfterSeconds,
        cause: failure,
      });
    }
    throw error;
  }
  await deps.guard.decide(userid, facts, { type: 'accepted', purpose });
  return proven;
};

/**
 * The account is stored by now. A session that cannot be kept costs one more sign-in later; reporting a failure would
 * leave the student without the token of an account that exists.
 */
export const adopt = async (deps: AccountDeps, proven: ProvenSession, context: CallContext): Promise<void> => {
  try {
    await deps.campus.adopt(proven);
  } catch (cause) {
    context.log.warn({ student: studentTag(proven.userid), err: cause }, 'proven session could not be kept');
  }
};

/** One attempt at a time per student id, counted for its address when it is refused. */
export const guardedAttempt = <T>(
  deps: AttemptDeps,
  userid: string,
  context: CallContext,
  attempt: (detached: CallContext) => Promise<T>,
): Promise<T> => {
  deps.signInLimits.check(context.address);
  return deps.oneAtATime.run(userid, context, (detached) =>
    deps.signInLimits.run(context.address, detached.signal, isCounted, () => attempt(detached)),
  );
};

/** A text that is no student id belongs to nobody: counted like any unknown one, but it needs no line of its own. */
export const attemptByNobody = (deps: AttemptDeps, context: CallContext): Promise<never> =>
  deps.signInLimits.run(context.address, context.signal, isCounted, () => Promise.reject(new Failure('user-unknown')));

/** One log line and one count per attempt: who (hashed, in the log only), what, and how it ended. */
export const withOutcome = async <T>(
  { observer }: AccountDeps,
  name: AttemptName,
  userid: string,
  context: CallContext,
  attempt: () => Promise<{ result: T; outcome: string }>,
): Promise<T> => {
  const student = studentTag(userid);
  try {
    const { result, outcome } = await attempt();
    observer?.attempt(name, outcome);
    context.log.info({ student, outcome }, name);
    return result;
  } catch (error) {
    const { kind, step, retryAfterSeconds } = asFailure(error);
    observer?.attempt(name, kind);
    context.log.info({ student, outcome: kind, step, retryAfterSeconds }, name);
    throw error;
  }
};
