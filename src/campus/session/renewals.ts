import { signInLease } from '../../domain/accounts/callers.ts';
import type { PasswordPair, SignInCredentials, SignInQueue, VerifyOptions } from '../../domain/accounts/ports.ts';
import { Failure } from '../../domain/errors.ts';
import { type Leases, withLease } from '../../domain/lease.ts';
import type { LineState } from '../../domain/observation.ts';
import { LineFull } from '../../lib/queues.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import type { Breaker } from '../breaker.ts';
import { BreakerScope } from '../breaker.ts';
import { type Failed, failed, signInLineFull, signInUnstable, withPasswords } from '../sign-in-failures.ts';
import type { Upstream } from '../upstreams.ts';
import { type RequestBudget, type RequestBudgets, unlimited } from './request-budgets.ts';
import type { SessionCache } from './session-cache.ts';
import { type Bounds, type SignedIn, type SignInPlan, signIn } from './sign-in.ts';
import { SignInLines } from './sign-in-lines.ts';
import type { RenewalNeed, StudentSession } from './student-session.ts';
import type { StudentState } from './student-state.ts';
import type { Campus } from './upstream-session.ts';

/** Short, and prolonged while the sign-in runs: the student of a process that died waits no longer than this. */
const LEASE_MS = 10_000;

interface RenewalOptions {
  readonly campus: Campus;
  readonly cache: SessionCache;
  readonly breakers: ReadonlyMap<Upstream, Breaker>;
  readonly budgets: RequestBudgets;
  readonly leases: Leases;
  readonly credentials: SignInCredentials;
  /** Deadline of one shared sign-in, for all who wait for it. */
  readonly signInMs: number;
}

type SignInOutcome = SignedIn | Failed;

/** Another call has signed in meanwhile. */
const done: SignedIn = { kind: 'signed-in', passwordSent: false };

/** Opens and renews sessions: one sign-in at a time per student, shared by all who wait for it. */
export class Renewals {
  readonly #options: RenewalOptions;
  readonly #flights = new SingleFlight<SignInOutcome>();
  readonly #lines = new SignInLines();

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Sign-ins under way, and those that wait for their turn. */
  get line(): LineState {
    return this.#lines.state;
  }

