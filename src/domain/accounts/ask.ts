import { equalInConstantTime, randomToken } from '../../lib/hash.ts';
import type { HalfSignIn } from '../challenge.ts';
import type { CallContext } from '../context.ts';
import { asFailure, Failure, isFailure, type SignInStep } from '../errors.ts';
import { withLease } from '../lease.ts';
import { type AccountDeps, LEASE_MS, type OwnPace, passed } from './attempt.ts';
import { signInLease } from './callers.ts';
import type { Answer, AskOutcome, Caller, GuardRows, SubmittedPair } from './guard/row.ts';
import { beginsAsk, beginsStored, endsAsk, endsStored, isStored, type StoredPrints } from './guard/rules.ts';
import type { GrantKind } from './personal-tokens.ts';
import type { PasswordPair, StoredPair, VerifiedSession, VerifyOptions } from './ports.ts';

// A pair on its way to the campus: alone for its student, booked before it leaves, and its outcome written down before
// anybody is told.

export interface PairEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
  /** Which grants stay where a login replaces the stored pair. */
  readonly keep?: readonly GrantKind[];
}

const LONGEST_SECRET = 256;

/** The first step, in the order in which they are sent, whose secret is impossible: empty, blank, or too long. */
export const impossibleStep = (pair: PasswordPair, longestVpnPassword: number): SignInStep | null => {
  const possible = (secret: string): boolean => secret.trim() !== '' && secret.length <= LONGEST_SECRET;
  if (!possible(pair.vpnPassword) || Buffer.byteLength(pair.vpnPassword) > longestVpnPassword) return 'portal';
  return possible(pair.password) ? null : 'unified-login';
};

/** Compares both secrets in constant time; the second is compared in any case. */
const compareSecrets = (submitted: PasswordPair, stored: PasswordPair): Record<SignInStep, boolean> => ({
  portal: equalInConstantTime(submitted.vpnPassword, stored.vpnPassword),
  'unified-login': equalInConstantTime(submitted.password, stored.password),
});

/**
 * A pair that cannot be unsealed (its key is gone) is as good as none: the login replaces it and, since it is unknown
 * whether the passwords changed, ends all other tokens.
 */
export const readablePair = async (
  deps: AccountDeps,
  userid: string,
  context: CallContext,
): Promise<StoredPair | null> => {
  try {
    return await deps.accounts.readPair(userid);
  } catch (error) {
    if (!isFailure(error, 'stored-credentials-unreadable')) throw error;
    const student = deps.callers.studentTag(userid);
    context.log.warn({ student }, 'stored credentials are unreadable, login replaces them');
    return null;
  }
};

/** The pair as the guard sees it. */
export const submitted = (
  deps: AccountDeps,
  { userid, pair }: PairEntry,
  stored: StoredPair | null,
): SubmittedPair => ({
  stored: stored ? (stored.refusedStep ?? 'good') : 'none',
  equalAt: stored ? compareSecrets(pair, stored.pair) : { portal: false, 'unified-login': false },
  prints: deps.callers.prints(userid, pair),
});

/** By the newest key. */
export const firstPrints = ({ portal, 'unified-login': login }: SubmittedPair['prints']): StoredPrints => ({
  portal: portal[0] ?? '',
  'unified-login': login[0] ?? '',
});

export const outcomeOf = (failure: Failure): AskOutcome => {
  const { kind, passwords, wanted, half, step = 'portal' } = failure;
  // The campus has seen an attack, whether or not a password was on its way.
  if (kind === 'sign-in-guarded') return { type: 'marker' };
  if (kind === 'person-needed' && wanted === 'captcha') return { type: 'captcha' };
  if (kind === 'person-needed' && wanted !== undefined && passwords !== 'unsent') {
    return { type: 'person', wanted, step, offered: half !== undefined };
  }
  if (passwords !== undefined) return { type: passwords === 'accepted' ? 'passed' : passwords };
  return kind === 'credentials-refused' ? { type: 'refused', step } : { type: 'unknown' };
};

/** How one pair is booked with the guard. */
export interface Booking {
  /** For the metrics. */
  readonly callers: string;
  /** Looks at everything again and books the ask. @throws Failure when the guard refuses */
  begin(): Promise<void>;
  /** Writes down the answer of the campus. */
  end(outcome: AskOutcome): Promise<Answer>;
}

