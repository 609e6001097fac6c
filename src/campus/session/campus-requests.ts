import type { CallTrail, Log, Student } from '../../domain/context.ts';
import { isFailure, type SignInStep } from '../../domain/errors.ts';
import { limits, WindowCounter, wholeSeconds } from '../../domain/limits.ts';
import type { ServiceObserver, UpstreamOutcome } from '../../domain/observation.ts';
import type { TagOf } from '../../lib/hash.ts';
import { QueueFull, type Semaphore } from '../../lib/queues.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { Clock, Deadline } from '../../lib/time.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { UpstreamRequest } from '../contract/upstream-session.ts';
import type { Upstream } from '../contract/upstreams.ts';
import type { Oddity } from '../parsing/oddities.ts';
import { type BreakerScope, type CallOutcome, PROBE_MS } from '../transport/breaker.ts';
import type { CampusHttp, HttpAnswer, Unanswered } from '../transport/http.ts';
import type { PageReading } from '../transport/page-threads.ts';
import type { StudentState } from './student-state.ts';

export interface CampusDeps {
  readonly http: Pick<CampusHttp, 'send'>;
  readonly addresses: Addresses;
  readonly clock: Clock;
  /** Limit of one attempt; pages known to be slow get `slowAttemptMs`. */
  readonly attemptMs: number;
  readonly slowAttemptMs: number;
  readonly pages: PageReading;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly observer?: ServiceObserver;
  /** What was logged of pages: each oddity once. */
  readonly oddities: Pick<SeenOddities, 'isNew'>;
}

/** The session that the requests belong to, which may be replaced while they run. */
interface Bound {
  /** Sent with each request that names none. */
  readonly portalSession: string | null;
  /** It was replaced or dropped: late cookies do not belong to the new one. */
  isReplaced(): boolean;
  /** Requests of the replaced session must not leave any more. */
  isWithdrawn(): boolean;
}

export interface RequestBounds {
  readonly breakers: BreakerScope;
  readonly budget: RequestBudget;
  readonly slots: Semaphore;
  readonly signal: AbortSignal;
  /** Deadline of the call. A sign-in has none: only its signal ends it. */
  readonly deadline?: Deadline;
  /** The half that a sign-in asks for. */
  readonly at?: { step: SignInStep };
  /** It signs in with the stored pair, and nobody is there: the only one that sends device trust. */
  readonly isRenewal?: boolean;
  /** Left out on the way to a session. */
  readonly bound?: Bound;
}

type RequestParts = 'method' | 'headers' | 'form' | 'jsonBody' | 'slow' | 'whole' | 'write';

/** `write`: a write, or a password. */
export interface CampusRequest extends Pick<UpstreamRequest, RequestParts> {
  readonly url: URL;
  /** Left out: it is on the way to a session. */
  readonly page?: string;
  readonly image?: boolean;
  /** Goes with it in place of the student's own; null: none. */
  readonly portalSession?: string | null;
  /** To the place of a password: what it knows the browser by goes with it, where the sign-in may send that. */
  readonly toPlace?: boolean;
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

/** How the metrics count a request without an answer. The campus is to blame for these; others we refused ourselves. */
const outcomes: Readonly<Partial<Record<Unanswered['fault'], UpstreamOutcome>>> = {
  'timed-out': 'timed-out',
  'not-sent': 'failed',
  broken: 'failed',
  'too-large': 'failed',
  garbled: 'failed',
};

/** The outcome that the breaker counts; null: none. */
const readOutcome = (answer: HttpAnswer | Unanswered): CallOutcome | null => {
  if (answer.kind === 'answer') return answer.status >= 500 ? 'failed' : 'ok';
  if (outcomes[answer.fault] === undefined) return null;
  return answer.fault === 'not-sent' ? 'unreachable' : 'failed';
};

/** Sends the requests of one piece of work with a student's cookies, within its limits, and counts them. */
export class CampusRequests {
  readonly campus: CampusDeps;
  readonly state: StudentState;
  readonly signal: AbortSignal;
  readonly #limits: RequestBounds;

  constructor(campus: CampusDeps, state: StudentState, limits: RequestBounds) {
    this.campus = campus;
    this.state = state;
    this.signal = limits.signal;
    this.#limits = limits;
  }

  get portalSession(): string | null {
    const { bound } = this.#limits;
    return bound === undefined ? this.state.portalSession : bound.portalSession;
  }