  /** Calls with the same need share one sign-in and its outcome. */
  renew(session: StudentSession, need: RenewalNeed): Promise<SignInOutcome> {
    const { userid, generation } = session;
    const { application, renewal, seen, maySignIn } = need;
    // A call that waits never shares one that may be forbidden to send a password.
    const manner = maySignIn === undefined ? 'attended' : 'unattended';
    const key = [userid, generation, application, renewal, seen.portal, seen.application, manner].join('|');
    return this.#flights.run(key, () =>
      this.#withDeadline(async (signal) => {
        const doneMeanwhile = async () => {
          await this.#options.cache.refresh(session);
          const due = session.due(need);
          return due.portal || due.application ? undefined : done;
        };
        const lease = { name: signInLease(userid), lifeMs: LEASE_MS, signal, doneMeanwhile };
        // Over all replicas: the result of another one arrives through storage.
        return withLease<SignInOutcome>(this.#options.leases, lease, async () => {
          const outcome = await this.#renew(session, need, signal);
          if (outcome.kind === 'signed-in') await this.#options.cache.save(session);
          return outcome;
        });
      }),
    );
  }

  /** A turn at verifying a pair, on a fresh state that belongs to no student yet. */
  verify<T>(
    userid: string,
    pair: PasswordPair,
    state: StudentState,
    caller: AbortSignal,
    { person, ...queue }: VerifyOptions,
    turn: (signIn: () => Promise<SignInOutcome>) => Promise<T>,
  ): Promise<T | Failed> {
    const plan: SignInPlan = {
      userid,
      state,
      portal: true,
      application: this.#options.campus.addresses.provingApplication,
      pair: () => Promise.resolve(pair),
      onlyVerify: true,
      ...(person && { person }),
    };
    return this.#withDeadline((deadline) => {
      const signal = AbortSignal.any([caller, deadline]);
      // The login guard bounds logins, and a stranger's must cost the owner nothing.
      return this.#inLine(queue, signal, () => turn(() => this.#signIn(plan, unlimited, signal)));
    });
  }

  /**
   * Goes on with a sign-in that waited for a person: in the owners' line. Its caller is alone for the student. A failure
   * before its turn says that nothing has left the service.
   */
  resume<T>(userid: string, caller: AbortSignal, work: (bounds: Bounds, signal: AbortSignal) => Promise<T>) {
    return this.#withDeadline(async (deadline): Promise<T | Failed> => {
      const signal = AbortSignal.any([caller, deadline]);
      let begun = false;
      const turn = (): Promise<T> => {
        begun = true;
        return this.#within(userid, unlimited, (bounds) => work(bounds, signal));
      };
      try {
        return await this.#lines.run({ queue: 'owner' }, signal, turn);
      } catch (error) {
        if (begun) throw error;
        if (error instanceof LineFull) return withPasswords(signInLineFull('portal'), 'unsent');
        if (error instanceof Failure) return withPasswords(failed(error), 'unsent');
        throw error;
      }
    });
  }

  /** The shared sign-in ends by its own deadline, and then says so instead of leaving its waiters to theirs. */
  async #withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { campus, signInMs } = this.#options;
    const controller = new AbortController();
    const stop = campus.clock.timer(signInMs, () =>
      controller.abort(new Failure('timed-out', { step: 'unified-login', reason: 'sign-in deadline' })),
    );
    try {
      return await work(controller.signal);
    } finally {
      stop();
    }
  }

  async #inLine<T>(queue: SignInQueue, signal: AbortSignal, work: () => Promise<T>): Promise<T | Failed> {
    try {
      return await this.#lines.run(queue, signal, work);
    } catch (error) {
      if (error instanceof LineFull) return signInLineFull('portal');
      throw error;
    }
  }

  async #renew(session: StudentSession, need: RenewalNeed, signal: AbortSignal): Promise<SignInOutcome> {
    const { credentials, campus } = this.#options;
    const { state, userid } = session;
    const { application } = need;
    const due = session.due(need);
    let stored: { readonly pair: PasswordPair; readonly version: number } | null = null;
    let isForbidden = need.maySignIn !== undefined;
    const { hasHeld } = state.portalLogin;
    const plan: SignInPlan = {
      userid,
      state,
      portal: due.portal,
      application: due.application ? application : null,
      pair: async (step, early) => {
        stored ??= await credentials.forSignIn(userid, hasHeld);
        isForbidden &&= !(await need.maySignIn?.());
        if (isForbidden) throw new Failure('session-lost', { reason: 'nobody waits for it' });
        if (early) await credentials.renewsEarly(userid, step);
        return stored.pair;
      },
      onlyVerify: false,
      onPortal: () => session.portalRenewed(),
      onPortalDead: () => session.portalExpired(application),
      onApplication: () => {
        const renewed = state.applications.get(application);
        if (renewed && need.renewal !== 'open') renewed.renewedAt = campus.clock.now();
        session.applicationRenewed(application);
      },
    };
    let outcome: SignInOutcome = await this.#inLine({ queue: 'owner' }, signal, () =>
      this.#signIn(plan, this.#options.budgets.ofSignIn(userid), signal),
    );
    if (outcome.kind === 'failed') outcome = await this.#remember(outcome.failure, userid, stored);
    if (outcome.kind === 'failed') return outcome;
    state.hasEnded = false;
    if (outcome.passwordSent) {
      session.isUnverified = true;
      if (state.portalLogin.provenAt > 0) await this.verified(session);
    }
    return outcome;
  }

  /** Something behind the portal has answered: only now the acceptance counts. */
  async verified(session: StudentSession): Promise<void> {
    if (!session.isUnverified) return;
    session.isUnverified = false;
    await this.#options.credentials.accepted(session.userid);
  }

  /** The portal asks again for the login that it has just accepted. Returns the call's outcome. */
  async unstable({ userid, state }: StudentSession): Promise<Failure> {
    state.portalLogin.tell();
    return (await this.#remember(signInUnstable('portal').failure, userid, null)).failure;
  }

  /** The campus's verdict on the stored pair is stored before any caller is told. */
  async #remember(failure: Failure, userid: string, stored: { readonly version: number } | null): Promise<Failed> {
    const { credentials } = this.#options;
    const { kind, step, reason = '' } = failure;
    if (kind === 'credentials-refused' && step && stored) {
      await credentials.refused(userid, stored.version, step);
      return failed(new Failure('stored-credentials-refused', { step }));
    }
    if (kind === 'sign-in-guarded' && failure.retryAfterSeconds === undefined) {
      const retryAfterSeconds = await credentials.guarded(userid);
      return failed(new Failure('sign-in-guarded', { step: step ?? 'portal', retryAfterSeconds, reason }));
    }
    if (kind === 'person-needed' && failure.wanted)
      await credentials.personNeeded(userid, failure.wanted, step ?? 'portal');
    const { passwords } = failure;
    if (passwords === 'unstable' || passwords === 'unread') {
      const retryAfterSeconds = await credentials.unstable(userid, passwords);
      if (retryAfterSeconds > 0)
        return failed(new Failure(kind, { step: step ?? 'portal', reason, retryAfterSeconds }));
    }
    return failed(failure);
  }

  #signIn(plan: SignInPlan, budget: RequestBudget, signal: AbortSignal): Promise<SignInOutcome> {
    return this.#within(plan.userid, budget, (bounds) => signIn(this.#options.campus, bounds, signal, plan));
  }

  /** Reports the outcome of all requests of a sign-in to the breakers at its end. */
  async #within<T>(userid: string, budget: RequestBudget, work: (bounds: Bounds) => Promise<T>): Promise<T> {
    const breakers = new BreakerScope(this.#options.breakers, userid);
    try {
      return await work({ breakers, budget });
    } finally {
      breakers.finish();
    }
  }
}