export interface PairAsk {
  readonly entry: PairEntry;
  readonly caller: Caller;
  readonly sent: SubmittedPair;
  readonly stored: StoredPair | null;
}

/** Of a registered student. `isAnswer`: it goes on with what a person has answered. */
export const bookingOf = (deps: AccountDeps, ask: PairAsk, isAnswer = false): Booking => {
  const { guard, callers, accounts } = deps;
  const { entry, caller, sent, stored } = ask;
  const { userid } = entry;
  const id = randomToken();
  const tag = callers.studentTag(userid);
  const storedPrints = stored ? firstPrints(callers.prints(userid, stored.pair)) : null;
  const setAside = async (answer: Answer): Promise<Answer> => {
    if (answer.type === 'noted' && answer.setAside && stored) {
      await accounts.markPairRefused(userid, stored.version, answer.setAside);
    }
    return answer;
  };
  if (isStored(sent)) {
    const wanted = { stored: sent.stored, tag, caller };
    let seen: GuardRows | undefined;
    return {
      callers: 'stored',
      async begin() {
        seen = await guard.read(userid);
        if (!isAnswer) passed(await guard.decide(userid, (draft, at) => beginsStored(draft, wanted, at), seen));
      },
      async end(outcome) {
        const ended = { id, tag, caller, outcome, storedPrints };
        return setAside(await guard.decide(userid, (draft, at) => endsStored(draft, ended, at), seen));
      },
    };
  }
  const asked = { id, caller, pair: sent, tag };
  return {
    callers: 'login',
    async begin() {
      passed(await guard.book(userid, (draft, at) => beginsAsk(draft, { ...asked, isAnswer }, at)));
    },
    end: async (outcome) =>
      setAside(await guard.book(userid, (draft, at) => endsAsk(draft, { ...asked, outcome, storedPrints }, at))),
  };
};

/** Returns the failure for the caller once it has been stored. */
const toldOf = (failure: Failure, answer: Answer): Failure => {
  if (answer.type !== 'noted') return failure;
  const { kind, step, reason, half, wanted, passwords } = failure;
  if (kind === 'credentials-refused' && answer.triesLeft !== null) {
    return new Failure(kind, { step, reason, triesLeft: answer.triesLeft, cause: failure });
  }
  return half || wanted || passwords || answer.restMs === 0
    ? failure
    : new Failure(kind, { step, reason, retryAfterSeconds: Math.ceil(answer.restMs / 1000), cause: failure });
};

interface Sending {
  readonly booking: Booking;
  /** Under the lease, when everything is booked: puts the passwords, or an answer, to the campus. */
  send(): Promise<VerifiedSession>;
  /** It goes on when the person has answered: what the caller is told. Left out: no challenge is possible. */
  opens?(half: HalfSignIn): Promise<Failure>;
}

/** Books, sends and writes down; the caller holds the student's lease. */
export const ask = async (
  deps: AccountDeps,
  { booking, send, opens }: Sending,
  pace: OwnPace,
): Promise<VerifiedSession> => {
  await booking.begin();
  pace.detach();
  let verified: VerifiedSession;
  try {
    verified = await send();
  } catch (error) {
    const failure = asFailure(error);
    const outcome = outcomeOf(failure);
    if (outcome.type === 'refused' || outcome.type === 'marker') deps.observer?.wrongAsk(booking.callers, outcome.type);
    const told = toldOf(failure, await booking.end(outcome));
    throw failure.half && opens ? await opens(failure.half) : told;
  }
  await booking.end({ type: 'accepted' });
  return verified;
};

/**
 * A turn in the line of sign-ins and the lease of the student over all replicas. A stranger who waits for a place must not
 * hold the lease: its owner would wait as well.
 */
export const alone = <T>(
  deps: AccountDeps,
  { userid, pair }: PairEntry,
  options: VerifyOptions,
  { context }: OwnPace,
  turn: (signIn: () => Promise<VerifiedSession>) => Promise<T>,
): Promise<T> => {
  const leased = (work: () => Promise<T>): Promise<T> =>
    withLease(deps.leases, { name: signInLease(userid), lifeMs: LEASE_MS, signal: context.signal }, work);
  const inQueue = (work: typeof turn): Promise<T> => deps.campus.verify(userid, pair, context, options, work);
  return options.queue === 'owner' ? leased(() => inQueue(turn)) : inQueue((signIn) => leased(() => turn(signIn)));
};
