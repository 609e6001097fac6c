import type { components } from './api.ts';
import type { CampusClient } from './client.ts';
import { CampusError } from './errors.ts';

/** What only the student can do for a login. `id` is as secret as a token. */
export type Challenge = Readonly<components['schemas']['LoginChallenge']>;

/** What the student wants: to answer; to be sent a code, or shown another image; or to give up (null). */
export type PersonSays = { readonly answer: string } | { readonly send: true; readonly target?: number } | null;

export interface PersonOptions {
  /**
   * Shows `challenge` and tells what the student wants. `problem`: why the last thing did not work; null at first.
   * Called again until the login is complete, given up or over.
   */
  readonly ask: (challenge: Challenge, problem: CampusError | null) => Promise<PersonSays>;
  /** A challenge is open: keep its id, for `walkChallenge` after the app was closed. `null`: it is over. */
  readonly onOpen?: (id: string | null) => void;
  readonly signal?: AbortSignal;
}

/** Nothing came of what was sent, and the same step goes on. */
const goesOn: readonly unknown[] = ['VALIDATION_ERROR', 'COOLDOWN', 'CHALLENGE_BUSY'];
/** What became of it is unknown: the challenge is looked at, and nothing is sent a second time. */
const isLost = ({ code, status }: CampusError): boolean =>
  code === 'NETWORK' || code === 'NO_ANSWER' || code === 'NOT_THE_SERVICE' || status === 502 || status === 504;

/**
 * Goes on with a challenge, of an answer that failed or by the id of an earlier run, until the student is logged in (the
 * client has the token then) or has given up: false. @throws CampusError `NOT_FOUND` when it is over: log in again, which
 * needs no step where it was passed and the answer got lost
 */
export const walkChallenge = async (
  client: CampusClient,
  from: Challenge | string,
  { ask, onOpen, signal }: PersonOptions,
): Promise<boolean> => {
  const options = signal === undefined ? {} : { signal };
  const id = typeof from === 'string' ? from : (from.id ?? '');
  const call = { path: { id }, ...options };
  const look = async (): Promise<Challenge> => {
    const { challenge } = (await client.getChallenge(call)).data;
    if (challenge !== null) return challenge;
    throw new CampusError({ operation: 'getChallenge', code: 'NOT_FOUND', message: 'over' });
  };
  try {
    let challenge = typeof from === 'string' ? await look() : from;
    onOpen?.(id);
    let problem: CampusError | null = null;
    for (;;) {
      const says: PersonSays = await ask(challenge, problem);
      if (says === null) {
        await client.deleteChallenge(call);
        onOpen?.(null);
        return false;
      }
      try {
        if ('answer' in says) {
          await client.answerChallenge({ ...call, body: { answer: says.answer } });
          break;
        }
        const target = says.target === undefined ? {} : { target: says.target };
        challenge = (await client.sendChallenge({ ...call, body: target })).data.challenge ?? challenge;
        problem = null;
      } catch (error) {
        if (!(error instanceof CampusError)) throw error;
        problem = error;
        if (error.challenge?.id === id) challenge = error.challenge;
        else if (isLost(error)) challenge = await look();
        else if (!goesOn.includes(error.code)) throw error;
      }
    }
    onOpen?.(null);
    return true;
  } catch (error) {
    if (error instanceof CampusError && error.code === 'NOT_FOUND') onOpen?.(null);
    throw error;
  }
};

/**
 * A login or registration, and what the campus may want of the student for it:
 * `await withPerson(campus, () => campus.login({ body }), { ask })`. False: given up.
 */
export const withPerson = async (
  client: CampusClient,
  attempt: () => Promise<unknown>,
  options: PersonOptions,
): Promise<boolean> => {
  try {
    await attempt();
    return true;
  } catch (error) {
    const from = error instanceof CampusError ? error.challenge : null;
    if (from === null || from.id === null) throw error;
    return walkChallenge(client, from, options);
  }
};

/** After a read that failed with `PERSON_NEEDED`: renews the session at the campus, with the student there. */
export const renewWithPerson = async (client: CampusClient, options: PersonOptions): Promise<boolean> => {
  try {
    const { challenge } = (await client.beginChallenge(options.signal === undefined ? {} : { signal: options.signal }))
      .data;
    return challenge === null || walkChallenge(client, challenge, options);
  } catch (error) {
    // The session is live after all.
    if (error instanceof CampusError && error.code === 'CHALLENGE_NEEDLESS') return true;
    throw error;
  }
};
