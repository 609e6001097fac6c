import { Failure, isFailure } from '../../domain/errors.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { BoundSession, CampusCall } from './bound-session.ts';
import { budgetSpent } from './judge.ts';
import { nextStep } from './renewal-policy.ts';
import type { Epochs, RenewalNeed, StudentSession } from './student-session.ts';
import { SessionDead, type UpstreamSession } from './upstream-session.ts';

/** More rounds than the policy renews: the loop ends by its rules, and this makes sure that it does. */
const MAX_ROUNDS = 8;
const MAX_REPEATS = 2;

/**
 * One call of a client: its work runs in rounds, each bound to the session that was open when it began, until one of
 * them meets no dead session.
 */
export class SessionCall extends CampusCall {
  #portalRenewed = false;
  /** Rounds that began again under a session that others had renewed. */
  #repeats = 0;
  /** A session that a person has taken a step for was asked once more before it counts as dead. */
  #askedAgain = false;

  async run<T>(work: (session: UpstreamSession) => Promise<T>): Promise<T> {
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        this.context.signal.throwIfAborted();
        const generation = await this.cache.generation(this.userid);
        if (generation === null) throw new Failure('token-user-gone');
        const session = await this.cache.open(this.userid, generation);
        session.users += 1;
        try {
          const outcome = await this.#round(session, work);
          if (outcome !== null) return outcome.result;
        } finally {
          session.users -= 1;
        }
      }
      throw new Failure('session-lost', { system: this.row.system });
    } finally {
      this.breakers.finish();
    }
  }

  /** Null when the work has to run once more. */
  async #round<T>(
    session: StudentSession,
    work: (session: UpstreamSession) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    const { application } = this;
    session.dropIdle(application, this.row.longestIdleMs, this.campus.clock.now());
    if (!session.isOpen(application)) await this.#renew(session, 'open', session.epochs(application));
    const seen = session.epochs(application);
    const bound = new BoundSession(this, session);
    let result: T;
    try {
      result = await work(bound);
    } catch (error) {
      if (error instanceof SessionDead) {
        await this.#afterDeath(error, session, seen);
        return null;
      }
      bound.failed(error);
      throw error;
    }
    if (!(await this.#isCurrent(session))) return null;
    if (this.requests > 0) await this.cache.save(session);
    return { result };
  }

  /** Returns when the work may run again; throws the call's outcome otherwise. */
  async #afterDeath({ sign, service, otherwise }: SessionDead, session: StudentSession, seen: Epochs): Promise<void> {
    const { clock } = this.campus;
    const { application } = this;
    const { system, entry, mayOutlivePortalMs, ticket } = this.row;
    const state = session.state.applications.get(application);
    if (state && service !== null && entry.kind === 'learned-service' && this.writes === 0) state.service = service;
    const renewedAgo = clock.now() - (state?.renewedAt ?? 0);
    const isUnclear = sign === 'portal-expired' || sign === 'empty-unproven';
    if (session.state.isDear && isUnclear && !this.#askedAgain && this.writes === 0) {
      this.#askedAgain = true;
      return;
    }
    const step = nextStep(sign, {
      written: this.writes > 0,
      renewedMeanwhile: this.#repeats < MAX_REPEATS && session.isRenewedSince(seen, application),
      portalRenewed: this.#portalRenewed,
      applicationRenewed: this.applicationRenewed,
      mayOutlivePortal: clock.now() - (state?.usedAt ?? 0) < mayOutlivePortalMs,
      ticketIsNew: ticket !== null && renewedAgo >= 0 && renewedAgo < ticket.newForMs,
    });
    if (step === 'outcome-unknown') throw this.#outcomeUnknown();
    if (sign === 'portal-expired' && session.epochs(application).portal === seen.portal) {
      session.portalExpired(application);
      if (session.state.portalLogin.isUnheld(clock.now())) throw await this.renewals.unheld(session);
    }
    switch (step) {
      case 'give-up':
        throw otherwise ?? new Failure('session-lost', { system, reason: sign });
      case 'repeat':
        this.#repeats += 1;
        return;
      default:
        // After a logout nothing is renewed behind the student's back; after a new login its session takes over.
        if (await this.#isCurrent(session)) await this.#renew(session, step, seen);
    }
  }

  /**
   * Drops the answer of an older generation. If a new login has taken its place the read is repeated there;
   * after a logout or a deletion there is no session to repeat it on, and none is opened behind the student's back.
   */
  async #isCurrent({ userid, generation }: StudentSession): Promise<boolean> {
    const current = await this.cache.generation(userid);
    if (current === generation) return true;
    if (current === null) throw new Failure('token-user-gone');
    if (this.writes > 0) throw this.#outcomeUnknown();
    this.#repeats += 1;
    const { state } = await this.cache.open(userid, current);
    if (this.#repeats > MAX_REPEATS || state.portalSession === null) throw new Failure('session-lost');
    return false;
  }

  #outcomeUnknown(): Failure {
    return new Failure('outcome-unknown', { system: this.row.system, reason: 'session ended after a write' });
  }

  async #renew(session: StudentSession, renewal: RenewalNeed['renewal'], seen: Epochs): Promise<void> {
    const { application, breakers, budget, context } = this;
    const { unattended = false, maySignIn } = context;
    if (unattended && maySignIn === undefined)
      throw new Failure('session-lost', { system: this.row.system, reason: 'nobody waits for it' });
    const wait = budget.waitSeconds();
    if (wait > 0) throw budgetSpent(this.row.system, wait);
    const renewing = this.renewals.renew(session, {
      application,
      renewal,
      seen,
      ...(unattended && { maySignIn }),
    });
    const outcome = await this.#waitFor(renewing).catch(async (error: unknown) => {
      await this.cache.ended(session);
      throw error;
    });
    if (outcome.kind === 'failed') {
      await this.cache.ended(session);
      // The sign-in that failed at the application has told the breaker: one call counts once.
      if (outcome.failure.kind === 'ticket-unavailable') breakers.retract(application);
      throw outcome.failure;
    }
    const now = session.epochs(application);
    this.#portalRenewed ||= now.portal > seen.portal;
    // A first visit without a session is no renewal: only a real sign-in counts.
    const { entry } = this.row;
    const isFirstVisit = entry.kind === 'learned-service' && !session.state.applications.get(application)?.service;
    this.applicationRenewed ||= now.application > seen.application && !isFirstVisit;
  }

  /** A call whose time ended while it waited for a sign-in says what it waited for. */
  async #waitFor<O>(signingIn: Promise<O>): Promise<O> {
    try {
      return await raceSignal(signingIn, this.context.signal);
    } catch (error) {
      const isOwnDeadline = isFailure(error, 'timed-out') && error.step === undefined && error.system === undefined;
      throw isOwnDeadline ? new Failure('timed-out', { step: 'unified-login', cause: error }) : error;
    }
  }
}
