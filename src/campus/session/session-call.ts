import type { CallContext, Student } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/queues.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { type Breaker, BreakerScope } from '../breaker.ts';
import type { PageReader } from '../parsing/page-reader.ts';
import type { Application, ApplicationRow, Upstream } from '../upstreams.ts';
import { type Campus, CampusRequests } from './campus-requests.ts';
import {
  budgetSpent,
  failure,
  judge,
  judgeSilence,
  outcomeOf,
  outcomeUnknown,
  type RequestSender,
  type Verdict,
} from './judge.ts';
import { nextStep } from './renewal-policy.ts';
import type { Renewals } from './renewals.ts';
import { type RequestBudget, type RequestBudgets, unlimited } from './request-budgets.ts';
import type { Epochs, RenewalNeed, SessionCache, StudentSession } from './session-cache.ts';
import type { ApplicationState } from './student-state.ts';
import {
  type DeadSign,
  type PageText,
  SessionDead,
  type UpstreamRequest,
  type UpstreamSession,
} from './upstream-session.ts';

/** More rounds than the policy renews: the loop ends by its rules, and this makes sure that it does. */
const MAX_ROUNDS = 8;
const MAX_REPEATS = 2;
/** Redirects of one request that are followed. */
const HOPS = 10;
const JSON_ACCEPT = 'application/json, text/javascript, */*; q=0.01';
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Requests that may wait for slots beside the student's; the work behind them bounds itself. */
const WAITING_BORROWED = 512;
/** Failures of work for all students over a borrowed session are no student's. */
export const NO_STUDENT = '';

/** Signs that a changed page may show as well as a dead session. */
const contentSigns: readonly DeadSign[] = ['unmarked-page', 'html-for-json'];

export interface CallParts {
  readonly campus: Campus;
  readonly cache: SessionCache;
  readonly renewals: Renewals;
  readonly breakers: ReadonlyMap<Upstream, Breaker>;
  readonly budgets: RequestBudgets;
}

/**
 * One call of a client: its work runs in rounds, each bound to the session that was open when it began, until one of
 * them meets no dead session.
 */
export class SessionCall {
  readonly campus: Campus;
  readonly cache: SessionCache;
  readonly renewals: Renewals;
  readonly userid: string;
  readonly application: Application;
  readonly row: ApplicationRow;
  readonly context: CallContext;
  readonly breakers: BreakerScope;
  readonly budget: RequestBudget;
  /** Null: its requests take the student's slots. */
  readonly ownSlots: Semaphore | null;
  /** Requests of all rounds. Without any, nothing has changed that must be kept. */
  requests = 0;
  /** Writes that have reached, or may have reached, the application. */
  writes = 0;
  applicationRenewed = false;
  #portalRenewed = false;
  /** Rounds that began again under a session that others had renewed. */
  #repeats = 0;
  /** A session that a person has taken a step for was asked once more before it counts as dead. */
  #askedAgain = false;

