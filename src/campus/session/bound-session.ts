import type { CallContext, Student } from '../../domain/context.ts';
import { type Failure, isFailure } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/queues.ts';
import {
  type DeadSign,
  JSON_ACCEPT,
  type PageText,
  SessionDead,
  type UpstreamRequest,
  type UpstreamSession,
} from '../contract/upstream-session.ts';
import type { Application, ApplicationRow, Upstream } from '../contract/upstreams.ts';
import { collectOddities, type Oddity } from '../parsing/oddities.ts';
import { type PageReader, unreadable } from '../parsing/reading.ts';
import { GARBLED } from '../parsing/text.ts';
import { BreakerScope, type CircuitBreaker } from '../transport/breaker.ts';
import {
  type CampusDeps,
  CampusRequests,
  type RequestBudget,
  type RequestBudgets,
  unlimitedBudget,
} from './campus-requests.ts';
import {
  type AnswerVerdict,
  callOutcomeOf,
  failure,
  judgeAnswer,
  judgeSilence,
  outcomeUnknown,
  type RequestSender,
} from './judge.ts';
import { withPageTicket } from './place-call.ts';
import type { Renewals } from './renewals.ts';
import type { SessionCache, StudentSession } from './session-cache.ts';
import type { ApplicationState } from './student-state.ts';

/** Redirects of one request that are followed. */
const HOPS = 10;
const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Requests of borrowed work that may wait for its slots; that work bounds itself. */
const WAITING_BORROWED = 512;
/** Work for all students only borrows a session, so its failures are no student's. */
export const NO_STUDENT = '';

/** The campus itself could not write a character. */
const REPLACEMENT = '\uFFFD';

const holdsGarbled = (value: unknown): boolean => JSON.stringify(value)?.includes(GARBLED) ?? false;

/** Signs that a changed page may show as well as a dead session. */
const contentSigns: readonly DeadSign[] = ['unmarked-page', 'html-for-json'];

export interface CallParts {
  readonly campus: CampusDeps;
  readonly cache: SessionCache;
  readonly renewals: Renewals;
  readonly breakers: ReadonlyMap<Upstream, CircuitBreaker>;
  readonly budgets: RequestBudgets;
}

/** One call of a client at an application: its limits, and what its rounds have done. */
export class CampusCall {
  readonly parts: CallParts;
  readonly userid: string;
  readonly application: Application;
  readonly row: ApplicationRow;
  readonly context: CallContext;
  readonly breakers: BreakerScope;
  readonly budget: RequestBudget;
  /** Null: its requests take the student's slots. */
  readonly ownSlots: Semaphore | null;
  /** Writes that have reached, or may have reached, the application. */
  writes = 0;
  applicationRenewed = false;

  /** `parallel`: it serves all students, with so many requests at once beside the student's slots. */
  constructor(parts: CallParts, student: Student, application: Application, context: CallContext, parallel?: number) {
    const isBorrowed = parallel !== undefined;
    this.parts = parts;
    this.userid = student.userid;
    this.application = application;
    this.row = parts.campus.addresses.application(application);
    this.context = context;
    this.breakers = new BreakerScope(parts.breakers, isBorrowed ? NO_STUDENT : student.userid);
    this.budget = isBorrowed ? unlimitedBudget : parts.budgets.of(student, context.trail);
    this.ownSlots = isBorrowed ? new Semaphore(parallel, WAITING_BORROWED) : null;
  }
}

/** The session as the clients see it: the one that was open when a round of the call began. */
export class BoundSession extends CampusRequests implements UpstreamSession, RequestSender {
  readonly session: ApplicationState;
  readonly row: ApplicationRow;
  readonly #call: CampusCall;
  readonly #student: StudentSession;
  /** The answer that was read last, and whether any could not be. */
  #last: PageText | null = null;
  #unread = false;

  constructor(call: CampusCall, student: StudentSession) {
    const { breakers, budget, ownSlots, context } = call;
    const { state } = student;
    const { signal, deadline } = context;
    const session = state.applications.get(call.application);
    if (!session) throw new Error('session is not open');
    const isReplaced = (): boolean => state.applications.get(call.application) !== session;
    const bound = {
      portalSession: state.portalSession,
      isReplaced,
      isWithdrawn: () => call.row.bindsSession && isReplaced(),
    };
    super(call.parts.campus, state, { breakers, budget, slots: ownSlots ?? student.slots, signal, deadline, bound });
    this.session = session;
    this.row = call.row;
    this.#call = call;
    this.#student = student;
  }

  get userid(): string {
    return this.#student.userid;
  }

  get memo(): UpstreamSession['memo'] {
    return this.session.memo;
  }

