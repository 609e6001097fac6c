import type { CallContext } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { BreakerScope } from '../breaker-scope.ts';
import type { Application, ApplicationRow, Upstream } from '../upstreams.ts';
import { nextStep } from './renewal-policy.ts';
import type { Renewals } from './renewals.ts';
import type { RequestBudget } from './request-budgets.ts';
import type { Campus } from './request-scope.ts';
import type { SessionCache } from './session-cache.ts';
import { budgetSpent, type SessionScope, sessionRequest } from './session-request.ts';
import type { Epochs, StudentSession, Wish } from './student-session.ts';
import { remember } from './student-state.ts';
import { type PageText, SessionDead, type UpstreamRequest, type UpstreamSession } from './upstream-session.ts';
import type { DeadSign } from './verdict.ts';

/** More rounds than the policy renews: the loop ends by its rules, and this makes sure that it does. */
const MAX_ROUNDS = 8;
const MAX_REPEATS = 2;

/** What a changed page may show as well as a dead session. */
const contentSigns: readonly DeadSign[] = ['unmarked-page', 'html-for-json'];

export interface CallParts {
  readonly campus: Campus;
  readonly cache: SessionCache;
  readonly renewals: Renewals;
}

interface CallOf {
  readonly userid: string;
  readonly application: Application;
  readonly context: CallContext;
  readonly breakers: BreakerScope<Upstream>;
  readonly budget: RequestBudget;
  /** Null: its requests wait in the line of the student. */
  readonly ownSlots: Semaphore | null;
}

type Work<T> = (session: UpstreamSession) => Promise<T>;
type RoundOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'dead'; readonly death: SessionDead };

/**
 * One call of a client: its work runs in rounds, each bound to the session that was open when it began, until one of
 * them meets no dead session.
 */
export class SessionCall<T> {
  readonly #parts: CallParts;
  readonly #call: CallOf;
  readonly #row: ApplicationRow;
  readonly #work: Work<T>;
  #portalRenewed = false;
  #applicationRenewed = false;
  /** Rounds that began again under a session that others had renewed. */
  #repeats = 0;
  /** A session that a person has taken a step for was asked once more before it counts as dead. */
  #askedAgain = false;
  /** Requests of all rounds. Without any, nothing has changed that would have to be kept. */
  #requests = 0;
  /** Writes that have reached, or may have reached, the application. */
  #writes = 0;
  /** The answer that was understood last, and whether one was not. */
  #last: PageText | null = null;
  #unread = false;

  constructor(parts: CallParts, call: CallOf, work: Work<T>) {
    this.#parts = parts;
    this.#call = call;
    this.#row = parts.campus.addresses.application(call.application);
    this.#work = work;
  }