  /** `parallel`: it serves all students, with so many requests at once beside the student's slots. */
  constructor(parts: CallParts, student: Student, application: Application, context: CallContext, parallel?: number) {
    const { campus, cache, renewals, breakers, budgets } = parts;
    const { userid } = student;
    this.campus = campus;
    this.cache = cache;
    this.renewals = renewals;
    this.userid = userid;
    this.application = application;
    this.row = campus.addresses.application(application);
    this.context = context;
    const isBorrowed = parallel !== undefined;
    this.breakers = new BreakerScope(breakers, isBorrowed ? NO_STUDENT : userid);
    this.budget = isBorrowed ? unlimited : budgets.of(student, context.trail);
    this.ownSlots = isBorrowed ? new Semaphore(parallel, WAITING_BORROWED) : null;
  }

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
      renewedByOther: this.#repeats < MAX_REPEATS && session.isRenewedSince(seen, application),
      portalRenewed: this.#portalRenewed,
      applicationRenewed: this.applicationRenewed,
      mayOutlivePortal: clock.now() - (state?.usedAt ?? 0) < mayOutlivePortalMs,
      ticketIsNew: ticket !== null && renewedAgo >= 0 && renewedAgo < ticket.newForMs,
    });
    if (step === 'outcome-unknown') throw this.#outcomeUnknown();
    if (sign === 'portal-expired' && session.epochs(application).portal === seen.portal) {
      session.portalExpired(application);
      if (session.state.portalLogin.isUnstable(clock.now())) throw await this.renewals.unstable(session);
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
    const need = { application, renewal, seen, ...(unattended && { maySignIn }) };
    try {
      await raceSignal(this.renewals.renew(session, need), context.signal);
    } catch (error) {
      await this.cache.ended(session);
      // The failed sign-in has counted for the breaker: one call counts once.
      if (isFailure(error, 'ticket-unavailable')) breakers.retract(application);
      // The call's own time ended: the student learns that it waited for a sign-in.
      const isOwnDeadline = isFailure(error, 'timed-out') && error.step === undefined && error.system === undefined;
      throw isOwnDeadline ? new Failure('timed-out', { step: 'unified-login', cause: error }) : error;
    }
    const now = session.epochs(application);
    this.#portalRenewed ||= now.portal > seen.portal;
    // A first visit without a session is no renewal: only a real sign-in counts.
    const { entry } = this.row;
    const isFirstVisit = entry.kind === 'learned-service' && !session.state.applications.get(application)?.service;
    this.applicationRenewed ||= now.application > seen.application && !isFirstVisit;
  }
}

/** The session as the clients see it: the one that was open when the round began. */
class BoundSession extends CampusRequests implements UpstreamSession, RequestSender {
  readonly session: ApplicationState;
  readonly row: ApplicationRow;
  readonly #call: SessionCall;
  readonly #student: StudentSession;
  readonly #portalSession: string | null;
  /** The answer that was understood last, and whether one was not. */
  #last: PageText | null = null;
  #unread = false;

  constructor(call: SessionCall, student: StudentSession) {
    const { breakers, budget, ownSlots, context } = call;
    const { state } = student;
    const { signal, deadline } = context;
    super(call.campus, state, { breakers, budget, slots: ownSlots ?? student.slots, signal, deadline });
    const session = state.applications.get(call.application);
    if (!session) throw new Error('session is not open');
    this.session = session;
    this.row = call.row;
    this.#call = call;
    this.#student = student;
    this.#portalSession = state.portalSession;
  }

  get userid(): string {
    return this.#student.userid;
  }

  get memo(): UpstreamSession['memo'] {
    return this.session.memo;
  }

  override get portalSession(): string | null {
    return this.#portalSession;
  }

  override get isReplaced(): boolean {
    return this.state.applications.get(this.session.application) !== this.session;
  }

  override get isWithdrawn(): boolean {
    return this.row.bindsSession && this.isReplaced;
  }

