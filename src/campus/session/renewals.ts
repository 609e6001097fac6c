import { SIGN_IN_LEASE_MS, signInLease } from '../../domain/accounts/guard/callers.ts';
import type { PasswordPair } from '../../domain/accounts/ports.ts';
import type { SignInCredentials } from '../../domain/accounts/sign-in/unattended.ts';
import { type Failure, failures, passwordFateOf, type SignInStep } from '../../domain/errors.ts';
import { holdLease, type Leases } from '../../domain/lease.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import type { Clock } from '../../lib/time.ts';
import { signInUnstable } from '../contract/sign-in-failures.ts';
import type { RequestBudgets } from './campus-requests.ts';
import type { PairSource } from './campus-sign-in.ts';
import type { RenewalNeed, SessionCache, StudentSession } from './session-cache.ts';
import type { SignInDeadline, SignIns } from './sign-ins.ts';

interface RenewalOptions {
  readonly signIns: SignIns;
  readonly cache: SessionCache;
  readonly budgets: RequestBudgets;
  readonly leases: Leases;
  readonly credentials: SignInCredentials;
  readonly clock: Pick<Clock, 'now'>;
  /** The places at which every login shows an image. */
  readonly attended: readonly SignInStep[];
  /** The half that is asked for first. */
  readonly firstStep: SignInStep;
}

/** A student's stored pair, read when the first password is to be sent. */
class StoredPairSource implements PairSource {
  readonly #credentials: SignInCredentials;
  readonly #session: StudentSession;
  readonly #now: () => number;
  /** Null: a call waits for the sign-in, or the sign-in was allowed. */
  #maySignIn: (() => Promise<boolean>) | null;
  #stored: { readonly pair: PasswordPair; readonly version: number } | null = null;

  constructor(credentials: SignInCredentials, session: StudentSession, { maySignIn }: RenewalNeed, now: () => number) {
    this.#credentials = credentials;
    this.#session = session;
    this.#now = now;
    this.#maySignIn = maySignIn ?? null;
  }

  /** Null: no password was to be sent. */
  get version(): number | null {
    return this.#stored?.version ?? null;
  }

  async pair(step: SignInStep, early: boolean): Promise<PasswordPair> {
    const { userid, state } = this.#session;
    const isLater = this.#session.continuesRenewal(step, this.#now());
    const heldFrom = Math.max(state.portalLogin.heldFrom, state.unifiedLogin.heldFrom);
    this.#stored ??= await this.#credentials.forSignIn(userid, { heldFrom, isLater });
    if (this.#maySignIn !== null && !(await this.#maySignIn())) {
      throw failures.sessionLost(undefined, 'nobody waits for it');
    }
    this.#maySignIn = null;
    if (early) await this.#credentials.renewsEarly(userid, step, isLater);
    this.#session.sendsPassword(step, this.#now());
    return this.#stored.pair;
  }
}

/** Opens and renews sessions with stored pairs, by one sign-in at a time per student. */
export class Renewals {
  readonly #options: RenewalOptions;
  readonly #flights = new SingleFlight<void>();
  readonly #asking = new Map<string, SignInDeadline['at']>();

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** The half that a renewal of the student asks for, and before one has its turn the first. */
  stepOf(userid: string): SignInStep {
    return this.#asking.get(userid)?.step ?? this.#options.firstStep;
  }

