import { type Dispatcher, request } from 'undici';
import type { QueueState } from '../../domain/observation.ts';
import { FairQueue, QueueFull, type TurnRequest } from '../../lib/queues.ts';
import { errorCodeOf } from '../../lib/text.ts';
import { abortAfter, type Clock } from '../../lib/time.ts';
import { decodeBody } from './body-text.ts';
import { dispatcherOf, isProxyRefusal, type OutgoingProxy } from './http-proxy.ts';
import { TOO_LARGE, TooLarge, unpack } from './unpack.ts';

/** The same for ever: some products answer no program, and a login that trusts a browser knows it by this as well. */
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0.4472.124 Safari/537.36';
/** A caller that meets a full queue is told to retry after this long. */
export const QUEUE_RETRY_SECONDS = 5;

type Fault =
  /** The request certainly never reached the upstream. */
  | 'not-sent'
  /** The connection broke, so the request may or may not have reached the upstream. */
  | 'broken'
  | 'timed-out'
  | 'too-large'
  /** The body is text of no charset. */
  | 'garbled'
  /** Too many requests wait for this origin. */
  | 'line-full'
  // Those who send requests answer with these themselves, before one leaves or in place of its answer.
  | 'student-line-full'
  | 'breaker-open'
  /** The last requests of this student failed. */
  | 'student-paused'
  | 'budget-spent'
  | 'session-replaced'
  /** The portal in front of the upstream has answered in its place. */
  | 'portal-dead';

type Broken = 'connection' | 'header' | 'length' | 'coding' | 'proxy';

export interface Unanswered {
  readonly kind: 'no-answer';
  readonly fault: Fault;
  readonly cause?: unknown;
  /** What of the answer broke, for the log. `proxy`: there was no way through it. */
  readonly broke?: Broken;
  /** Left out: unknown. */
  readonly retryAfterSeconds?: number;
}

/** The owner is the student, the signal the caller's. */
export interface HttpRequest extends TurnRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Covers connecting and reading, but not the wait in the queue. */
  readonly attemptMs: number;
  /** Most bytes of the answer, also after decompression. */
  readonly sizeCeiling: number;
  /** The answer is not text. */
  readonly image?: boolean | undefined;
  /** The answer keeps its bytes and its type beside the text, for a recording. */
  readonly raw?: boolean;
  /** The upstream that is meant: several may share an origin. */
  readonly upstream?: string;
  /** What the work of a session asks for; left out on the way to a session. */
  readonly page?: string | undefined;
  /** Called when its turn comes; null: it may be sent. */
  readonly refusal?: () => Unanswered | null;
}

export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** The raw header, which no URL parser has touched. */
  readonly location: string | undefined;
  readonly setCookies: readonly string[];
  readonly text: string;
  /** The body of an image, whose text is empty, or of an answer that was asked for as it is. */
  readonly bytes?: Uint8Array;
  /** Where it was asked for as it is: the raw header. */
  readonly contentType?: string;
}

export interface CampusHttpOptions {
  readonly clock: Clock;
  /** Requests to any other origin are refused. */
  readonly origins: Iterable<string>;
  /** Null: every certificate is checked. Only the portal's origin may be given. */
  readonly insecureOrigin: string | null;
  /** Left out or null: the campus is reached without one. */
  readonly proxy?: OutgoingProxy | null;
  readonly connections: number;
  /** Most requests per origin that may wait for a free connection. */
  readonly mostWaiting: number;
}

const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Leaving the loop destroys a body over the ceiling, announced or not. */
const receive = async (body: AsyncIterable<Buffer>, ceiling: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ceiling) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const firstOf = (values: string | string[] | undefined): string | undefined =>
  Array.isArray(values) ? values[0] : values;

/** Its bytes beyond ASCII as they are: a parser would take each for a character, and lead to another address. */
const asBytes = (location: string | undefined): string | undefined =>
  location?.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** Judges by the code, because the errors of the client library are not reliably instances of its classes. */
const faultOf = (error: unknown): Fault => {
  const code = errorCodeOf(error) ?? '';
  if (notSentCodes.has(code)) return 'not-sent';
  return code === TOO_LARGE ? 'too-large' : 'broken';
};