  /** A read is sent a second time when the network, a gateway or an empty body spoilt the first; a write never. */
  async text(request: UpstreamRequest): Promise<PageText> {
    const call = this.#call;
    const { state, session, signal } = this;
    const { clock } = this.campus;
    call.requests += 1;
    if (request.write) call.writes += 1;
    let verdict: Verdict;
    try {
      verdict = await this.#ask(request);
      if (verdict.kind === 'retry' && !request.write && !request.once) {
        await clock.wait(100 + Math.random() * 200, signal);
        verdict = await this.#ask(request);
      }
    } catch (error) {
      // Whether the write was done is unknown then.
      if (!request.write || !signal.aborted) throw error;
      verdict = outcomeUnknown(this, 'aborted', { cause: error });
    }
    if (verdict.kind === 'live') {
      const now = clock.now();
      // An answer of a session that was replaced since says nothing about the new one.
      if (this.#portalSession === state.portalSession) state.portalLogin.answeredAt = now;
      session.usedAt = now;
      if (this.#student.isUnverified) await call.renewals.verified(this.#student);
      return { page: request.page, text: verdict.text };
    }
    const ended = verdict.kind === 'retry' ? verdict.cause : verdict;
    const isProvablyUndone =
      ended.kind === 'dead' || isFailure(ended.failure, 'upstream-unavailable', 'overloaded', 'rate-limited');
    if (request.write && isProvablyUndone) call.writes -= 1;
    const error = ended.kind === 'dead' ? new SessionDead(ended.sign, ended) : ended.failure;
    if (this.#showsUnread(error)) {
      this.#countRead(request.page);
      this.#countUnread(request.page);
    }
    throw error;
  }

  /** Sends a request, following the application's own redirects, each judged before it is followed. */
  async #ask(request: UpstreamRequest): Promise<Verdict> {
    const { application } = this.session;
    const { addresses } = this.campus;
    const headers = this.#headersFor(request);
    const visits: string[] = [];
    let asked = { ...request, url: addresses.url(application, request.path), headers };
    for (let hop = 0; hop <= HOPS; hop += 1) {
      const answer = await this.send(application, asked);
      if (answer.kind === 'no-answer') return judgeSilence(this, request, answer);
      const verdict = await judge(this, asked, answer);
      this.count(application, outcomeOf(verdict));
      if (verdict.kind !== 'follow') return verdict;
      asked = { ...asked, method: 'GET', url: verdict.target };
      visits.push(asked.url.href);
      if (visits.filter((visited) => visited === asked.url.href).length === 3) break;
    }
    // A loop often lives in a stale cookie; the next call starts without it.
    this.state.jars.clear(addresses.base(application).origin);
    this.state.applications.delete(application);
    return failure(this, 'upstream-unavailable', 'redirect loop');
  }

  #headersFor({ expect, jsonBody, referer, headers }: UpstreamRequest): Record<string, string> {
    const { application, ticket } = this.session;
    const { addresses } = this.campus;
    const rules = this.row.ticket;
    return {
      accept: expect === 'json' ? JSON_ACCEPT : PAGE_ACCEPT,
      ...rules?.headers(ticket ?? '', this.#portalSession ?? ''),
      ...(rules && jsonBody === undefined ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(referer === undefined ? {} : { referer: addresses.url(application, referer).href }),
      ...headers,
    };
  }

  parse<T>(parser: PageReader<T>, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T> {
    const { campus, row, signal } = this;
    return this.reading(answer, (text) => campus.pages.read(parser, text, { system: row.system, signal }), otherwise);
  }

  async reading<T>(
    answer: PageText,
    read: (text: string) => T | Promise<T>,
    otherwise?: (unread: Failure) => Error,
  ): Promise<T> {
    try {
      const value = await read(answer.text);
      // Several readers may look at the same answer.
      if (this.#last !== answer) this.#countRead(answer.page);
      this.#last = answer;
      return value;
    } catch (caught) {
      const error = otherwise && isFailure(caught, 'upstream-unreadable') ? otherwise(caught) : caught;
      if (this.#showsUnread(error)) {
        if (this.#last !== answer) this.#countRead(answer.page);
        this.#countUnread(answer.page);
      }
      throw error;
    }
  }

  dropped(page: string, rows: number): void {
    const { system } = this.row;
    this.campus.observer?.rowsDropped(system, page, rows);
    if (rows > 0) this.#call.context.log.warn({ system, page, dropped: rows }, 'unusable upstream rows dropped');
  }

  exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#student.locks.run(`${this.#call.application}:${name}`, this.signal, work);
  }

  /** The work has failed. Where its pages do not fit together, the last one counts as unreadable. */
  failed(error: unknown): void {
    if (this.#last && isFailure(error, 'upstream-unreadable') && !this.#unread) this.#countUnread(this.#last.page);
  }

  /** An answer that may be a dead session's says nothing about the page until a renewal has not helped. */
  #showsUnread(error: unknown): boolean {
    if (!(error instanceof SessionDead)) return isFailure(error, 'upstream-unreadable');
    const isOtherPage = contentSigns.includes(error.sign) || isFailure(error.otherwise, 'upstream-unreadable');
    return isOtherPage && this.#call.applicationRenewed;
  }

  #countRead(page: string): void {
    this.campus.observer?.pageRead(this.row.system, page);
  }

  #countUnread(page: string): void {
    this.#unread = true;
    this.campus.observer?.pageUnreadable(this.row.system, page);
  }
}