  /** Calls with the same need share one sign-in. @throws Failure when it fails */
  renew(session: StudentSession, need: RenewalNeed): Promise<void> {
    const { signIns, leases, cache } = this.#options;
    const { userid, generation } = session;
    const { application, renewal, seen, portalRenewed = false, maySignIn } = need;
    // A call that waits shares no sign-in that may be forbidden to send a password.
    const manner = maySignIn === undefined ? 'attended' : 'unattended';
    const key = [userid, generation, application, renewal, seen.portal, seen.application, portalRenewed, manner].join(
      '|',
    );
    return this.#flights.run(key, async () => {
      using deadline = signIns.deadline();
      const { signal } = deadline;
      const doneMeanwhile = async () => {
        await cache.refresh(session);
        const due = session.due(need);
        return due.portal || due.application ? undefined : 'done';
      };
      // Another replica's result arrives through storage.
      await using lease = await holdLease(leases, {
        name: signInLease(userid),
        lifeMs: SIGN_IN_LEASE_MS,
        signal,
        doneMeanwhile,
      });
      if (lease.done !== undefined) return;
      this.#asking.set(userid, deadline.at);
      using _asking = { [Symbol.dispose]: () => this.#asking.delete(userid) };
      try {
        await this.#renew(session, need, deadline);
      } catch (error) {
        session.endRenewal();
        throw error;
      }
      await cache.save(session);
    });
  }

  async #renew(session: StudentSession, need: RenewalNeed, deadline: SignInDeadline): Promise<void> {
    const { signIns, credentials, budgets, clock } = this.#options;
    const { state, userid } = session;
    const { portal, application } = session.due(need);
    const pairs = new StoredPairSource(credentials, session, need, () => clock.now());
    const plan = {
      session,
      portal,
      ...(need.portalRenewed && { portalRenewed: true }),
      application: application ? need.application : null,
      pairs,
      renews: need.renewal !== 'open',
      verifies: false,
    };
    const outcome = await signIns.run(plan, budgets.ofSignIn(userid), deadline);
    if (outcome.kind === 'failed') {
      // Nothing of this process renews it, so it is not tried once more by every call.
      if (this.#isUsualImage(outcome.failure)) state.applications.delete(need.application);
      throw await this.#remember(outcome.failure, userid, pairs.version);
    }
    state.hasEnded = false;
    if (!outcome.passwordSent) return;
    session.isUnverified = true;
    if (state.portalLogin.answeredAt > 0) await this.noteVerified(session);
  }

  /** The acceptance of a password counts only after something behind the portal has answered. */
  async noteVerified(session: StudentSession): Promise<void> {
    session.isUnverified = false;
    session.endRenewal();
    await this.#options.credentials.noteAcceptance(session.userid);
  }

  /** Returns the outcome of a call for which the portal asks again for the password that it has just accepted. */
  unstable(session: StudentSession): Promise<Failure> {
    session.endRenewal();
    session.state.portalLogin.report();
    return this.#remember(signInUnstable('portal').failure, session.userid, null);
  }

  /** The image that every login shows is no trouble of this student, and no password was sent for it. */
  #isUsualImage(failure: Failure): boolean {
    if (failure.kind !== 'person-needed' || failure.step === undefined) return false;
    return failure.wanted === 'captcha' && this.#options.attended.includes(failure.step);
  }

  /** Stores the verdict on the stored pair before any call fails by it. `version` null: the pair was not sent. */
  async #remember(failure: Failure, userid: string, version: number | null): Promise<Failure> {
    const { credentials, firstStep } = this.#options;
    const { kind, step = firstStep, system } = failure;
    const passwords = passwordFateOf(failure);
    if (kind === 'credentials-refused' && failure.step && version !== null) {
      await credentials.noteRefusal(userid, version, step);
      return failures.storedCredentialsRefused(step, undefined, { system });
    }
    if (kind === 'sign-in-guarded' && failure.retryAfterSeconds === undefined) {
      const restSeconds = await credentials.noteTrouble(userid, passwords === 'locked' ? passwords : 'marker');
      // Whoever reads for this student has a token of theirs.
      const retryAfterSeconds = Math.max(restSeconds, failure.lockedSeconds ?? 0);
      return failure.with({ step, retryAfterSeconds });
    }
    if (this.#isUsualImage(failure)) return failure;
    if (kind === 'person-needed' && failure.wanted) await credentials.notePersonNeeded(userid, failure.wanted, step);
    if (passwords === 'unstable' || passwords === 'unread' || passwords === 'closed') {
      const retryAfterSeconds = await credentials.noteTrouble(userid, passwords);
      if (retryAfterSeconds > 0) return failure.with({ step, retryAfterSeconds, passwords: undefined });
    }
    return failure;
  }
}
