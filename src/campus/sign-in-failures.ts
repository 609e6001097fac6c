import { Failure, type SignInStep } from '../domain/errors.ts';
import { LineFull } from '../lib/semaphore.ts';
import { BreakerOpen } from './breaker.ts';
import { TransportError } from './http.ts';

/** Seconds after which a call that met a full line is worth repeating. */
export const LINE_RETRY_SECONDS = 5;

/** What went wrong on the way to a session, in the domain's words. Failures pass through unchanged. */
export const signInFailure = (step: SignInStep, error: unknown): Failure => {
  if (error instanceof Failure) return error;
  if (error instanceof BreakerOpen) {
    return new Failure('sign-in-unavailable', {
      step,
      retryAfterSeconds: error.retryAfterSeconds,
      reason: 'breaker open',
    });
  }
  if (error instanceof LineFull) {
    return new Failure('sign-in-unavailable', { step, retryAfterSeconds: LINE_RETRY_SECONDS, reason: 'line full' });
  }
  if (error instanceof TransportError) {
    if (error.fault === 'timed-out') return new Failure('timed-out', { step, cause: error });
    const retry = error.fault === 'line-full' ? { retryAfterSeconds: LINE_RETRY_SECONDS } : {};
    return new Failure('sign-in-unavailable', { step, reason: error.fault, cause: error, ...retry });
  }
  return new Failure('internal', { step, cause: error });
};

/** The step before credentials are sent may be tried three times in all, but only when the network failed. */
const isWorthRepeating = (error: unknown): boolean =>
  (error instanceof TransportError && (error.fault === 'not-sent' || error.fault === 'broken')) ||
  (error instanceof Failure && error.kind === 'sign-in-unavailable' && error.reason === 'malformed');

export const repeatBeforeCredentials = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || signal.aborted || !isWorthRepeating(error)) throw error;
    }
  }
};
