import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallContext, Log } from '../domain/context.ts';
import { Failure } from '../domain/errors.ts';
import type { CallReads } from '../domain/reads/types.ts';
import { Deadline } from '../lib/deadline.ts';
import { whenOver } from './call-end.ts';
import { Expiry } from './expiry.ts';
import type { LogNote } from './logger.ts';
import { receiveTimeoutMs } from './server-options.ts';

type RouteConfig = FastifyRequest['routeOptions']['config'];

const longestToken = 256;

/** The token of `Authorization: Bearer <token>`, of any length; undefined for any other value. */
export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^bearer[ \t]+(\S+)[ \t]*$/i.exec(header)?.[1];

/** What a call says of itself, worked out when somebody asks: most calls are over before anybody does. */
class OwnContext implements CallContext {
  readonly traceId: string;
  readonly address: string;
  readonly reads?: CallReads;
  readonly #call: Call;
  readonly #request: FastifyRequest;

  constructor(call: Call, request: FastifyRequest, reads?: CallReads) {
    this.traceId = request.id;
    this.address = request.ip;
    if (reads) this.reads = reads;
    this.#call = call;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get deadline(): Deadline {
    return this.#call.deadline;
  }

  get log(): Log {
    return this.#request.log;
  }

  /** Any other value is ignored: operations that need a token look at the header themselves. */
  get bearer(): string | undefined {
    const token = bearerOf(this.#request.headers.authorization);
    return token !== undefined && token.length <= longestToken ? token : undefined;
  }
}

/**
 * One call and its interruption: with `timed-out` when the total deadline is over, with `client-gone` when the
 * connection closes before the answer was written. (The framework's own request signal will not do: it ends as soon as
 * a request body has been read.) Context, deadline and signal are made when they are asked for.
 */
export class Call {
  readonly startedAt = performance.now();
  /** Of the route; the framework makes a new description of it for everybody who asks. */
  readonly config: RouteConfig;
  /** For the line of this call in the log. */
  note: LogNote | null = null;
  readonly #request: FastifyRequest;
  readonly #totalMs: number;
  #context: CallContext | null = null;
  #controller: AbortController | null = null;
  #interruption: Failure | null = null;
  #deadline: Deadline | null = null;
  #racing: Array<(reason: Failure) => void> | null = null;

  constructor(request: FastifyRequest, config: RouteConfig, totalMs: number) {
    this.#request = request;
    this.config = config;
    this.#totalMs = totalMs;
  }

  /** Why the call ended before its answer; null as long as it goes on. */
  get interruption(): Failure | null {
    return this.#interruption;
  }

  get context(): CallContext {
    this.#context ??= new OwnContext(this, this.#request);
    return this.#context;
  }

  /** For a call that says something about the age of what it reads. */
  contextWith(reads: CallReads): CallContext {
    return new OwnContext(this, this.#request, reads);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#interruption && !this.#controller.signal.aborted) this.#controller.abort(this.#interruption);
    return this.#controller.signal;
  }

  get deadline(): Deadline {
    this.#deadline ??= new Deadline(this.#totalMs, this.startedAt);
    return this.#deadline;
  }

  /** Only the first one counts. */
  interrupt(reason: Failure): void {
    if (this.#interruption) return;
    this.#interruption = reason;
    this.#controller?.abort(reason);
    for (const reject of this.#racing ?? []) reject(reason);
  }

  /** Waits for `work`, but no longer than until the call is interrupted; then rejects with the reason. */
  race<T>(work: Promise<T>): Promise<T> {
    if (this.#interruption) {
      work.catch(() => {});
      return Promise.reject(this.#interruption);
    }
    return new Promise((resolve, reject) => {
      this.#racing ??= [];
      this.#racing.push(reject);
      work.then(resolve, reject);
    });
  }
}

/** Gives every request its Call. */
export const addCallContext = (app: FastifyInstance, timeoutMs: number): void => {
  app.decorateRequest('call');
  const timedOut = (call: Call): void => call.interrupt(new Failure('timed-out'));
  const usual = new Expiry(timeoutMs, timedOut);
  const slowMs = timeoutMs + receiveTimeoutMs;
  const slow = new Expiry(slowMs, timedOut);
  let told = false;
  app.addHook('onRequest', (request, reply, done) => {
    // Whoever puts a proxy in front and does not list it has all callers counted as one.
    if (!told && request.headers['x-forwarded-for'] !== undefined && request.ip === request.raw.socket.remoteAddress) {
      told = true;
      request.log.warn({}, 'X-Forwarded-For ignored, because the connection is not from TRUSTED_PROXIES');
    }
    const { config } = request.routeOptions;
    const isSlow = config.slowBody === true;
    const expiry = isSlow ? slow : usual;
    const call = new Call(request, config, isSlow ? slowMs : timeoutMs);
    request.call = call;
    expiry.add(call, call.startedAt);
    whenOver(reply, (answered) => {
      expiry.delete(call);
      if (!answered) call.interrupt(new Failure('client-gone'));
    });
    done();
  });
};

/** The context of the call that this request carries. */
export const contextOf = (request: FastifyRequest): CallContext => request.call.context;

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
  interface FastifyContextConfig {
    /** Bodies of megabytes over slow lines: the deadline is later by what receiving a whole request may take. */
    slowBody?: boolean;
  }
}
