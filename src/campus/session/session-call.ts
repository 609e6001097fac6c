import { type Failure, failures, isFailure } from '../../domain/errors.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { type DeadSign, SessionDead, type UpstreamSession } from '../contract/upstream-session.ts';
import { BoundSession, type CampusCall } from './bound-session.ts';
import { budgetSpent } from './judge.ts';
import type { Epochs, Renewal, RenewalNeed, StudentSession } from './session-cache.ts';

/** Decides what to do after a sign of a dead session. Within one call each layer is renewed at most once. */
export interface Facts {
  /** A write has reached, or may have reached, the application. */
  readonly written: boolean;
  /** Another call has renewed the session since, and this call may still repeat itself for that. */
  readonly renewedByOther: boolean;
  readonly portalRenewed: boolean;
  readonly applicationRenewed: boolean;
  /** The application's session may outlive that of the portal. */
  readonly mayOutlivePortal: boolean;
  /** The ticket is new, so the application means its refusal. */
  readonly ticketIsNew: boolean;
}

export type RecoveryStep = Renewal | 'repeat' | 'give-up' | 'outcome-unknown';

interface RenewalRule {
  readonly signs?: readonly DeadSign[];
  readonly when?: (facts: Facts) => boolean;
  readonly step: RecoveryStep;
}

/** The first row that fits decides. */
const rows: readonly RenewalRule[] = [
  { when: ({ written }) => written, step: 'outcome-unknown' },
  // The renewed session deserves a try before it is renewed again.
  { when: ({ renewedByOther }) => renewedByOther, step: 'repeat' },

  { signs: ['portal-expired', 'empty-unproven'], when: ({ portalRenewed }) => portalRenewed, step: 'give-up' },
  {
    signs: ['portal-expired', 'empty-unproven'],
    when: ({ applicationRenewed }) => applicationRenewed,
    step: 'portal',
  },
  { signs: ['portal-expired'], when: ({ mayOutlivePortal }) => mayOutlivePortal, step: 'portal' },
  { signs: ['portal-expired', 'empty-unproven'], step: 'portal-and-application' },

  { when: ({ applicationRenewed }) => applicationRenewed, step: 'give-up' },
  { signs: ['application-expired'], step: 'application' },
  // Otherwise an application that refuses for other reasons would cost a renewal with every call.
  { when: ({ ticketIsNew }) => ticketIsNew, step: 'give-up' },
  { step: 'application' },
];

export const nextRecoveryStep = (sign: DeadSign, facts: Facts): RecoveryStep => {
  const row = rows.find(({ signs, when }) => (signs?.includes(sign) ?? true) && (when?.(facts) ?? true));
  return row?.step ?? 'give-up';
};

/** More rounds than the policy renews. It ends the loop where an application asks for a login and names no service. */
const MAX_ROUNDS = 8;
const MAX_REPEATS = 2;

/** Runs the work of a call in rounds, each on the session that is open then, until one meets no dead session. */
export class SessionCall {
  readonly #call: CampusCall;
  #portalRenewed = false;
  /** Rounds that began again under a session that others had renewed. */
  #repeats = 0;
  /** A session that a person has taken a step for was asked once more before it counts as dead. */
  #askedAgain = false;

  constructor(call: CampusCall) {
    this.#call = call;
  }

