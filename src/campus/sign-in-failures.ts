import { Failure, type SignInStep } from '../domain/errors.ts';
import { type HttpAnswer, LINE_RETRY_SECONDS } from './http.ts';
import { type Failed, failed, type Unanswered } from './session/verdict.ts';

export const signInFailed = (step: SignInStep, reason: string): Failed =>
  failed(new Failure('sign-in-unavailable', { step, reason }));

/** A request on the way to a session that brought no answer, in the domain's words. */
export const signInUnanswered = (step: SignInStep, { fault, cause, retryAfterSeconds }: Unanswered): Failed =>
  failed(
    fault === 'timed-out'
      ? new Failure('timed-out', { step, cause })
      : new Failure('sign-in-unavailable', {
          step,
          reason: fault,
          cause,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }),
  );

export const signInLineFull = (step: SignInStep): Failed =>
  failed(new Failure('sign-in-unavailable', { step, reason: 'line-full', retryAfterSeconds: LINE_RETRY_SECONDS }));

/** The same failure, with the word that no password has left the service. */
export const unsent = ({ failure }: Failed): Failed => {
  const { kind, step, retryAfterSeconds, reason, cause } = failure;
  return failed(
    new Failure(kind, {
      ...(step === undefined ? {} : { step }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(reason === undefined ? {} : { reason }),
      unsent: true,
      cause,
    }),
  );
};

const TRIES = 3;

/**
 * What comes before the credentials may be tried three times in all, but only when the network failed or the answer
 * was not what was asked for (`read` gives null).
 * @throws the reason of a caller's signal, as `ask` does
 */
export const beforeCredentials = async <T>(
  step: SignInStep,
  ask: () => Promise<HttpAnswer | Unanswered>,
  read: (answer: HttpAnswer) => T | null,
): Promise<T | Failed> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.kind === 'answer') {
      const found = read(answer);
      if (found !== null) return found;
      if (attempt === TRIES) return signInFailed(step, 'malformed');
    } else if (attempt === TRIES || (answer.fault !== 'not-sent' && answer.fault !== 'broken')) {
      return signInUnanswered(step, answer);
    }
  }
};
