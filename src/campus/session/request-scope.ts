import { isFailure } from '../../domain/errors.ts';
import type { ServiceObserver, UpstreamOutcome } from '../../domain/observation.ts';
import { LineFull, type Semaphore } from '../../lib/queues.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { Clock, Deadline } from '../../lib/time.ts';
import type { Addresses } from '../addresses.ts';
import { type Breaker, type CallOutcome, PROBE_MS } from '../breaker.ts';
import type { CampusHttp, HttpAnswer, Unsent } from '../http.ts';
import type { PageReading } from '../page-threads.ts';
import type { ApplicationRow, Upstream } from '../upstreams.ts';
import type { RequestBudget } from './request-budgets.ts';
import type { ApplicationState, StudentState } from './student-state.ts';
import type { Unanswered } from './verdict.ts';

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

/** Why a request may not go. */
interface Held {
  readonly kind: 'no-answer';
  readonly fault: 'breaker-open' | 'student-paused';
  readonly retryAfterSeconds: number;
}

/**
 * Remembers how each upstream answered one API call. Retries inside a call do not count several times: the last outcome
 * per upstream is reported when the call ends. Only a probe is reported at once, because all calls wait for it.
 */
export class BreakerScope {
  readonly student: string;
  readonly #breakers: ReadonlyMap<Upstream, Breaker>;
  /** The upstreams that have let this call pass, each with the outcome of the last request; null: there is none. */
  readonly #admitted = new Map<Upstream, CallOutcome | null>();
  readonly #probes = new Map<Upstream, { readonly probe: symbol; readonly over: PromiseWithResolvers<void> }>();

  constructor(breakers: ReadonlyMap<Upstream, Breaker>, student: string) {
    this.#breakers = breakers;
    this.student = student;
  }

  /** While a request of this call probes the upstream, the others wait for its outcome; undefined: none does. */
  probeUnderWay(upstream: Upstream): Promise<void> | undefined {
    return this.#probes.get(upstream)?.over.promise;
  }

  /** Null: a request may go. An upstream that has let this call pass once lets all its requests pass. */
  admit(upstream: Upstream): Held | null {
    if (this.#admitted.has(upstream)) return null;
    const admission = this.#breakers.get(upstream)?.admit(this.student);
    if (admission?.kind === 'wait') {
      const fault = admission.forStudent ? 'student-paused' : 'breaker-open';
      return { kind: 'no-answer', fault, retryAfterSeconds: admission.seconds };
    }
    if (admission?.probe) this.#probes.set(upstream, { probe: admission.probe, over: Promise.withResolvers() });
    else this.#admitted.set(upstream, null);
    return null;
  }

  /** Admits a request that has waited since; null: it may go. */
  held(upstream: Upstream): Held | null {
    if (this.#probes.has(upstream) || this.#admitted.get(upstream)) return null;
    const seconds = this.#breakers.get(upstream)?.pausedFor(this.student) ?? 0;
    return seconds === 0 ? null : { kind: 'no-answer', fault: 'breaker-open', retryAfterSeconds: seconds };
  }

  /** The request that may go now is a probe. */
  isProbing(upstream: Upstream): boolean {
    return this.#probes.has(upstream);
  }

  /** The outcome of a request; null: it says nothing about the upstream. */
  note(upstream: Upstream, outcome: CallOutcome | null): void {
    const probing = this.#probes.get(upstream);
    if (probing === undefined) {
      if (outcome !== null) this.#admitted.set(upstream, outcome);
      return;
    }
    this.#probes.delete(upstream);
    this.#breakers.get(upstream)?.probed(this.student, probing.probe, outcome);
    if (outcome === 'ok') this.#admitted.set(upstream, null);
    probing.over.resolve();
  }

  /** Says nothing about this upstream after all: another call reports it. */
  retract(upstream: Upstream): void {
    if (this.#admitted.has(upstream)) this.#admitted.set(upstream, null);
  }

  finish(): void {
    for (const [upstream, outcome] of this.#admitted) {
      if (outcome !== null) this.#breakers.get(upstream)?.report(this.student, outcome);
    }
    this.#admitted.clear();
  }
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
