import type { CallContext, Student } from '../../domain/context.ts';
import { type CampusSystem, type Failure, isFailure } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/queues.ts';
import type { Deadline } from '../../lib/time.ts';
import type { Breaker } from '../breaker.ts';
import type { PageReader } from '../parsing/page-reader.ts';
import type { Application, ApplicationRow, Upstream } from '../upstreams.ts';
import { failure, judge, judgeSilence, outcomeOf, outcomeUnknown, type SessionScope } from './judge.ts';
import type { Renewals } from './renewals.ts';
import { type RequestBudget, type RequestBudgets, unlimited } from './request-budgets.ts';
import { BreakerScope, type Campus, count, send } from './request-scope.ts';
import type { SessionCache } from './session-cache.ts';
import type { StudentSession } from './student-session.ts';
import type { ApplicationState, StudentState } from './student-state.ts';
import { type PageText, SessionDead, type UpstreamRequest, type UpstreamSession } from './upstream-session.ts';
import type { DeadSign, Verdict } from './verdict.ts';

/** Redirects of one request that are followed. */
const HOPS = 10;
const JSON_ACCEPT = 'application/json, text/javascript, */*; q=0.01';
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Requests that may wait in a separate line; the work behind them bounds itself. */
const WAITING_BORROWED = 512;
/** Whose failures they are when work serves all students over a borrowed session: no student's. */
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

/** Holds what all rounds of one call share. */
export class CampusCall {
  readonly campus: Campus;
  readonly cache: SessionCache;
  readonly renewals: Renewals;
  readonly userid: string;
  readonly application: Application;
  readonly row: ApplicationRow;
  readonly context: CallContext;
  readonly breakers: BreakerScope;
  readonly budget: RequestBudget;
  /** Null: its requests wait in the line of the student. */
  readonly ownSlots: Semaphore | null;
  /** Requests of all rounds. Without any, nothing has changed that must be kept. */
  requests = 0;
  /** Writes that have reached, or may have reached, the application. */
  writes = 0;
  applicationRenewed = false;

  /** `parallel`: for all students, with so many requests at once beside the student's line. */
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
}

const headersFor = (scope: SessionScope, request: UpstreamRequest): Record<string, string> => {
  const { application } = scope.session;
  const { ticket } = scope.row;
  return {
    accept: request.expect === 'json' ? JSON_ACCEPT : PAGE_ACCEPT,
    ...ticket?.headers(scope.session.ticket ?? '', scope.portalSession ?? ''),
    ...(ticket && request.jsonBody === undefined ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    ...(request.referer === undefined
      ? {}
      : { referer: scope.campus.addresses.url(application, request.referer).href }),
    ...request.headers,
  };
};

/** The session as the clients see it, and the scope of its requests: bound to what was open when the round began. */
export class BoundSession implements UpstreamSession, SessionScope {
  readonly campus: Campus;
  readonly userid: string;
  readonly state: StudentState;
  readonly portalSession: string | null;
  readonly session: ApplicationState;
  readonly row: ApplicationRow;
  readonly system: CampusSystem;
  readonly breakers: BreakerScope;
  readonly budget: RequestBudget;
  readonly slots: Semaphore;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  readonly memo: UpstreamSession['memo'];
  readonly #call: CampusCall;
  readonly #student: StudentSession;
  /** The answer that was understood last, and whether one was not. */
  #last: PageText | null = null;
  #unread = false;

  constructor(call: CampusCall, student: StudentSession) {
    const { campus, row, breakers, budget, ownSlots, context } = call;
    const session = student.state.applications.get(call.application);
    if (!session) throw new Error('session is not open');
    this.campus = campus;
    this.userid = student.userid;
    this.state = student.state;
    this.portalSession = student.state.portalSession;
    this.session = session;
    this.row = row;
    this.system = row.system;
    this.breakers = breakers;
    this.budget = budget;
    this.slots = ownSlots ?? student.slots;
    this.signal = context.signal;
    this.deadline = context.deadline;
    this.memo = session.memo;
    this.#call = call;
    this.#student = student;
  }

  /** A read is sent a second time when the network, a gateway or an empty body spoilt the first; a write never. */
  async text(request: UpstreamRequest): Promise<PageText> {
    const call = this.#call;
    const { clock } = this.campus;
    call.requests += 1;
    if (request.write) call.writes += 1;
    let verdict: Verdict;
    try {
      verdict = await this.#send(request);
      if (verdict.kind === 'retry' && !request.write && !request.once) {
        await clock.wait(100 + Math.random() * 200, this.signal);
        verdict = await this.#send(request);
      }
    } catch (error) {
      // Whether the write was done is unknown then.
      if (!request.write || !this.signal.aborted) throw error;
      verdict = outcomeUnknown(this, 'aborted', { cause: error });
    }
    if (verdict.kind === 'live') {
      const now = clock.now();
      // An answer of a session that was replaced since says nothing about the new one.
      if (this.portalSession === this.state.portalSession) this.state.portalLogin.provenAt = now;
      this.session.usedAt = now;
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
  async #send(request: UpstreamRequest): Promise<Verdict> {
    const { state } = this;
    const { addresses } = this.campus;
    const { application } = this.session;
    const headers = headersFor(this, request);
    const visits: string[] = [];
    let asked = { ...request, url: addresses.url(application, request.path), headers };
    for (let hop = 0; hop <= HOPS; hop += 1) {
      const answer = await send(this, application, asked);
      if (answer.kind === 'no-answer') return judgeSilence(this, request, answer);
      const verdict = await judge(this, asked, answer);
      count(this, application, outcomeOf(verdict));
      if (verdict.kind !== 'follow') return verdict;
      asked = { ...asked, method: 'GET', url: verdict.target };
      visits.push(asked.url.href);
      if (visits.filter((visited) => visited === asked.url.href).length === 3) break;
    }
    // A loop often lives in a stale cookie; the next call starts without it.
    state.jars.clear(addresses.base(application).origin);
    state.applications.delete(application);
    return failure(this, 'upstream-unavailable', 'redirect loop');
  }

  parse<T>(parser: PageReader<T>, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T> {
    return this.reading(answer, (text) => this.campus.pages.read(parser, text, this), otherwise);
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
    const { system } = this;
    this.campus.observer?.rowsDropped(system, page, rows);
    if (rows > 0) this.#call.context.log.warn({ system, page, dropped: rows }, 'unusable upstream rows dropped');
  }

  exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#student.locks.run(`${this.session.application}:${name}`, this.signal, work);
  }

  /** The work has failed. Where its pages do not fit together, the last one showed it. */
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
    this.campus.observer?.pageRead(this.system, page);
  }

  #countUnread(page: string): void {
    this.#unread = true;
    this.campus.observer?.pageUnreadable(this.system, page);
  }
}
