import type { Semaphore } from '../../lib/semaphore.ts';
import type { BreakerScope } from '../breaker.ts';
import { type CampusHttp, type HttpAnswer, TransportError } from '../http.ts';
import type { CookieJars } from './cookies.ts';
import type { Place, Places } from './places.ts';

/** Who is asking: the cookies and limits that go with every request of one student. */
export interface Traveller {
  readonly jars: CookieJars;
  readonly twfid: string | null;
  readonly scope: BreakerScope<Place>;
  readonly signal: AbortSignal;
  /** At most four requests of one student at once. */
  readonly slots: Semaphore;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly form?: ReadonlyArray<readonly [string, string]> | undefined;
  readonly jsonBody?: unknown;
  readonly slow?: boolean | undefined;
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

/** Puts cookies on requests, keeps those of answers, and tells the breaker how it went. */
export class Wire {
  readonly places: Places;
  readonly #http: CampusHttp;
  readonly #attemptMs: number;
  readonly #slowAttemptMs: number;

  constructor(options: { http: CampusHttp; places: Places; attemptMs: number; slowAttemptMs: number }) {
    this.#http = options.http;
    this.places = options.places;
    this.#attemptMs = options.attemptMs;
    this.#slowAttemptMs = options.slowAttemptMs;
  }

  /** @throws TransportError, BreakerOpen, or the traveller's signal reason */
  send(place: Place, traveller: Traveller, request: WireRequest): Promise<HttpAnswer> {
    return traveller.slots.run(traveller.signal, () => this.#send(place, traveller, request));
  }

  async #send(place: Place, traveller: Traveller, request: WireRequest): Promise<HttpAnswer> {
    traveller.scope.admit(place);
    const body = bodyOf(request);
    const cookie = traveller.jars.header(request.url, traveller.twfid);
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
      traveller.jars.store(request.url, answer.setCookies);
      traveller.scope.note(place, answer.status >= 500);
      return answer;
    } catch (error) {
      // A full line is our own crowd and a vanished caller is nobody's fault: neither speaks about the upstream.
      if (error instanceof TransportError && error.fault !== 'line-full') traveller.scope.note(place, true);
      throw error;
    }
  }
}