  /** Sends a read a second time when the network, a gateway or an empty body spoilt the first; a write never. */
  async text(request: UpstreamRequest): Promise<PageText> {
    const call = this.#call;
    const { state, session, signal } = this;
    const { clock } = this.campus;
    if (request.write) call.writes += 1;
    let verdict: AnswerVerdict;
    try {
      verdict = await this.#ask(request);
      if (verdict.kind === 'retry' && !request.write && !request.once) {
        await clock.wait(100 + Math.random() * 200, signal);
        verdict = await this.#ask(request);
      }
    } catch (error) {
      if (!request.write || !signal.aborted) throw error;
      verdict = outcomeUnknown(this, 'aborted', { cause: error });
    }
    if (verdict.kind === 'live') {
      const now = clock.now();
      // An answer of a session that was replaced since says nothing about the new one.
      if (this.portalSession === state.portalSession) state.portalLogin.answeredAt = now;
      // One that has opened nothing yet is not shown to hold by an application that an earlier one has opened.
      const isTicketed = this.row.entry.kind !== 'direct';
      const hasOpened = this.row.entry.kind === 'own-login' || state.unifiedLogin.answeredAt > 0;
      if (isTicketed && hasOpened) state.unifiedLogin.answeredAt = now;
      session.usedAt = now;
      this.#student.lastUsed = now;
      const replaced = verdict.text.split(REPLACEMENT).length - 1;
      if (replaced > 0) this.#tellOdd(request.page, [{ kind: 'replacement', name: '', count: replaced }]);
      if (this.#student.isUnverified) await call.parts.renewals.noteVerified(this.#student);
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

  /** Sends a request, and follows the application's own redirects. */
  async #ask(request: UpstreamRequest): Promise<AnswerVerdict> {
    const { application } = this.session;
    const { addresses } = this.campus;
    const headers = this.#headersFor(request);
    const visits: string[] = [];
    let asked = { ...request, url: addresses.url(application, request.path, request.at), headers };
    for (let hop = 0; hop <= HOPS; hop += 1) {
      const answer = await this.send(application, asked);
      if (answer.kind === 'no-answer') return judgeSilence(this, request, answer);
      const judged = await judgeAnswer(this, asked, answer);
      const verdict =
        request.opens && judged.kind === 'dead' ? await withPageTicket(this, application, judged) : judged;
      this.count(application, callOutcomeOf(verdict));
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
      ...rules?.headers(ticket ?? '', this.portalSession ?? ''),
      ...(rules && jsonBody === undefined ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(referer === undefined ? {} : { referer: addresses.url(application, referer).href }),
      ...headers,
    };
  }

  parse<T>(parser: PageReader<T>, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T> {
    const { campus, row, signal } = this;
    const tell = (oddities: readonly Oddity[]): void => this.#tellOdd(answer.page, oddities);
    const { system } = row;
    return this.#read(answer, (text) => campus.pages.read(parser, text, { system, signal, told: tell }), otherwise);
  }

  reading<T>(answer: PageText, read: (text: string) => T): Promise<T> {
    return this.#read(answer, (text) => {
      const { value, oddities } = collectOddities(() => read(text));
      this.#tellOdd(answer.page, oddities);
      return value;
    });
  }

  async #read<T>(
    answer: PageText,
    read: (text: string) => T | Promise<T>,
    otherwise?: (unread: Failure) => Error,
  ): Promise<T> {
    try {
      const value = await read(answer.text);
      // A place of the page that is no cell: in doubt it is not told.
      if (answer.text.includes(GARBLED) && holdsGarbled(value))
        throw unreadable(this.row.system, 'garbled beside its cells');
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

  /** Counts what a page had that we did not expect; each is logged once, by its name and never by a value. */
  #tellOdd(page: string, oddities: readonly Oddity[]): void {
    const { system } = this.row;
    for (const oddity of oddities) {
      const { kind, name, count } = oddity;
      this.campus.observer?.pageOdd(system, page, kind, count);
      if (!this.campus.oddities.isNew(system, page, oddity)) continue;
      this.campus.observer?.pageOddName(system, page, kind, name);
      this.campus.log.info({ system, page, kind, name }, 'page differs from the one we know');
    }
  }

  noteDropped(page: string, rows: number): void {
    const { system } = this.row;
    this.campus.observer?.rowsDropped(system, page, rows);
    if (rows > 0) this.#call.context.log.warn({ system, page, dropped: rows }, 'unusable upstream rows dropped');
  }

  takeTurn(queue: string): Promise<Disposable> {
    return this.#student.locks.enter(`${this.#call.application}:${queue}`, this.signal);
  }

  /** The work has failed. Where its pages do not fit together, the last one counts as unreadable. */
  noteFailed(error: unknown): void {
    if (this.#last && isFailure(error, 'upstream-unreadable') && !this.#unread) this.#countUnread(this.#last.page);
  }

  /** While a renewal may still help, an answer that may be a dead session's says nothing about the page. */
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