  /** From now on the sign-in asks for that half. */
  reach(step: SignInStep): void {
    if (this.#limits.at !== undefined) this.#limits.at.step = step;
  }

  get isWithdrawn(): boolean {
    return this.#limits.bound?.isWithdrawn() ?? false;
  }

  /** Counts a request without an answer; only its reader can judge an answer. @throws the reason of the signal */
  async send(upstream: Upstream, request: CampusRequest): Promise<HttpAnswer | Unanswered> {
    const { slots, signal } = this.#limits;
    let answer: HttpAnswer | Unanswered;
    try {
      using _slot = await slots.enter(signal);
      answer = await this.#sendNow(upstream, request);
    } catch (error) {
      if (!(error instanceof QueueFull)) {
        const { aborted, reason } = signal;
        this.count(upstream, !aborted ? 'failed' : isFailure(reason, 'timed-out') ? 'timed-out' : 'abandoned');
        throw error;
      }
      answer = { kind: 'no-answer', fault: 'student-line-full' };
    }
    if (answer.kind === 'no-answer') this.count(upstream, outcomes[answer.fault] ?? 'refused');
    return answer;
  }

  /** Used on the way to a session, where any answer below 500 counts as good. */
  async sendAndCount(upstream: Upstream, request: CampusRequest): Promise<HttpAnswer | Unanswered> {
    const answer = await this.send(upstream, request);
    if (answer.kind === 'answer') this.count(upstream, answer.status >= 500 ? 'failed' : 'ok');
    return answer;
  }

  count(upstream: Upstream, outcome: UpstreamOutcome): void {
    this.campus.observer?.upstream(this.campus.addresses.systemOf(upstream), outcome);
  }

  /** Counts a page on the way to a session. */
  countPage(upstream: Upstream, page: string, isKnown: boolean): void {
    const { observer, addresses } = this.campus;
    const system = addresses.systemOf(upstream);
    observer?.pageRead(system, page);
    if (!isKnown) observer?.pageUnreadable(system, page);
  }

  async #sendNow(upstream: Upstream, request: CampusRequest): Promise<HttpAnswer | Unanswered> {
    const { breakers, budget, signal } = this.#limits;
    for (let probe = breakers.probeUnderWay(upstream); probe; probe = breakers.probeUnderWay(upstream)) {
      await raceSignal(probe, signal);
    }
    const refusal = breakers.admit(upstream);
    if (refusal !== null) return refusal;
    let seen: CallOutcome | null = null;
    try {
      if (this.isWithdrawn) return { kind: 'no-answer', fault: 'session-replaced' };
      const retryAfterSeconds = budget.take();
      if (retryAfterSeconds > 0) return { kind: 'no-answer', fault: 'budget-spent', retryAfterSeconds };
      const answer = await this.#attempt(upstream, request);
      seen = readOutcome(answer);
      return answer;
    } finally {
      breakers.note(upstream, seen);
    }
  }

  async #attempt(upstream: Upstream, request: CampusRequest): Promise<HttpAnswer | Unanswered> {
    const { http, addresses, observer, attemptMs, slowAttemptMs } = this.campus;
    const { breakers, deadline, signal, isRenewal } = this.#limits;
    const { portalSession = this.portalSession } = request;
    const row = addresses.row(upstream);
    const body = bodyOf(request);
    const session = this.state.jars.header(request.url, portalSession);
    const trust = isRenewal && request.toPlace ? this.state.trust.header(request.url) : '';
    const cookie = [session, trust].filter((text) => text !== '').join('; ');
    const usualMs = request.slow ? slowAttemptMs : attemptMs;
    // A probe is short, except where the page is slow or a write would be left half done.
    const isShort = breakers.isProbing(upstream) && !request.slow && !request.write;
    const sentAt = performance.now();
    const answer = await http.send({
      method: request.method,
      url: request.url,
      upstream,
      page: request.page,
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
      refusal: () => breakers.refusal(upstream),
      signal,
    });
    if (answer.kind === 'answer') {
      if (!this.#limits.bound?.isReplaced()) this.state.keepCookies(request.url, answer.setCookies);
      observer?.upstreamAnswered(addresses.systemOf(upstream), (performance.now() - sentAt) / 1000);
    }
    return answer;
  }
}

/** Limits what one student may ask of the campus. */
export interface RequestBudget {
  /** Seconds until there is something left; 0: there is. */
  waitSeconds(): number;
  /** Counts a request that is about to leave. Where nothing is left it counts nothing and returns the seconds to wait. */
  take(): number;
}

/** Used for work that serves all students or has limits of another kind. */
export const unlimitedBudget: RequestBudget = { waitSeconds: () => 0, take: () => 0 };

/** Counts the requests that each student causes at the campus, in the memory of this process. */
export class RequestBudgets {
  readonly #students: WindowCounter;
  readonly #tokens: WindowCounter;

  constructor(clock: Clock) {
    this.#students = new WindowCounter(clock, limits.campusOfStudent);
    this.#tokens = new WindowCounter(clock, limits.campusOfToken);
  }

  /** The budget of one call. Background work has no token and counts apart, so that neither spends what the other needs. */
  of({ userid, tokenHash }: Student, trail?: CallTrail): RequestBudget {
    // No student id begins with a space.
    const name = tokenHash === undefined ? ` ${userid}` : userid;
    const waitSeconds = (): number => {
      const ofToken = tokenHash === undefined ? 0 : this.#tokens.wait(tokenHash);
      const wait = Math.max(this.#students.wait(name), ofToken);
      return wait === 0 ? 0 : wholeSeconds(wait);
    };
    const take = (): number => {
      const wait = waitSeconds();
      if (wait > 0) return wait;
      this.#students.count(name);
      if (tokenHash !== undefined) this.#tokens.count(tokenHash);
      if (trail) trail.askedCampus = true;
      return 0;
    };
    return { waitSeconds, take };
  }

  /** A sign-in is counted, and never broken off half-way. */
  ofSignIn(userid: string): RequestBudget {
    const take = (): number => {
      this.#students.count(userid);
      return 0;
    };
    return { waitSeconds: () => 0, take };
  }
}

/** More different ones tell an operator nothing new. */
const mostSeen = 1_000;

/** What this process has seen on pages that it did not expect. */
export class SeenOddities {
  readonly #seen = new Set<string>();

  /** True once for each system, page, kind and name. */
  isNew(system: string, page: string, { kind, name }: Pick<Oddity, 'kind' | 'name'>): boolean {
    const key = JSON.stringify([system, page, kind, name]);
    if (this.#seen.has(key) || this.#seen.size >= mostSeen) return false;
    this.#seen.add(key);
    return true;
  }
}
