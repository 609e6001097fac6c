import { isFailure } from '../../domain/errors.ts';
import type { ServiceObserver, UpstreamOutcome } from '../../domain/observation.ts';
import { LineFull, type Semaphore } from '../../lib/semaphore.ts';
import type { Addresses } from '../addresses.ts';
import { BreakerOpen, type BreakerScope } from '../breaker.ts';
import { type CampusHttp, type HttpAnswer, TransportError } from '../http.ts';
import type { Upstream } from '../upstreams.ts';
import type { CookieJars } from './cookies.ts';

/** Who is asking: the cookies and limits that go with every request of one student. */
export interface Traveller {
  readonly jars: CookieJars;
  readonly portalSession: string | null;
  readonly scope: BreakerScope<Upstream>;
  readonly signal: AbortSignal;
  /** At most four requests of one student at once. */
  readonly slots: Semaphore;
  /**
   * False once the session was renewed after this traveller set out: a late answer to the old session must not lay
   * its cookies over the new one's.
   */
  readonly mayStore?: () => boolean;
  /** Asked right before the cookies are picked; false: the session this traveller set out with is no longer there. */
  readonly mayGo?: () => boolean;
}

/** Thrown instead of sending a request that would travel with another session's cookies. */
export class SessionReplaced extends Error {
  constructor() {
    super('session was replaced before the request left');
    this.name = 'SessionReplaced';
  }
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly form?: ReadonlyArray<readonly [string, string]> | undefined;
  readonly jsonBody?: unknown;
  readonly slow?: boolean | undefined;
  /** True: the caller tells, by `count`, what the answer was; only it can tell a dead session from a live one. */
  readonly judged?: boolean;
}

/** Percent-encodes a form so that `+`, `/` and `=` of base64 arrive as they are. */
export const encodeForm = (fields: ReadonlyArray<readonly [string, string]>): string =>
  fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');

const bodyOf = (request: WireRequest): { type: string; body: string } | null => {
  if (request.jsonBody !== undefined) {
    return { type: 'application/json; charset=UTF-8', body: JSON.stringify(request.jsonBody) };
  }
  if (request.method === 'GET') return null;
  return { type: 'application/x-www-form-urlencoded; charset=UTF-8', body: encodeForm(request.form ?? []) };
};

/** What a request without an answer came to. */
const outcomeOf = (error: unknown, signal: AbortSignal): UpstreamOutcome => {
  if (error instanceof BreakerOpen || error instanceof LineFull || error instanceof SessionReplaced) return 'refused';
  if (error instanceof TransportError) {
    if (error.fault === 'line-full') return 'refused';
    return error.fault === 'timed-out' ? 'timed-out' : 'failed';
  }
  if (!signal.aborted) return 'failed';
  return isFailure(signal.reason, 'timed-out') ? 'timed-out' : 'abandoned';
};

export interface WireOptions {
  readonly http: CampusHttp;
  readonly addresses: Addresses;
  readonly attemptMs: number;
  readonly slowAttemptMs: number;
  readonly observer?: ServiceObserver;
}

/** Puts cookies on requests, keeps those of answers, and tells the breaker and the observer how it went. */
export class Wire {
  readonly addresses: Addresses;
  readonly #http: CampusHttp;
  readonly #attemptMs: number;
  readonly #slowAttemptMs: number;
  readonly #observer: ServiceObserver | undefined;

  constructor(options: WireOptions) {
    this.#http = options.http;
    this.addresses = options.addresses;
    this.#attemptMs = options.attemptMs;
    this.#slowAttemptMs = options.slowAttemptMs;
    this.#observer = options.observer;
  }

  /** @throws TransportError, BreakerOpen, LineFull, or the traveller's signal reason */
  async send(place: Upstream, traveller: Traveller, request: WireRequest): Promise<HttpAnswer> {
    let answer: HttpAnswer;
    try {
      answer = await traveller.slots.run(traveller.signal, () => this.#send(place, traveller, request));
    } catch (error) {
      this.count(place, outcomeOf(error, traveller.signal));
      throw error;
    }
    if (request.judged !== true) this.count(place, answer.status >= 500 ? 'failed' : 'ok');
    return answer;
  }

  /** Counts one request. */
  count(place: Upstream, outcome: UpstreamOutcome): void {
    this.#observer?.upstream(place, outcome);
  }

  async #send(place: Upstream, traveller: Traveller, request: WireRequest): Promise<HttpAnswer> {
    if (traveller.mayGo?.() === false) throw new SessionReplaced();
    traveller.scope.admit(place);
    const body = bodyOf(request);
    const cookie = traveller.jars.header(request.url, traveller.portalSession);
    const sentAt = performance.now();
    try {
      const answer = await this.#http.send({
        method: request.method,
        url: request.url,
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(body === null ? {} : { 'content-type': body.type }),
          ...request.headers,
        },
        ...(body === null ? {} : { body: body.body }),
        attemptMs: request.slow ? this.#slowAttemptMs : this.#attemptMs,
        signal: traveller.signal,
      });
      if (traveller.mayStore?.() ?? true) traveller.jars.store(request.url, answer.setCookies);
      traveller.scope.note(place, answer.status >= 500);
      this.#observer?.upstreamAnswered(place, (performance.now() - sentAt) / 1000);
      return answer;
    } catch (error) {
      // A full line is our own crowd and a vanished caller is nobody's fault: neither speaks about the upstream.
      if (error instanceof TransportError && error.fault !== 'line-full') traveller.scope.note(place, true);
      throw error;
    }
  }
}