  async run(): Promise<T> {
    const { cache } = this.#parts;
    const { userid, context } = this.#call;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      context.signal.throwIfAborted();
      const generation = await cache.generation(userid);
      if (generation === null) throw new Failure('token-user-gone');
      const session = await cache.open(userid, generation);
      session.users += 1;
      try {
        const outcome = await this.#round(session);
        if (outcome !== null) return outcome.result;
      } finally {
        session.users -= 1;
      }
    }
    throw new Failure('session-lost', { system: this.#row.system });
  }

  /** Null when the work has to run once more. */
  async #round(session: StudentSession): Promise<{ readonly result: T } | null> {
    const { campus, cache } = this.#parts;
    const { application } = this.#call;
    session.dropRested(application, campus.clock.now());
    if (!session.isOpen(application)) await this.#renew(session, 'open', session.epochs(application));
    const seen = session.epochs(application);
    const outcome = await this.#tryWork(session);
    if (outcome.kind === 'dead') {
      await this.#afterDeath(outcome.death, session, seen);
      return null;
    }
    if (!(await this.#isCurrent(session))) return null;
    if (this.#requests > 0) await cache.save(session);
    return outcome;
  }

  async #tryWork(session: StudentSession): Promise<RoundOutcome<T>> {
    try {
      return { kind: 'done', result: await this.#work(this.#bound(session)) };
    } catch (error) {
      if (error instanceof SessionDead) return { kind: 'dead', death: error };
      // Pages that do not fit together: the last one showed it.
      if (this.#last && isFailure(error, 'upstream-unreadable') && !this.#unread) this.#countUnread(this.#last.page);
      throw error;
    }
  }

  /** The session as the clients see it: bound to what is open now. */
  #bound(session: StudentSession): UpstreamSession {
    const { application, context, breakers, budget, ownSlots } = this.#call;
    const { state, userid } = session;
    const open = state.applications.get(application);
    if (!open) throw new Error('session is not open');
    const { memo } = open;
    const scope: SessionScope = {
      campus: this.#parts.campus,
      state,
      portalSession: state.portalSession,
      session: open,
      breakers,
      budget,
      slots: ownSlots ?? session.slots,
      signal: context.signal,
      deadline: context.deadline,
    };
    return {
      userid,
      text: (request) => this.#text(session, scope, request),
      parse: (parser, answer, otherwise) =>
        this.#reading(answer, async (text) => {
          try {
            const of = { system: this.#row.system, signal: context.signal };
            return await this.#parts.campus.pages.read(parser, text, of);
          } catch (error) {
            throw otherwise && isFailure(error, 'upstream-unreadable') ? otherwise(error) : error;
          }
        }),
      reading: (answer, read) => this.#reading(answer, read),
      dropped: (page, rows) => this.#dropped(page, rows),
      memo: {
        get: (key) => memo.get(key),
        set: (key, value) => remember(memo, key, value),
        drop: (key, stale) => {
          if (memo.get(key) === stale) memo.delete(key);
        },
      },
      exclusively: (name, alone) => session.locks.run(`${application}:${name}`, context.signal, alone),
    };
  }

  async #reading<R>(answer: PageText, read: (text: string) => R | Promise<R>): Promise<R> {
    try {
      const value = await read(answer.text);
      // Several readers may look at the same answer.
      if (this.#last !== answer) this.#countRead(answer.page);
      this.#last = answer;
      return value;
    } catch (error) {
      if (this.#showsUnread(error)) {
        if (this.#last !== answer) this.#countRead(answer.page);
        this.#countUnread(answer.page);
      }
      throw error;
    }
  }

  /** An answer that may be a dead session's says nothing about the page before a renewal has not helped. */
  #showsUnread(error: unknown): boolean {
    if (!(error instanceof SessionDead)) return isFailure(error, 'upstream-unreadable');
    const isOtherPage = contentSigns.includes(error.sign) || isFailure(error.otherwise, 'upstream-unreadable');
    return isOtherPage && this.#applicationRenewed;
  }

  #countRead(page: string): void {
    this.#parts.campus.observer?.pageRead(this.#row.system, page);
  }

  #countUnread(page: string): void {
    this.#unread = true;
    this.#parts.campus.observer?.pageUnreadable(this.#row.system, page);
  }

