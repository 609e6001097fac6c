import { type CampusSystem, type Failure, failures, type PasswordFate, type SignInStep } from '../../domain/errors.ts';
import { type HttpAnswer, silenceReason, type Unanswered } from '../transport/http.ts';

export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
}

export const fail = (failure: Failure): Failed => ({ kind: 'failed', failure });

export const signInFailed = (step: SignInStep, reason: string): Failed =>
  fail(failures.signInUnavailable(step, reason));

export const signInUnanswered = (step: SignInStep, silence: Unanswered): Failed => {
  const { fault, cause, retryAfterSeconds } = silence;
  return fail(
    fault === 'timed-out'
      ? failures.timedOut(undefined, { step, cause })
      : failures.signInUnavailable(step, silenceReason(silence), { cause, retryAfterSeconds }),
  );
};

export const mayHaveArrived = ({ fault }: Unanswered): boolean =>
  ['broken', 'timed-out', 'too-large', 'garbled'].includes(fault);

/** A firewall in front of the campus wants a script run, which no server passes. */
export const isFirewall = ({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): boolean =>
  status === 202 || status === 412 || text.includes('$_ts');

const campusSaysIn = (answer: Pick<HttpAnswer, 'status' | 'text'>) =>
  isFirewall(answer) ? ({ campusSays: 'blocked' } as const) : {};

/** The answer to a password is unknown and may be a refusal in other words, so reads do not repeat it. */
export const signInUnread = (step: SignInStep, answer?: Pick<HttpAnswer, 'status' | 'text'>): Failed => {
  const said = answer === undefined ? {} : campusSaysIn(answer);
  return fail(failures.signInUnavailable(step, 'unknown answer', { passwords: 'unread', ...said }));
};

/** The login asks again for the password that it has just accepted. */
export const signInUnstable = (step: SignInStep): Failed =>
  fail(failures.signInUnavailable(step, 'session does not hold', { passwords: 'unstable' }));

export const withPasswords = ({ failure }: Failed, passwords: PasswordFate): Failed =>
  fail(failure.with({ passwords }));

export const withSystem = ({ failure }: Failed, system: CampusSystem): Failed => fail(failure.with({ system }));

/** The campus says why, in plain text. */
export const withWords = (outcome: Failed, words: string): Failed =>
  words === '' ? outcome : fail(outcome.failure.with({ upstreamMessage: words }));

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
      if (attempt < TRIES && !isFirewall(answer)) continue;
      const reason = answer.status === 200 ? 'malformed' : `status ${answer.status}`;
      return fail(failures.signInUnavailable(step, reason, campusSaysIn(answer)));
    } else if (attempt === TRIES || (answer.fault !== 'not-sent' && answer.fault !== 'broken')) {
      return signInUnanswered(step, answer);
    }
  }
};
