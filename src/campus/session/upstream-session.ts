import type { CallContext, Student } from '../../domain/context.ts';
import { type Failure, isFailure } from '../../domain/errors.ts';
import type { ServiceObserver, UpstreamOutcome } from '../../domain/observation.ts';
import { LineFull, type Semaphore } from '../../lib/queues.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { Clock, Deadline } from '../../lib/time.ts';
import type { Addresses } from '../addresses.ts';
import { type BreakerScope, type CallOutcome, PROBE_MS } from '../breaker.ts';
import type { CampusHttp, HttpAnswer, Unanswered, Unsent } from '../http.ts';
import type { PageReading } from '../page-threads.ts';
import type { PageReader } from '../parsing/page-reader.ts';
import type { Application, ApplicationRow, Upstream } from '../upstreams.ts';
import type { RequestBudget } from './request-budgets.ts';
import type { ApplicationState, Memo, StudentState } from './student-state.ts';

export interface UpstreamRequest {
  /** The name that operators see when it cannot be read: one of a fixed few for each application. */
  readonly page: string;
  readonly method: 'GET' | 'POST';
  /** Path and query below the application's base, beginning with `/`. */
  readonly path: string;
  /** Form fields in order; sent as `application/x-www-form-urlencoded`, UTF-8. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>;
  /** A JSON body instead of a form. */
  readonly jsonBody?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the page whose script asks, sent as its `Referer`. */
  readonly referer?: string;
  /** `json`: HTML in the body is never data. `page`: `alive` decides. */
  readonly expect: 'json' | 'page';
  /** Recognises the live page; not asked for `json`. */
  readonly alive?: PageReader<boolean>;
  /** Known to be slow: one attempt may take 25 s instead of 12 s. */
  readonly slow?: boolean;
  /** A plan, or a list that comes whole: it may be longer than other answers. */
  readonly whole?: boolean;
  /**
   * The campus may not have it: status 404, or a page without its mark that shows no dead session either, is answered
   * with an empty text instead of a failure.
   */
  readonly optional?: boolean;
  /** A write: never repeated unless it certainly did not reach the application. */
  readonly write?: boolean;
  /** A read that the client repeats by its own rule: the session core does not send it a second time. */
  readonly once?: boolean;
}

/** The body of a live answer. */
export interface PageText {
  readonly page: string;
  readonly text: string;
}

/** A student's live session of one upstream, as the clients see it. Valid only inside `SessionAccess.with`. */
export interface UpstreamSession {
  readonly userid: string;
  /**
   * Sends one request and returns the body once it is sure to come from the live application.
   * An expired session is renewed and the whole work of `with` repeated by the session core; the client sees nothing.
   * @throws Failure `upstream-unavailable`, `upstream-unreadable`, `timed-out`
   */
  text(request: UpstreamRequest): Promise<PageText>;
  /**
   * Parses a text, a large one on another thread. `otherwise` is thrown in
   * place of the failure that the page is unreadable.
   * @throws what the parser throws; Failure `upstream-unreadable`, `overloaded`
   */
  parse<T>(parser: PageReader<T>, answer: PageText, otherwise?: (unread: Failure) => Error): Promise<T>;
  /** Calls `read` on a text. Like `parse`, it counts the page as read or unreadable. */
  reading<T>(answer: PageText, read: (text: string) => T): Promise<T>;
  /** Rows of a page could not be used: never dropped silently. */
  dropped(page: string, rows: number): void;
  /** Values that pages handed out (path segments, tokens): sealed with the session and gone with it. */
  readonly memo: Pick<Memo, 'get' | 'set' | 'drop'>;
  /** Runs `work` alone among calls of this student and application with the same name (index pages, postbacks). */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** How an answer looked that shows, or suggests, a dead session. */
export type DeadSign =
  | 'portal-expired'
  | 'application-expired'
  /** The application itself refused the ticket or the session, by its status or by what it said. */
  | 'refused'
  /** HTML where JSON was due, without a mark: one renewal, then it is an error of the upstream. */
  | 'html-for-json'
  /** The same for a page, where dead sessions show as pages that lack what was due. */
  | 'unmarked-page'
  /** Nothing at all, twice, from a session that was not verified lately. */
  | 'empty-unproven';

/**
 * Ends the work of `SessionAccess.with`, because its session is dead: thrown by `text` for what an answer shows, and by
 * a client's work (sign `refused`) when the application itself says that its ticket or session is no good. The session
 * core renews what has died and runs the work again.
 */
export class SessionDead extends Error {
  readonly sign: DeadSign;
  /** The service that the application asked the unified login for, where its redirect said so. */
  readonly service: string | null;
  /** The call's outcome when the renewed session is refused as well; null: the session is lost. */
  readonly otherwise: Failure | null;

