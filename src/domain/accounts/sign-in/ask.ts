import { equalInConstantTime, randomToken } from '../../../lib/hash.ts';
import type { HalfSignIn } from '../../challenge.ts';
import type { CallContext } from '../../context.ts';
import {
  asFailure,
  type Failure,
  halfSignInOf,
  isFailure,
  passwordFateOf,
  type SignInStep,
  signInSteps,
} from '../../errors.ts';
import { holdLease } from '../../lease.ts';
import { beginsAsk, endsAsk, type PairAsk, type StoredPrints } from '../guard/asking.ts';
import { type Caller, isStored, SIGN_IN_LEASE_MS, type SubmittedPair, signInLease } from '../guard/callers.ts';
import { beginsStored, endsStored } from '../guard/stored-pair.ts';
import type { AskOutcome, Verdict } from '../guard/verdict.ts';
import type { CampusAccess, PasswordPair, SignInQueue, StoredPair, VerifiedSession } from '../ports.ts';
import { type AccountDeps, type OwnPace, type PairEntry, throwIfRefused } from './attempt.ts';

// A pair is put to the campus: one at a time for its student, booked before it leaves, and its outcome stored before the
// caller is told.

const LONGEST_SECRET = 256;

/** The first step whose secret is impossible: empty, blank, or too long. */
export const impossibleStep = (
  pair: PasswordPair,
  campus: Pick<CampusAccess, 'longestPassword'>,
): SignInStep | null => {
  const secrets = { portal: pair.vpnPassword, 'unified-login': pair.password };
  const isImpossible = (step: SignInStep): boolean => {
    const longest = campus.longestPassword(step);
    // The copy of the other half, where the campus takes one, is as possible as that.
    if (longest === null) return false;
    const secret = secrets[step];
    return secret.trim() === '' || secret.length > LONGEST_SECRET || Buffer.byteLength(secret) > longest;
  };
  return signInSteps.find(isImpossible) ?? null;
};

/** Compares both in constant time, even if the first one differs. */
const compareSecrets = (submitted: PasswordPair, stored: PasswordPair): Record<SignInStep, boolean> => ({
  portal: equalInConstantTime(submitted.vpnPassword, stored.vpnPassword),
  'unified-login': equalInConstantTime(submitted.password, stored.password),
});

/**
 * A pair that cannot be unsealed counts as none. The login replaces it and ends all other tokens, because nothing tells
 * whether the passwords have changed.
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

export const compareSubmitted = (
  deps: AccountDeps,
  { userid, pair }: PairEntry,
  stored: StoredPair | null,
): SubmittedPair => ({
  stored: stored ? (stored.refusedStep ?? 'good') : 'none',
  equalAt: stored ? compareSecrets(pair, stored.pair) : { portal: false, 'unified-login': false },
  fingerprints: deps.callers.fingerprints(userid, pair),
});

/** Under the newest key. */
export const firstPrints = ({ portal, 'unified-login': login }: SubmittedPair['fingerprints']): StoredPrints => ({
  portal: portal[0] ?? '',
  'unified-login': login[0] ?? '',
});

/** Without the half that it is about, which every sign-in names, it is no refusal and no step that could be booked. */
export const askOutcomeOf = (failure: Failure): AskOutcome => {
  const { kind, step } = failure;
  const passwords = passwordFateOf(failure);
  // The campus has seen an attack, whether or not a password was on its way.
  if (kind === 'sign-in-guarded') return { type: passwords === 'locked' ? 'locked' : 'marker' };
  if (kind === 'person-needed' && failure.wanted === 'captcha') return { type: 'captcha' };
  if (kind === 'person-needed' && failure.wanted !== undefined && passwords !== 'unsent' && step !== undefined) {
    return { type: 'person', wanted: failure.wanted, step, offered: failure.half !== undefined };
  }
  if (kind === 'credentials-refused' && step !== undefined)
    return { type: 'refused', step, ...(passwords === 'unsent' && { unsent: true }) };
  return { type: passwords === undefined ? 'unknown' : passwords === 'accepted' ? 'passed' : passwords };
};

export interface PairBooking {
  readonly entry: PairEntry;
  readonly caller: Caller;
  readonly sent: SubmittedPair;
  readonly stored: StoredPair | null;
  /** Hash of the invite token of a registration. */
  readonly invite?: string;
  /** It continues a sign-in with the answer to a challenge. */
  readonly isAnswer?: boolean;
}

/** Books one ask with the guard: the stored pair by the rules of sign-ins, any other by those of asking. */
export class Booking {
  readonly #deps: AccountDeps;
  readonly #booking: PairBooking;
  readonly #ask: PairAsk;