/** @param at what was being read */
const brokenPart = (error: unknown, at: Broken): Broken => {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  const said = `${errorCodeOf(error) ?? ''} ${name === 'HTTPParserError' ? message : ''}`;
  if (/length|chunk|transfer.encoding/i.test(said)) return 'length';
  return name === 'HTTPParserError' || /HEADERS/.test(said) ? 'header' : at;
};

/** Why there is no answer, for logs. */
export const silenceReason = ({ fault, broke }: Unanswered): string =>
  broke === undefined ? fault : `${fault}: ${broke}`;

/** The one way out to the campus. It follows no redirects, repeats nothing, and has neither cache nor cookies. */
export class CampusHttp {
  readonly #agents = new Map<string, Dispatcher>();
  readonly #queues = new Map<string, FairQueue>();
  readonly #options: CampusHttpOptions;

  constructor(options: CampusHttpOptions) {
    this.#options = options;
    for (const origin of options.origins) {
      this.#queues.set(origin, new FairQueue(options.connections, options.mostWaiting, options.clock));
      this.#agents.set(
        origin,
        dispatcherOf(origin, options.proxy ?? null, {
          connections: options.connections,
          rejectUnauthorized: origin !== options.insecureOrigin,
        }),
      );
    }
  }

  /** @throws the reason of the caller's signal */
  async send(input: HttpRequest): Promise<HttpAnswer | Unanswered> {
    const queue = this.#queues.get(input.url.origin);
    const agent = this.#agents.get(input.url.origin);
    if (!queue || !agent) throw new Error('request to an origin that is not configured');
    try {
      using _place = await queue.enter(input);
      return input.refusal?.() ?? (await this.#attempt(input, agent));
    } catch (error) {
      if (error instanceof QueueFull)
        return { kind: 'no-answer', fault: 'line-full', retryAfterSeconds: QUEUE_RETRY_SECONDS };
      throw error;
    }
  }

  async #attempt(input: HttpRequest, agent: Dispatcher): Promise<HttpAnswer | Unanswered> {
    using late = abortAfter(this.#options.clock, input.attemptMs, () => new Error('attempt timed out'));
    let at: Broken = 'connection';
    try {
      const { statusCode, headers, body } = await request(input.url, {
        dispatcher: agent,
        method: input.method,
        headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'gzip, deflate', ...input.headers },
        body: input.body ?? null,
        signal: AbortSignal.any([input.signal, late.signal]),
      });
      at = 'length';
      const raw = await receive(body, input.sizeCeiling);
      at = 'coding';
      const encoding = firstOf(headers['content-encoding']);
      const bytes = encoding === undefined ? raw : await unpack(raw, encoding, input.sizeCeiling);
      const text = input.image ? '' : decodeBody(bytes, firstOf(headers['content-type']));
      // Other answers are judged by their status.
      if (text === null && statusCode === 200) return { kind: 'no-answer', fault: 'garbled' };
      const cookies = headers['set-cookie'] ?? [];
      return {
        kind: 'answer',
        status: statusCode,
        location: asBytes(firstOf(headers.location)),
        setCookies: Array.isArray(cookies) ? cookies : [cookies],
        text: text ?? '',
        ...(input.image || input.raw ? { bytes } : {}),
        ...(input.raw ? { contentType: firstOf(headers['content-type']) ?? '' } : {}),
      };
    } catch (error) {
      if (input.signal.aborted) throw input.signal.reason;
      const proxied = this.#options.proxy != null;
      const refused = proxied && at === 'connection' && isProxyRefusal(error);
      const fault = late.signal.aborted ? 'timed-out' : refused ? 'not-sent' : faultOf(error);
      if (fault === 'not-sent' && proxied) return { kind: 'no-answer', fault, cause: error, broke: 'proxy' };
      const broke = fault === 'broken' ? { broke: brokenPart(error, at) } : {};
      return { kind: 'no-answer', fault, cause: error, ...broke };
    }
  }

  queues(): ReadonlyMap<string, QueueState> {
    return this.#queues;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}