  constructor(sign: DeadSign, details: { readonly service?: string | null; readonly otherwise?: Failure } = {}) {
    super(`session is dead: ${sign}`);
    this.name = 'SessionDead';
    this.sign = sign;
    this.service = details.service ?? null;
    this.otherwise = details.otherwise ?? null;
  }
}

/** The application refused its session; `failure` is the answer if it refuses the renewed one as well. */
export const refusedSession = (failure: Failure): SessionDead => new SessionDead('refused', { otherwise: failure });

export interface AccessOptions {
  /**
   * For work that serves all students and only borrows this session: this many of its requests at once, beside
   * the student's own line instead of in it.
   */
  readonly parallel?: number;
}

/** How clients reach their upstream. Implemented by `sessions.ts`; faked in unit tests of the clients. */
export interface SessionAccess {
  /**
   * Gives `work` a live session of that application, signing in by the cheapest path. When the session turns out to be
   * dead, it is renewed and `work` runs again from its beginning, at most once per layer. Once a write has gone out,
   * `work` does not run again unless that write provably did not reach the application.
   * @throws Failure sign-in kinds, `session-lost`, `outcome-unknown`, `timed-out`, `client-gone`, and what `work`
   *   throws
   */
  with<T>(
    student: Student,
    application: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
    options?: AccessOptions,
  ): Promise<T>;
}

/** Shared by all requests of this process. */
export interface Campus {
  readonly http: Pick<CampusHttp, 'send'>;
  readonly addresses: Addresses;
  readonly clock: Clock;
  /** Limit of one attempt, and that for pages known to be slow. */
  readonly attemptMs: number;
  readonly slowAttemptMs: number;
  readonly pages: PageReading;
  readonly observer?: ServiceObserver;
}

/** Set by one piece of work for its requests: whose cookies, within which limits, and where they are noted. */
export interface RequestScope {
  readonly campus: Campus;
  readonly state: StudentState;
  readonly portalSession: string | null;
  /** The application session that the work began with; null while sessions are being opened. */
  readonly session: ApplicationState | null;
  /** Of that application. */
  readonly row: ApplicationRow | null;
  readonly breakers: BreakerScope;
  readonly budget: RequestBudget;
  readonly slots: Semaphore;
  readonly signal: AbortSignal;
  /** Of the call; a sign-in ends by its signal alone. */
  readonly deadline?: Deadline;
}

interface CampusRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly form?: ReadonlyArray<readonly [string, string]> | undefined;
  readonly jsonBody?: unknown;
  readonly slow?: boolean | undefined;
  readonly whole?: boolean | undefined;
  /** The answer is a picture. */
  readonly image?: boolean | undefined;
  /** It does something: a password goes out with it, or it is a write. */
  readonly write?: boolean | undefined;
}

/** A captcha has a few kilobytes. */
const IMAGE_CEILING = 256 * 1024;

/** Percent-encodes a form so that `+`, `/` and `=` of base64 arrive as they are. */
export const encodeForm = (fields: ReadonlyArray<readonly [string, string]>): string =>
  fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

const bodyOf = (request: CampusRequest): { readonly type: string; readonly text: string } | null => {
  if (request.method === 'GET') return null;
  if (request.jsonBody !== undefined) {
    return { type: 'application/json; charset=UTF-8', text: JSON.stringify(request.jsonBody) };
  }
  return { type: 'application/x-www-form-urlencoded; charset=UTF-8', text: encodeForm(request.form ?? []) };
};

/** Whether the session that the work began with was replaced or dropped since. */
const isReplaced = ({ state, session }: RequestScope): boolean =>
  session !== null && state.applications.get(session.application) !== session;

/** Some sessions depend on earlier requests: then the work of one session must not meet the next one. */
export const meetsAnotherSession = (scope: RequestScope): boolean =>
  scope.row?.bindsSession === true && isReplaced(scope);

const isUnsent = ({ fault }: Unsent): boolean =>
  fault === 'line-full' || fault === 'breaker-open' || fault === 'student-paused';

/** Chooses the outcome that the breaker counts for an answer, or for none; null counts nothing. */
const seenOf = (answer: HttpAnswer | Unsent): CallOutcome | null => {
  if (answer.kind === 'answer') return answer.status >= 500 ? 'failed' : 'ok';
  // A full line is our own doing, and so is a request that did not leave it.
  if (isUnsent(answer)) return null;
  return answer.fault === 'not-sent' ? 'unreachable' : 'failed';
};

