import { randomToken, sha256 } from '../../../lib/hash.ts';
import type { Challenge, HalfSignIn } from '../../challenge.ts';
import type { CallContext, Student } from '../../context.ts';
import { asFailure, type Failure, failures, halfSignInOf, isFailure, passwordFateOf } from '../../errors.ts';
import { holdLease } from '../../lease.ts';
import { type Caller, type Handle, handleOf, SIGN_IN_LEASE_MS, signInLease, stranger } from '../guard/callers.ts';
import { opensChallenge, sendsCode, unsendsCode } from '../guard/challenge-budgets.ts';
import { SESSION_TRUST_MS } from '../guard/stored-pair.ts';
import type { VerifiedSession } from '../ports.ts';
import { askOutcomeOf, Booking, compareSubmitted, takeTurnAlone, tellOwner } from './ask.ts';
import {
  type AttemptDeps,
  adopt,
  type ChallengeDesk,
  type OwnPace,
  runAtOwnPace,
  throwIfRefused,
  type WaitingSignIn,
  withOutcome,
} from './attempt.ts';
import { bookAnswer, type ChallengeResult } from './challenge-answer.ts';
import { OpenChallenge } from './open-challenge.ts';

const ID_LENGTH = 43;

const busyFailure = (): Failure => failures.challengeBusy(1);

/**
 * Sign-ins that cannot end without the student. Logins and registrations throw `login-challenge` {challenge} where they
 * have opened one, and `person-needed` {wanted} for steps that are not possible here. Every operation on an id, which is
 * the credential, also throws `challenge-unknown`, `storage-failed`, `sign-in-unavailable`, `timed-out` {step} and
 * `client-gone`.
 */
export class Challenges implements ChallengeDesk {
  readonly #deps: AttemptDeps;

  constructor(deps: AttemptDeps) {
    this.#deps = deps;
  }

  async makeWay(userid: string, caller: Caller): Promise<void> {
    const now = this.#now();
    const row = await this.#deps.secondSteps.store.of(userid, now);
    if (row === null) return;
    const open = new OpenChallenge(row);
    const rows = await this.#deps.guard.read(userid);
    if (!open.yieldsTo(handleOf(rows.student, caller))) {
      throw failures.challengeBusy(open.secondsLeft(now));
    }
  }