  async run<T>(work: (session: UpstreamSession) => Promise<T>): Promise<T> {
    const { parts, userid, context, row, breakers } = this.#call;
    try {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        context.signal.throwIfAborted();
        const generation = await parts.cache.generation(userid);
        if (generation === null) throw failures.tokenUserGone();
        const session = await parts.cache.open(userid, generation);
        const outcome = await this.#round(session, work);
        if (outcome !== null) return outcome.result;
      }
      throw failures.sessionLost(row.system);
    } finally {
      breakers.finish();
    }
  }

  /** Null when the work has to run once more. */
  async #round<T>(
    session: StudentSession,
    work: (session: UpstreamSession) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    const { parts, application, row } = this.#call;
    session.dropIdle(application, row.longestIdleMs, parts.campus.clock.now());
    if (!session.isOpen(application)) await this.#renew(session, 'open', session.epochs(application));
    const seen = session.epochs(application);
    const bound = new BoundSession(this.#call, session);
    let result: T;
    try {
      result = await work(bound);
    } catch (error) {
      if (error instanceof SessionDead) {
        await this.#afterDeath(error, session, seen);
        return null;
      }
      bound.noteFailed(error);
      throw error;
    }
    if (!(await this.#isCurrent(session))) return null;
    await parts.cache.save(session);
    return { result };
  }

  /** Returns when the work may run again; throws the call's outcome otherwise. */
  async #afterDeath({ sign, service, otherwise }: SessionDead, session: StudentSession, seen: Epochs): Promise<void> {
    const { parts, application, writes, applicationRenewed } = this.#call;
    const { system, entry, mayOutlivePortalMs, ticket } = this.#call.row;
    const now = parts.campus.clock.now();
    const state = session.state.applications.get(application);
    if (state && service !== null && entry.kind === 'learned-service' && writes === 0) state.service = service;
    const renewedAt = state?.renewedAt ?? 0;
    const renewedAgo = now - renewedAt;
    const isUnclear = sign === 'portal-expired' || sign === 'empty-unproven';
    if (session.state.isDear && isUnclear && !this.#askedAgain && writes === 0) {
      this.#askedAgain = true;
      return;
    }
    const step = nextRecoveryStep(sign, {
      written: writes > 0,
      renewedByOther: this.#repeats < MAX_REPEATS && session.isRenewedSince(seen, application),
      portalRenewed: this.#portalRenewed,
      applicationRenewed,
      mayOutlivePortal: now - (state?.usedAt ?? 0) < mayOutlivePortalMs,
      // A ticket of before the portal's session may have ended together with the one before that.
      ticketIsNew:
        ticket !== null &&
        renewedAgo >= 0 &&
        renewedAgo < ticket.newForMs &&
        renewedAt >= session.state.portalLogin.acceptedAt,
    });
    if (step === 'outcome-unknown') throw this.#outcomeUnknown();
    if (sign === 'portal-expired' && session.epochs(application).portal === seen.portal) {
      session.portalExpired(application);
      if (session.state.portalLogin.isUnstable(now)) throw await parts.renewals.unstable(session);
    }
    switch (step) {
      case 'give-up':
        throw otherwise ?? failures.sessionLost(system, sign);
      case 'repeat':
        this.#repeats += 1;
        return;
      default:
        // After a logout we renew nothing behind the student's back; after a new login its session takes over.
        if (await this.#isCurrent(session)) await this.#renew(session, step, seen);
    }
  }

  /** False: a new login has replaced the session. @throws Failure after a logout, which nothing signs in again */
  async #isCurrent({ userid, generation }: StudentSession): Promise<boolean> {
    const { cache } = this.#call.parts;
    const current = await cache.generation(userid);
    if (current === generation) return true;
    if (current === null) throw failures.tokenUserGone();
    if (this.#call.writes > 0) throw this.#outcomeUnknown();
    this.#repeats += 1;
    const { state } = await cache.open(userid, current);
    if (this.#repeats > MAX_REPEATS || state.portalSession === null) throw failures.sessionLost(undefined);
    return false;
  }

  #outcomeUnknown(): Failure {
    return failures.outcomeUnknown(this.#call.row.system, 'session ended after a write');
  }

  async #renew(session: StudentSession, renewal: RenewalNeed['renewal'], seen: Epochs): Promise<void> {
    const { parts, application, row, breakers, budget, context } = this.#call;
    const { unattended = false, maySignIn } = context;
    if (unattended && maySignIn === undefined) throw failures.sessionLost(row.system, 'nobody waits for it');
    const wait = budget.waitSeconds();
    if (wait > 0) throw budgetSpent(row.system, wait);
    const portalRenewed = this.#portalRenewed;
    const need = { application, renewal, seen, portalRenewed, ...(unattended && { maySignIn }) };
    try {
      await raceSignal(parts.renewals.renew(session, need), context.signal);
    } catch (error) {
      await parts.cache.waitForEnd(session);
      // The failed sign-in has counted for the breaker: one call counts once.
      if (isFailure(error, 'ticket-unavailable')) breakers.retract(application);
      // The call's own time ended: the student learns that it waited for a sign-in.
      const isOwnDeadline = isFailure(error, 'timed-out') && error.step === undefined && error.system === undefined;
      throw isOwnDeadline
        ? failures.timedOut(undefined, { step: parts.renewals.stepOf(session.userid), cause: error })
        : error;
    }
    const now = session.epochs(application);
    this.#portalRenewed ||= now.portal > seen.portal;
    // A first visit without a session is no renewal: only a sign-in counts.
    const isFirstVisit = row.entry.kind === 'learned-service' && !session.state.applications.get(application)?.service;
    this.#call.applicationRenewed ||= now.application > seen.application && !isFirstVisit;
  }
}