const sendOnce = async (
  scope: RequestScope,
  upstream: Upstream,
  request: CampusRequest,
): Promise<HttpAnswer | Unanswered> => {
  const { campus, state, breakers, budget, signal, deadline } = scope;
  for (let probe = breakers.probeUnderWay(upstream); probe; probe = breakers.probeUnderWay(upstream)) {
    await raceSignal(probe, signal);
  }
  const held = breakers.admit(upstream);
  if (held !== null) return held;
  let seen: CallOutcome | null = null;
  try {
    if (meetsAnotherSession(scope)) return { kind: 'no-answer', fault: 'session-replaced' };
    const retryAfterSeconds = budget.take();
    if (retryAfterSeconds > 0) return { kind: 'no-answer', fault: 'budget-spent', retryAfterSeconds };
    const row = campus.addresses.row(upstream);
    const body = bodyOf(request);
    const cookie = state.jars.header(request.url, scope.portalSession);
    const usualMs = request.slow ? campus.slowAttemptMs : campus.attemptMs;
    // A slow page, and what must not be left half done, keep their time, but not their turn as a probe.
    const isShort = breakers.isProbing(upstream) && !request.slow && !request.write;
    const sentAt = performance.now();
    const answer = await campus.http.send({
      method: request.method,
      url: request.url,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(body === null ? {} : { 'content-type': body.type }),
        ...request.headers,
      },
      body: body?.text,
      attemptMs: isShort ? Math.min(PROBE_MS, usualMs) : usualMs,
      sizeCeiling: request.image ? IMAGE_CEILING : request.whole ? row.wholeCeiling : row.sizeCeiling,
      image: request.image,
      owner: breakers.student,
      remaining: deadline && (() => deadline.remaining()),
      // A request that waited while the upstream was found to be down is not sent.
      instead: () => breakers.held(upstream),
      signal,
    });
    seen = seenOf(answer);
    if (answer.kind === 'answer') {
      // A late answer to an old session must not overwrite the cookies of the new one.
      if (!isReplaced(scope)) state.jars.store(request.url, answer.setCookies);
      campus.observer?.upstreamAnswered(campus.addresses.systemOf(upstream), (performance.now() - sentAt) / 1000);
    }
    return answer;
  } finally {
    breakers.note(upstream, seen);
  }
};

/** Requests that the campus did not answer, for the metrics. */
const outcomeOf = ({ fault }: Unanswered): UpstreamOutcome => {
  switch (fault) {
    case 'timed-out':
      return 'timed-out';
    case 'breaker-open':
    case 'student-paused':
    case 'budget-spent':
    case 'line-full':
    case 'student-line-full':
    case 'session-replaced':
      return 'refused';
    case 'not-sent':
    case 'broken':
    case 'too-large':
      return 'failed';
  }
};

/** Counts one request. */
export const count = ({ campus }: RequestScope, upstream: Upstream, outcome: UpstreamOutcome): void =>
  campus.observer?.upstream(campus.addresses.systemOf(upstream), outcome);

/** Counts a page of the way to a session, which no session reads. */
export const countPage = ({ campus }: RequestScope, upstream: Upstream, page: string, isKnown: boolean): void => {
  const system = campus.addresses.systemOf(upstream);
  campus.observer?.pageRead(system, page);
  if (!isKnown) campus.observer?.pageUnreadable(system, page);
};

/**
 * Sends one request: with its cookies, in the student's line, unless the breaker is open. What brought no answer is
 * counted; only its reader can judge an answer.
 * @throws the reason of the scope's signal
 */
export const send = async (
  scope: RequestScope,
  upstream: Upstream,
  request: CampusRequest,
): Promise<HttpAnswer | Unanswered> => {
  let answer: HttpAnswer | Unanswered;
  try {
    answer = await scope.slots.run(scope.signal, () => sendOnce(scope, upstream, request));
  } catch (error) {
    if (!(error instanceof LineFull)) {
      const { aborted, reason } = scope.signal;
      count(scope, upstream, !aborted ? 'failed' : isFailure(reason, 'timed-out') ? 'timed-out' : 'abandoned');
      throw error;
    }
    answer = { kind: 'no-answer', fault: 'student-line-full' };
  }
  if (answer.kind === 'no-answer') count(scope, upstream, outcomeOf(answer));
  return answer;
};

/** The same, where any answer below 500 is a usable one: on the way to a session. */
export const sendAndCount = async (
  scope: RequestScope,
  upstream: Upstream,
  request: CampusRequest,
): Promise<HttpAnswer | Unanswered> => {
  const answer = await send(scope, upstream, request);
  if (answer.kind === 'answer') count(scope, upstream, answer.status >= 500 ? 'failed' : 'ok');
  return answer;
};
