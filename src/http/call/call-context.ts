import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallContext, Log, Student } from '../../domain/context.ts';
import { type Failure, failures } from '../../domain/errors.ts';
import type { NotedReads } from '../../domain/reads/call-reads.ts';
import type { Need } from '../../domain/scopes.ts';
import { addressList, callerAddress, isForwardedList } from '../../lib/address.ts';
import { Deadline } from '../../lib/time.ts';

/** Time to send one whole request; an image over a slow line fits. */
export const receiveTimeoutMs = 60_000;

/** Added to the line of a request; never a value that a client sent. */
export interface LogNote {
  readonly failure?: string;
  readonly feed?: string;
}

type RouteConfig = FastifyRequest['routeOptions']['config'];

const longestToken = 256;
const bearer = /^bearer[ \t]+(\S+)[ \t]*$/i;

/** The token of `Authorization: Bearer <token>`, of any length. */
export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : bearer.exec(header)?.[1];

/** `answered`: the answer has left. Otherwise none can leave any more. */
type OnEnd = (answered: boolean) => void;

/**
 * One call, from the first hook down to the campus. It is interrupted with `timed-out` when its deadline is over, with
 * `client-gone` when its connection closes before the answer was written. (The request signal of the framework ends as
 * soon as a body has been read.) Deadline and signal are made when they are asked for: most calls are over before.
 */
export class Call implements CallContext {
  readonly startedAt = performance.now();
  /** Of the route; the framework makes a new description of it each time it is asked. */
  readonly config: RouteConfig;
  readonly address: string;
  note: LogNote | null = null;
  /** Whose call it is, and the token that says so. Set before an operation runs, unless it needs no token. */
  student!: Student;
  token!: string;
  /** The call's wishes about the age of its reads, and how they ended. Set before an operation runs. */
  reads: NotedReads | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  answer: unknown;
  /** The status that the answer tells in its body, where the one of HTTP says less. */
  told: number | null = null;
  readonly #request: FastifyRequest;
  readonly #totalMs: number;
  readonly #ofConnection: Set<Call>;
  #controller: AbortController | null = null;
  #interruption: Failure | null = null;
  #deadline: Deadline | null = null;
  #racing: Array<(reason: Failure) => void> | null = null;
  #atEnd: OnEnd[] = [];
  #answered: boolean | null = null;

  constructor(request: FastifyRequest, { raw }: FastifyReply, address: string, timeoutMs: number) {
    const { config } = request.routeOptions;
    this.#request = request;
    this.config = config;
    this.address = address;
    this.#totalMs = config.slowBody === true ? timeoutMs + receiveTimeoutMs : timeoutMs;
    const { socket } = request.raw;
    this.#ofConnection = callsOn(socket);
    if (socket.closed) this.end(false);
    else {
      this.#ofConnection.add(this);
      raw.on('finish', () => this.end(true));
    }
  }

  get interruption(): Failure | null {
    return this.#interruption;
  }

  get traceId(): string {
    return this.#request.id;
  }

  get log(): Log {
    return this.#request.log;
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  /** Operations that need a token look at the header themselves. */
  get bearer(): string | undefined {
    const token = bearerOf(this.headers.authorization);
    return token !== undefined && token.length <= longestToken ? token : undefined;
  }

  get userAgent(): string | undefined {
    return this.headers['user-agent'];
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

  /** Only the first reason counts. */
  interrupt(reason: Failure): void {
    if (this.#interruption) return;
    this.#interruption = reason;
    this.#controller?.abort(reason);
    for (const reject of this.#racing ?? []) reject(reason);
  }

  limit(): void {
    const timer = setTimeout(() => this.interrupt(failures.timedOut()), this.#totalMs).unref();
    this.onEnd(() => clearTimeout(timer));
  }

  /** Runs `work` once: when the call is over, or at once when it is. */
  onEnd(work: OnEnd): void {
    if (this.#answered === null) this.#atEnd.push(work);
    else work(this.#answered);
  }

  end(answered: boolean): void {
    if (this.#answered !== null) return;
    this.#answered = answered;
    this.#ofConnection.delete(this);
    if (!answered) this.interrupt(failures.clientGone());
    for (const work of this.#atEnd) work(answered);
    this.#atEnd = [];
  }

  /** Waits for `work` until the call is interrupted, then rejects with the reason. */
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

/**
 * One listener per connection, however many calls are pipelined on it. The answer alone does not tell that a call is
 * over: a refused connection gets none though it may still be open, and not in every release of Node does an answer
 * that waits behind others of a pipeline learn that its connection has closed.
 */
const callsOn = (socket: Socket): Set<Call> => {
  if (socket.calls) return socket.calls;
  const calls = new Set<Call>();
  socket.calls = calls;
  socket.once('close', () => endCalls(socket));
  return calls;
};

/** For a connection that gets no further answer, though it may still be open. */
export const endCalls = (socket: Socket): void => {
  for (const call of [...(socket.calls ?? [])]) call.end(false);
};

/** `trustedProxies` are believed about the address. (The `ip` of the framework takes any text for one.) */
export const createAddressOf = (trustedProxies: readonly string[]): ((raw: IncomingMessage) => string) => {
  const addressOf = callerAddress(addressList(trustedProxies));
  return ({ socket, headers }) => addressOf(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString());
};

export const addCallContext = (
  app: FastifyInstance,
  timeoutMs: number,
  trustedProxies: readonly string[] = [],
): void => {
  const isProxy = addressList(trustedProxies);
  const addressOf = createAddressOf(trustedProxies);
  app.decorateRequest('call');
  let told = false;
  /** Behind a proxy that is not listed, or that writes something else there, all callers are counted as one. */
  const whyIgnored = ({ call, raw }: FastifyRequest): string | null => {
    const forwardedFor = raw.headers['x-forwarded-for']?.toString();
    if (forwardedFor === undefined) return null;
    const connection = raw.socket.remoteAddress ?? '';
    if (!isProxy(connection)) return 'X-Forwarded-For ignored, because the connection is not from TRUSTED_PROXIES';
    const isUnread = call.address === connection && !isForwardedList(forwardedFor);
    return isUnread ? 'X-Forwarded-For ignored, because it holds no address' : null;
  };
  app.addHook('onRequest', (request, reply, done) => {
    const call = new Call(request, reply, addressOf(request.raw), timeoutMs);
    request.call = call;
    const why = told ? null : whyIgnored(request);
    if (why !== null) {
      told = true;
      request.log.warn({}, why);
    }
    if (call.config.stream !== true) call.limit();
    done();
  });
};

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
  interface FastifyContextConfig {
    /** It is answered for as long as its client stays: without a deadline, and beside the calls at work. */
    stream?: boolean;
    /** Bodies of megabytes over slow lines: the deadline is later by what receiving a whole request may take. */
    slowBody?: boolean;
    /** The scope that a personal token needs; without it only a token of a login will do. */
    need?: Need;
  }
}

declare module 'node:net' {
  interface Socket {
    calls?: Set<Call>;
  }
}