  #dropped(page: string, rows: number): void {
    const { system } = this.#row;
    this.#parts.campus.observer?.rowsDropped(system, page, rows);
    if (rows > 0) this.#call.context.log.warn({ system, page, dropped: rows }, 'unusable upstream rows dropped');
  }

  async #text(session: StudentSession, scope: SessionScope, request: UpstreamRequest): Promise<PageText> {
    this.#requests += 1;
    if (request.write) this.#writes += 1;
    const verdict = await sessionRequest(scope, request);
    if (verdict.kind === 'live') {
      await this.#parts.renewals.proven(session);
      return { page: request.page, text: verdict.text };
    }
    const isProvablyUndone =
      verdict.kind === 'dead' || isFailure(verdict.failure, 'upstream-unavailable', 'overloaded', 'rate-limited');
    if (request.write && isProvablyUndone) this.#writes -= 1;
    const error = verdict.kind === 'dead' ? new SessionDead(verdict.sign, verdict) : verdict.failure;
    if (this.#showsUnread(error)) {
      this.#countRead(request.page);
      this.#countUnread(request.page);
    }
    throw error;
  }

  /** Returns when the work may run again; throws what the call has come to otherwise. */
  async #afterDeath({ sign, service, otherwise }: SessionDead, session: StudentSession, seen: Epochs): Promise<void> {
    const { clock } = this.#parts.campus;
    const { application } = this.#call;
    const { system, entry, mayOutlivePortalMs, ticket } = this.#row;
    const known = session.state.applications.get(application);
    if (known && service !== null && entry.kind === 'learned-service' && this.#writes === 0) known.service = service;
    const renewedAgo = clock.now() - (known?.renewedAt ?? 0);
    const isUnclear = sign === 'portal-expired' || sign === 'empty-unproven';
    if (session.state.isDear && isUnclear && !this.#askedAgain && this.#writes === 0) {
      this.#askedAgain = true;
      return;
    }
    const step = nextStep(sign, {
      written: this.#writes > 0,
      renewedMeanwhile: this.#repeats < MAX_REPEATS && session.isRenewedSince(seen, application),
      portalRenewed: this.#portalRenewed,
      applicationRenewed: this.#applicationRenewed,
      mayOutlivePortal: clock.now() - (known?.usedAt ?? 0) < mayOutlivePortalMs,
      ticketIsNew: ticket !== null && renewedAgo >= 0 && renewedAgo < ticket.newForMs,
    });
    if (step === 'outcome-unknown') throw this.#outcomeUnknown();
    if (sign === 'portal-expired' && session.epochs(application).portal === seen.portal) {
      session.portalExpired(application);
      if (session.state.portalLogin.isUnheld(clock.now())) throw await this.#parts.renewals.unheld(session);
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
   * What an older generation delivers is dropped. If a new login has taken its place the read is repeated there;
   * after a logout or a deletion there is no session to repeat it on, and none is opened behind the student's back.
   */
  async #isCurrent({ userid, generation }: StudentSession): Promise<boolean> {
    const { cache } = this.#parts;
    const current = await cache.generation(userid);
    if (current === generation) return true;
    if (current === null) throw new Failure('token-user-gone');
    if (this.#writes > 0) throw this.#outcomeUnknown();
    this.#repeats += 1;
    const { state } = await cache.open(userid, current);
    if (this.#repeats > MAX_REPEATS || state.portalSession === null) throw new Failure('session-lost');
    return false;
  }

  #outcomeUnknown(): Failure {
    return new Failure('outcome-unknown', { system: this.#row.system, reason: 'session ended after a write' });
  }

  async #renew(session: StudentSession, renewal: Wish['renewal'], seen: Epochs): Promise<void> {
    const { application, breakers, budget, context } = this.#call;
    const { unattended = false, maySignIn } = context;
    if (unattended && maySignIn === undefined)
      throw new Failure('session-lost', { system: this.#row.system, reason: 'nobody waits for it' });
    const wait = budget.waitSeconds();
    if (wait > 0) throw budgetSpent(this.#row.system, wait);
    const renewing = this.#parts.renewals.renew(session, {
      application,
      renewal,
      seen,
      ...(unattended && { maySignIn }),
    });
    const outcome = await this.#waitFor(renewing).catch((error: unknown) => {
      session.awaitsPerson ||= isFailure(error, 'person-needed');
      throw error;
    });
    if (outcome.kind === 'failed') {
      session.awaitsPerson ||= outcome.failure.kind === 'person-needed';
      // The sign-in that failed at the application has told the breaker: one call counts once.
      if (outcome.failure.kind === 'ticket-unavailable') breakers.retract(application);
      throw outcome.failure;
    }
    const now = session.epochs(application);
    this.#portalRenewed ||= now.portal > seen.portal;
    // A first visit without a session is no renewal: only a real sign-in counts.
    const { entry } = this.#row;
    const isFirstVisit = entry.kind === 'learned-service' && !session.state.applications.get(application)?.service;
    this.#applicationRenewed ||= now.application > seen.application && !isFirstVisit;
  }

  /** A call whose time ended while it waited for a sign-in says what it waited for. */
  async #waitFor<O>(signingIn: Promise<O>): Promise<O> {
    try {
      return await raceSignal(signingIn, this.#call.context.signal);
    } catch (error) {
      const isOwnDeadline = isFailure(error, 'timed-out') && error.step === undefined && error.system === undefined;
      throw isOwnDeadline ? new Failure('timed-out', { step: 'unified-login', cause: error }) : error;
    }
  }
}
