import {
  type CampusSystem,
  Failure,
  type FailureDetails,
  type PasswordFate,
  type SignInStep,
} from '../../domain/errors.ts';
import { type HttpAnswer, silenceReason, type Unanswered } from '../transport/http.ts';

export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
}

export const failed = (failure: Failure): Failed => ({ kind: 'failed', failure });

export const signInFailed = (step: SignInStep, reason: string): Failed =>
  failed(new Failure('sign-in-unavailable', { step, reason }));

export const signInUnanswered = (step: SignInStep, silence: Unanswered): Failed => {
  const { fault, cause, retryAfterSeconds } = silence;
  return failed(
    fault === 'timed-out'
      ? new Failure('timed-out', { step, cause })
      : new Failure('sign-in-unavailable', { step, reason: silenceReason(silence), cause, retryAfterSeconds }),
  );
};

export const mayHaveArrived = ({ fault }: Unanswered): boolean =>
  ['broken', 'timed-out', 'too-large', 'garbled'].includes(fault);

/** The answer to a password is unknown and may be a refusal in other words, so reads do not repeat it. */
export const signInUnread = (step: SignInStep): Failed =>
  failed(new Failure('sign-in-unavailable', { step, reason: 'unknown answer', passwords: 'unread' }));

/** The login asks again for the password that it has just accepted. */
export const signInUnstable = (step: SignInStep): Failed =>
  failed(new Failure('sign-in-unavailable', { step, reason: 'session does not hold', passwords: 'unstable' }));

const withDetails = (
  { failure }: Failed,
  details: Pick<FailureDetails, 'passwords' | 'system' | 'upstreamMessage'>,
): Failed => {
  const {
    kind,
    step,
    system,
    retryAfterSeconds,
    upstreamStatus,
    upstreamMessage,
    reason,
    passwords,
    campusSays,
    cause,
  } = failure;
  const known = {
    step,
    system,
    retryAfterSeconds,
    upstreamStatus,
    upstreamMessage,
    reason,
    passwords,
    campusSays,
    cause,
  };
  return failed(new Failure(kind, { ...known, ...details }));
};

export const withPasswords = (outcome: Failed, passwords: PasswordFate): Failed => withDetails(outcome, { passwords });

export const withSystem = (outcome: Failed, system: CampusSystem): Failed => withDetails(outcome, { system });

/** The campus says why, in plain text. */
export const withWords = (outcome: Failed, words: string): Failed =>
  words === '' ? outcome : withDetails(outcome, { upstreamMessage: words });

const TRIES = 3;

/** Asks up to three times, where the network failed or `read` gives null: not the expected page. */
export const beforeCredentials = async <T>(
  step: SignInStep,
  ask: () => Promise<HttpAnswer | Unanswered>,
  read: (answer: HttpAnswer) => T | null,
  saw: (isKnown: boolean) => void,
): Promise<T | Failed> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.kind === 'answer') {
      const found = read(answer);
      // While a server is down, its answers say nothing of its pages.
      if (answer.status < 500) saw(found !== null);
      if (found !== null) return found;
      if (attempt === TRIES) return signInFailed(step, answer.status === 200 ? 'malformed' : `status ${answer.status}`);
    } else if (attempt === TRIES || (answer.fault !== 'not-sent' && answer.fault !== 'broken')) {
      return signInUnanswered(step, answer);
    }
  }
};
