import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw } from 'node:zlib';
import { Agent, request } from 'undici';
import type { LineState } from '../domain/observation.ts';
import { LineFull, Semaphore } from '../lib/semaphore.ts';
import { decodeBody } from './charset.ts';

/** One fixed browser identity; the campus demands none in particular. */
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0.4472.124 Safari/537.36';
const CONNECT_MS = 5_000;
const MEBIBYTE = 1024 * 1024;

export type TransportFault = 'not-sent' | 'broken' | 'timed-out' | 'too-large' | 'line-full';

/**
 * A request that brought no answer. `not-sent` proves that the request never reached the upstream; `broken` proves
 * nothing. Named by code, because errors of the client library are not reliably its own classes.
 */
export class TransportError extends Error {
  readonly fault: TransportFault;

  constructor(fault: TransportFault, cause: unknown) {
    super(`upstream request failed: ${fault}`, { cause });
    this.name = 'TransportError';
    this.fault = fault;
  }
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of this one attempt, connecting and reading included. */
  readonly attemptMs: number;
  /** The caller's own signal. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** Raw header, before any URL parser touches it. */
  readonly location: string | undefined;
  readonly setCookies: readonly string[];
  readonly text: string;
}

export interface CampusHttpOptions {
  /** Origins that may be asked at all; everything else is a programming error or an attack. */
  readonly origins: readonly string[];
  /** Origin whose certificate is not checked; only the portal may be given. */
  readonly insecureOrigin: string | null;
  readonly connections: number;
  /** Requests that may wait per origin behind the busy connections. */
  readonly line: number;
  /** Bytes of one answer, also after decompression. */
  readonly sizeCeiling: number;
  /** Origins that answer small pages only, and their ceiling. */
  readonly smallOrigins?: { readonly origins: readonly string[]; readonly sizeCeiling: number };
}

const unpackers = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate) };

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const tooLargeCodes = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'ERR_BUFFER_TOO_LARGE']);
const timeoutCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/**
 * The one way out to the campus: a bounded pool and waiting line per origin, no automatic redirects, retries, caches
 * or cookies, a size ceiling and a deadline for every attempt. Bodies are always read to their end or destroyed.
 */
export class CampusHttp {
  readonly #agents = new Map<string, Agent>();
  readonly #lines = new Map<string, Semaphore>();
  readonly #options: CampusHttpOptions;

  constructor(options: CampusHttpOptions) {
    this.#options = options;
    for (const origin of options.origins) {
      this.#lines.set(origin, new Semaphore(options.connections, options.line));
      this.#agents.set(
        origin,
        new Agent({
          connections: options.connections,
          pipelining: 1,
          allowH2: false,
          maxResponseSize: this.#ceilingOf(origin),
          keepAliveTimeout: 10_000,
          connect: { timeout: CONNECT_MS, rejectUnauthorized: origin !== options.insecureOrigin },
        }),
      );
    }
  }

  /** @throws TransportError, or the caller's signal reason when it was aborted. */
  async send(input: HttpRequest): Promise<HttpAnswer> {
    const line = this.#lines.get(input.url.origin);
    const agent = this.#agents.get(input.url.origin);
    if (!line || !agent) throw new Error('request to an origin that is not configured');
    // Own timer and listener instead of AbortSignal.timeout/any: both go as soon as the attempt is over.
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(new Error('attempt timed out')), input.attemptMs);
    const onCallerGone = () => attempt.abort(input.signal.reason);
    input.signal.addEventListener('abort', onCallerGone, { once: true });
    if (input.signal.aborted) onCallerGone();
    try {
      return await line.run(attempt.signal, () => this.#exchange(input, agent, attempt.signal));
    } catch (error) {
      if (input.signal.aborted) throw input.signal.reason;
      if (error instanceof TransportError) throw error;
      if (error instanceof LineFull) throw new TransportError('line-full', error);
      if (attempt.signal.aborted) throw new TransportError('timed-out', error);
      throw this.#translate(error);
    } finally {
      clearTimeout(timer);
      input.signal.removeEventListener('abort', onCallerGone);
    }
  }

  async #exchange(input: HttpRequest, agent: Agent, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await request(input.url, {
      dispatcher: agent,
      method: input.method,
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'gzip, deflate', ...input.headers },
      body: input.body ?? null,
      signal,
    });
    const raw = Buffer.from(await answer.body.arrayBuffer());
    const header = (name: string): string | undefined => {
      const value = answer.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    const cookies = answer.headers['set-cookie'];
    return {
      status: answer.statusCode,
      location: header('location'),
      setCookies: cookies === undefined ? [] : Array.isArray(cookies) ? cookies : [cookies],
      text: decodeBody(
        await this.#unpack(raw, header('content-encoding'), this.#ceilingOf(input.url.origin)),
        header('content-type'),
      ),
    };
  }

  #ceilingOf(origin: string): number {
    const { sizeCeiling, smallOrigins } = this.#options;
    return smallOrigins?.origins.includes(origin) ? smallOrigins.sizeCeiling : sizeCeiling;
  }

  async #unpack(raw: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
    const name = encoding?.trim().toLowerCase();
    if (!name || name === 'identity' || raw.length === 0) return raw;
    if (name === 'gzip' || name === 'x-gzip') return unpackers[name](raw, { maxOutputLength });
    if (name !== 'deflate') throw new TransportError('broken', new Error('unknown content encoding'));
    // Old servers send deflate without the zlib frame.
    return unpackers.deflate(raw, { maxOutputLength }).catch((error) => {
      if (tooLargeCodes.has(errorCode(error))) throw error;
      return promisify(inflateRaw)(raw, { maxOutputLength });
    });
  }

  #translate(error: unknown): TransportError {
    const code = errorCode(error);
    if (notSentCodes.has(code)) return new TransportError('not-sent', error);
    if (tooLargeCodes.has(code)) return new TransportError('too-large', error);
    if (timeoutCodes.has(code)) return new TransportError('timed-out', error);
    return new TransportError('broken', error);
  }

  /** By origin. */
  lines(): ReadonlyMap<string, LineState> {
    return new Map([...this.#lines].map(([origin, { active, waiting }]) => [origin, { active, waiting }]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}

export const DEFAULT_SIZE_CEILING = 8 * MEBIBYTE;
/** A challenge of the portal and a login page have a few kilobytes. */
export const SIGN_ON_SIZE_CEILING = MEBIBYTE;