  constructor(deps: AccountDeps, booking: PairBooking) {
    const { entry, caller, sent, invite, isAnswer } = booking;
    this.#deps = deps;
    this.#booking = booking;
    const tag = deps.callers.studentTag(entry.userid);
    this.#ask = { id: randomToken(), caller, pair: sent, tag, isAnswer, ...(invite !== undefined && { invite }) };
  }

  /**
   * Puts the pair to the campus with `send`. The caller holds the student's lease. `opens`: opens a challenge, and returns
   * the failure for the caller.
   */
  async ask(
    send: () => Promise<VerifiedSession>,
    opens: (half: HalfSignIn) => Promise<Failure>,
    pace: OwnPace,
  ): Promise<VerifiedSession> {
    await this.begin();
    pace.detach();
    let verified: VerifiedSession;
    try {
      verified = await send();
    } catch (error) {
      const failure = asFailure(error);
      const outcome = askOutcomeOf(failure);
      this.#count(outcome);
      const told = tellOwner(tellCaller(failure, await this.end(outcome)), this.#ask.caller.token.length > 0);
      const half = halfSignInOf(failure);
      throw half ? await opens(half) : told;
    }
    await this.end({ type: 'accepted' });
    return verified;
  }

  /** @throws Failure when the guard refuses */
  async begin(): Promise<void> {
    const { entry, sent, isAnswer } = this.#booking;
    if (isAnswer === true && isStored(sent)) return;
    const { tag, caller } = this.#ask;
    throwIfRefused(
      await this.#deps.guard.decide(entry.userid, (draft, at) =>
        isStored(sent) ? beginsStored(draft, { stored: 'good', tag, caller }, at) : beginsAsk(draft, this.#ask, at),
      ),
    );
  }

  async end(outcome: AskOutcome): Promise<Verdict> {
    const { guard, callers, accounts } = this.#deps;
    const { entry, sent, stored } = this.#booking;
    const { userid } = entry;
    const storedPrints = stored ? firstPrints(callers.fingerprints(userid, stored.pair)) : null;
    const ended = { ...this.#ask, outcome, storedPrints };
    const answer = await guard.decide(userid, (draft, at) =>
      isStored(sent) ? endsStored(draft, ended, at) : endsAsk(draft, ended, at),
    );
    if (answer.type === 'noted' && answer.setAside && stored) {
      await accounts.markPairRefused(userid, stored.version, answer.setAside);
    }
    return answer;
  }

  #count({ type }: AskOutcome): void {
    const { sent, invite } = this.#booking;
    const other = invite === undefined ? 'login' : 'registration';
    if (type === 'refused' || type === 'marker') this.#deps.observer?.wrongAsk(isStored(sent) ? 'stored' : other, type);
  }
}

/** What the campus says of the account is only for a caller with a token of the student. */
export const tellOwner = (failure: Failure, hasToken: boolean): Failure =>
  hasToken && failure.kind === 'sign-in-guarded' && failure.passwords === 'locked'
    ? failure.with({
        forOwner: true,
        retryAfterSeconds: failure.lockedSeconds ?? failure.retryAfterSeconds,
        cause: failure,
      })
    : failure;

/** The failure that the caller is shown. */
const tellCaller = (failure: Failure, answer: Verdict): Failure => {
  if (answer.type !== 'noted') return failure;
  const { triesLeft, restMs } = answer;
  if (failure.kind === 'credentials-refused' && triesLeft !== null) return failure.with({ triesLeft, cause: failure });
  const isPlain = failure.kind !== 'person-needed' && passwordFateOf(failure) === undefined && restMs > 0;
  return isPlain ? failure.with({ retryAfterSeconds: Math.ceil(restMs / 1000), cause: failure }) : failure;
};

/** Owners, and networks of `TRUSTED_CALLERS`, are not counted by network. */
export const queueOf = (queue: SignInQueue['queue'], { trusted, network }: Caller): SignInQueue =>
  queue === 'owner' || trusted ? { queue } : { queue, network };

/** A turn in the queue of sign-ins, under the lease of the student. */
export interface OwnTurn extends AsyncDisposable {
  readonly signIn: () => Promise<VerifiedSession>;
}

/** A stranger waits in the queue without the lease, because the owner would have to wait as well. */
export const takeTurnAlone = async (
  { campus, leases }: AccountDeps,
  { userid, pair }: PairEntry,
  waits: SignInQueue,
  { context }: OwnPace,
): Promise<OwnTurn> => {
  const lease = { name: signInLease(userid), lifeMs: SIGN_IN_LEASE_MS, signal: context.signal };
  await using taken = new AsyncDisposableStack();
  if (waits.queue === 'owner') taken.use(await holdLease(leases, lease));
  const { signIn } = taken.use(await campus.turn(userid, pair, context, waits));
  if (waits.queue !== 'owner') taken.use(await holdLease(leases, lease));
  const held = taken.move();
  return { signIn, [Symbol.asyncDispose]: () => held.disposeAsync() };
};
