import type { CallContext } from '../../domain/context.ts';
import { type CampusSystem, type Failure, isFailure } from '../../domain/errors.ts';
import type { Deadline } from '../../lib/deadline.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import type { BreakerScope } from '../breaker-scope.ts';
import type { Application, ApplicationRow, Upstream } from '../upstreams.ts';
import type { Renewals } from './renewals.ts';
import type { RequestBudget } from './request-budgets.ts';
import type { Campus } from './request-scope.ts';
import { type SessionScope, sessionRequest } from './session-request.ts';
import type { StudentSession } from './student-session.ts';
import type { ApplicationState, StudentState } from './student-state.ts';
import { type PageText, SessionDead, type UpstreamRequest, type UpstreamSession } from './upstream-session.ts';
import type { DeadSign } from './verdict.ts';

/** What a changed page may show as well as a dead session. */
const contentSigns: readonly DeadSign[] = ['unmarked-page', 'html-for-json'];

/** The call that a session is used for, and the state of its rounds so far. */
export interface RunningCall {
  readonly campus: Campus;
  readonly renewals: Pick<Renewals, 'verified'>;
  readonly application: Application;
  readonly row: ApplicationRow;
  readonly context: CallContext;
  readonly breakers: BreakerScope<Upstream>;
  readonly budget: RequestBudget;
  /** Null: its requests wait in the line of the student. */
  readonly ownSlots: Semaphore | null;
  /** Requests of all rounds. Without any, nothing has changed that must be kept. */
  requests: number;
  /** Writes that have reached, or may have reached, the application. */
  writes: number;
  readonly applicationRenewed: boolean;
}

/** The session as the clients see it, and the scope of its requests: bound to what was open when the round began. */
export class BoundSession implements UpstreamSession, SessionScope {
  readonly campus: Campus;
  readonly userid: string;
  readonly state: StudentState;
  readonly portalSession: string | null;
  readonly session: ApplicationState;
  readonly row: ApplicationRow;
  readonly system: CampusSystem;
  readonly breakers: BreakerScope<Upstream>;
  readonly budget: RequestBudget;
  readonly slots: Semaphore;
  readonly signal: AbortSignal;
  readonly deadline: Deadline;
  readonly memo: UpstreamSession['memo'];
  readonly #call: RunningCall;
  readonly #student: StudentSession;
  /** The answer that was understood last, and whether one was not. */
  #last: PageText | null = null;
  #unread = false;

  constructor(call: RunningCall, student: StudentSession) {
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

  async text(request: UpstreamRequest): Promise<PageText> {
    const call = this.#call;
    call.requests += 1;
    if (request.write) call.writes += 1;
    const verdict = await sessionRequest(this, request);
    if (verdict.kind === 'live') {
      if (this.#student.isUnverified) await call.renewals.verified(this.#student);
      return { page: request.page, text: verdict.text };
    }
    const isProvablyUndone =
      verdict.kind === 'dead' || isFailure(verdict.failure, 'upstream-unavailable', 'overloaded', 'rate-limited');
    if (request.write && isProvablyUndone) call.writes -= 1;
    const error = verdict.kind === 'dead' ? new SessionDead(verdict.sign, verdict) : verdict.failure;
    if (this.#showsUnread(error)) {
      this.#countRead(request.page);
      this.#countUnread(request.page);
    }
    throw error;
  }

  parse<T>(parser: (text: string) => T, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T> {
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