  async open(waiting: WaitingSignIn, half: HalfSignIn, caller: Caller): Promise<Failure> {
    const { purpose, userid, pair, keep = null, invite = null } = waiting;
    const { guard } = this.#deps;
    const id = randomToken();
    const opening = {
      id: sha256(id),
      caller,
      why: purpose === 'registration' ? 'registration' : 'login',
      rings: half.asked.kind === 'sms',
      ...(half.asked.kind === 'captcha' && { imageAt: half.step }),
    } as const;
    let opener: Handle = stranger;
    throwIfRefused(
      await guard.decide(userid, (draft, at) => {
        opener = handleOf(draft.student, caller);
        return opensChallenge(draft, opening, at);
      }),
    );
    const begun = { idHash: opening.id, userid, purpose, pair, keep, invite, opener };
    const open = OpenChallenge.begin(begun, half, this.#now());
    await this.#deps.secondSteps.store.open(open.row);
    return this.#tell(open, id);
  }

  /**
   * Signs the student in again. Null: there was no step, and the session is live.
   * @throws Failure `challenge-needless` (nothing was sent), `challenge-busy` {retryAfterSeconds},
   *   `rate-limited` {retryAfterSeconds}, `person-needed` {wanted}, `stored-credentials-refused`,
   *   `stored-credentials-unreadable`, `sign-in-guarded`
   */
  begin(student: Student, context: CallContext): Promise<Challenge | null> {
    return withOutcome(this.#deps, 'renewal', student.userid, context, () =>
      runAtOwnPace(this.#deps.clock, context, (pace) => this.#renew(student, pace)),
    );
  }

  async look(id: string): Promise<Challenge> {
    return (await this.#find(id)).view(id, this.#now());
  }

  /**
   * Asks for a code, or shows another image of a captcha. `target` is an index of `targets`.
   * @throws Failure `rate-limited` {retryAfterSeconds} (too soon, or none left), `challenge-target`, `challenge-busy`
   */
  async send(id: string, target: number | undefined, context: CallContext): Promise<Challenge> {
    const seen = await this.#find(id);
    await using _lease = await this.#holdStudent(seen, context.signal);
    const open = await this.#findUnchanged(seen, id);
    return (await this.#ask(open, target, context)).view(id, this.#now());
  }

  /**
   * Puts the answer to the campus, once.
   * @throws Failure `login-challenge` {challenge} (wrong, or one more step: the same id stays valid; after the third wrong one
   *   `challenge-unknown`), `challenge-answer`, `challenge-busy`, `person-needed` (the next step is not possible here), and
   *   what a login throws: `credentials-refused`, `sign-in-guarded`, `invite-token-invalid`, `userid-taken`
   */
  async answer(id: string, answer: string, context: CallContext): Promise<ChallengeResult> {
    const seen = await this.#find(id);
    const code = seen.code(answer);
    return withOutcome(this.#deps, 'challenge', seen.row.userid, context, () =>
      runAtOwnPace(this.#deps.clock, context, async (pace) => {
        const { signal } = pace.context;
        await using _lease = await this.#holdStudent(seen, signal);
        const result = await this.#put(await this.#findUnchanged(seen, id), id, code, pace);
        return { result, outcome: result.kind };
      }),
    );
  }

  /** Sends nothing: a log-out would end the session that a sign-in may still open. */
  async end(id: string): Promise<void> {
    if (!(await this.#deps.secondSteps.store.remove((await this.#find(id)).row.idHash)))
      throw failures.challengeUnknown('ended');
  }

  #now(): number {
    return this.#deps.clock.now();
  }

  #tell(open: OpenChallenge, id: string): Failure {
    return failures.loginChallenge(open.row.step, open.view(id, this.#now()));
  }

  async #find(id: string): Promise<OpenChallenge> {
    const row = id.length === ID_LENGTH ? await this.#deps.secondSteps.store.find(sha256(id), this.#now()) : null;
    if (row === null) throw failures.challengeUnknown('not found');
    return new OpenChallenge(row);
  }

  /** Stores a revision. @throws Failure `challenge-busy` when another call was faster */
  async #keep(open: OpenChallenge): Promise<OpenChallenge> {
    if (!(await this.#deps.secondSteps.store.change(open.row))) throw busyFailure();
    return open;
  }

  /** Keeps other calls, on any replica, from the student's sign-in. */
  #holdStudent({ row }: OpenChallenge, signal: AbortSignal): Promise<AsyncDisposable> {
    return holdLease(this.#deps.leases, { name: signInLease(row.userid), lifeMs: SIGN_IN_LEASE_MS, signal });
  }

  /** The challenge as the caller has seen it. */
  async #findUnchanged(seen: OpenChallenge, id: string): Promise<OpenChallenge> {
    const open = await this.#find(id);
    if (open.row.revision !== seen.row.revision) throw busyFailure();
    if (open.row.phase === 'open') return open;
    // The process that sent the answer has died, and its outcome is unknown.
    await this.#deps.secondSteps.store.remove(open.row.idHash);
    throw failures.challengeUnknown('died while answering');
  }

  async #ask(open: OpenChallenge, target: number | undefined, context: CallContext): Promise<OpenChallenge> {
    const { guard } = this.#deps;
    const { userid, asked, idHash } = open.row;
    const begun = open.sending(target, this.#now());
    // The first code was counted with the password: only one of the two rings the phone.
    const counts = asked.kind === 'sms' && asked.sent !== 'unknown';
    if (counts) throwIfRefused(await guard.decide(userid, (draft, at) => sendsCode(draft, idHash, at)));
    const kept = await this.#keep(begun);
    try {
      const half = await this.#deps.secondSteps.campus.send(userid, kept.row, kept.row.chosen, context);
      return await this.#keep(kept.noteSent(half, this.#now()));
    } catch (error) {
      if (passwordFateOf(asFailure(error)) === 'unsent') {
        if (counts) await guard.decide(userid, (draft) => unsendsCode(draft, idHash));
        await this.#keep(kept.noteUnsent(open));
      } else if (asked.kind === 'captcha') {
        // A challenge without an image cannot be answered.
        await this.#deps.secondSteps.store.remove(idHash);
      }
      throw error;
    }
  }

  async #put(open: OpenChallenge, id: string, code: string, pace: OwnPace): Promise<ChallengeResult> {
    const { userid, pair, idHash } = open.row;
    const { context } = pace;
    const { booking, finish } = await bookAnswer(this.#deps, open.row, context);
    await booking.begin();
    const answering = await this.#keep(open.answering());
    pace.detach();
    let verified: VerifiedSession;
    try {
      verified = await this.#deps.secondSteps.campus.answer(userid, pair, answering.row, code, context);
    } catch (error) {
      const failure = asFailure(error);
      await booking.end(askOutcomeOf(failure));
      const { kind } = open.row.opener;
      const told = tellOwner(failure, kind === 'token' || kind === 'home-token');
      throw await this.#goOn(answering, open, told, id, context);
    }
    const trusts = verified.pieces.some(({ trust }) => typeof trust === 'string');
    await booking.end({ type: 'accepted', stepped: open.row.asked.kind !== 'captcha', trusts });
    await this.#deps.secondSteps.store.remove(idHash);
    return finish(verified);
  }

  /** Answers the caller whose answer did not end the sign-in. */
  async #goOn(
    answering: OpenChallenge,
    before: OpenChallenge,
    failure: Failure,
    id: string,
    context: CallContext,
  ): Promise<Failure> {
    const half = halfSignInOf(failure);
    if (half === undefined && failure.kind !== 'person-needed' && passwordFateOf(failure) === 'unsent') {
      await this.#keep(answering.noteUnsent(before));
      return failure;
    }
    const next = half === undefined ? null : answering.noteAnswered(half, this.#now());
    if (next === null) {
      await this.#deps.secondSteps.store.remove(answering.row.idHash);
      return half === undefined ? failure : failures.challengeUnknown('answers spent');
    }
    const kept = await this.#keep(next);
    return this.#tell(kept.lacksImage ? await this.#ask(kept, undefined, context) : kept, id);
  }

  async #renew({ userid, tokenHash }: Student, pace: OwnPace): Promise<{ result: Challenge | null; outcome: string }> {
    const deps = this.#deps;
    const { context } = pace;
    const isLive = async () => (await deps.campus.answeredMs(userid, SESSION_TRUST_MS)) < SESSION_TRUST_MS;
    if (await isLive()) throw failures.challengeNeedless();
    const stored = await deps.accounts.readPair(userid);
    if (stored === null) throw failures.tokenUserGone();
    const entry = { userid, pair: stored.pair };
    const caller = deps.callers.callerOf(userid, context.address, tokenHash ?? null);
    try {
      await using turn = await takeTurnAlone(deps, entry, { queue: 'owner' }, pace);
      // Another call has renewed it.
      if (await isLive()) throw failures.challengeNeedless();
      const sent = compareSubmitted(deps, entry, stored);
      await this.makeWay(userid, caller);
      const opens = (half: HalfSignIn) => this.open({ purpose: 'renewal', ...entry }, half, caller);
      const booking = new Booking(deps, { entry, caller, sent, stored });
      await adopt(deps, await booking.ask(turn.signIn, opens, pace), context);
      return { result: null, outcome: 'accepted' };
    } catch (error) {
      if (!isFailure(error, 'login-challenge')) throw error;
      return { result: error.challenge, outcome: 'person-needed' };
    }
  }
}

export type ChallengeOperations = Pick<Challenges, 'begin' | 'look' | 'send' | 'answer' | 'end'>;
