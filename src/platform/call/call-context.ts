import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallContext, CallTrail, Log, Student } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import type { NotedReads } from '../../domain/reads/call-reads.ts';
import type { Need } from '../../domain/scopes.ts';
import { addressList, callerAddress, isForwardedList } from '../../lib/address.ts';
import { Deadline } from '../../lib/time.ts';

/** Time to send one whole request; an image over a slow line fits. */
export const receiveTimeoutMs = 60_000;

/** An operation may add this to the line of its request. Never a value that a client sent. */
export interface LogNote {
  readonly failure?: string;
  readonly feed?: string;
}

type RouteConfig = FastifyRequest['routeOptions']['config'];

const longestToken = 256;
const bearer = /^bearer[ \t]+(\S+)[ \t]*$/i;

/** The token of `Authorization: Bearer <token>`, of any length; undefined for any other value. */
export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : bearer.exec(header)?.[1];

/**
 * One call, from the first hook through the operation down to the campus, and its interruption: with `timed-out` when the
 * total deadline is over, with `client-gone` when the connection closes before the answer was written. (The framework's
 * own request signal will not do: it ends as soon as a request body has been read.) Deadline and signal are made when they
 * are asked for: most calls are over before that.
 */
export class Call implements CallContext, CallTrail {
  readonly startedAt = performance.now();
  /** Of the route; the framework makes a new description of it each time it is asked. */
  readonly config: RouteConfig;
  /** For the line of this call in the log. */
  note: LogNote | null = null;
  /** Whose call it is, and the token that says so. Set before an operation runs, unless it needs no token. */
  student!: Student;
  token!: string;
  /** The call's wishes about the age of its reads, and how they ended. Set before an operation runs. */
  reads: NotedReads | undefined;
  /** Where it is not the student behind the token of the call. */
  askedCampus = false;
  /** As the operation was asked: checked, and typed by it. */
  params: unknown;
  query: unknown;
  body: unknown;
  answer: unknown;
  /** The status that the answer tells in its body, where the one of HTTP says less. */
  told: number | null = null;
  readonly #request: FastifyRequest;
  readonly #totalMs: number;
  #address: string | null = null;
  #controller: AbortController | null = null;
  #interruption: Failure | null = null;
  #deadline: Deadline | null = null;
  #racing: Array<(reason: Failure) => void> | null = null;
  #atEnd: Array<() => void> | null = null;
  #isOver = false;

  constructor(request: FastifyRequest, config: RouteConfig, totalMs: number) {
    this.#request = request;
    this.config = config;
    this.#totalMs = totalMs;
  }

  /** Why the call ended before its answer; null while it lasts. */
  get interruption(): Failure | null {
    return this.#interruption;
  }

  get traceId(): string {
    return this.#request.id;
  }

  /** Read once: a closed connection no longer knows it. */
  get address(): string {
    this.#address ??= this.#request.address;
    return this.#address;
  }

  get log(): Log {
    return this.#request.log;
  }

  get trail(): CallTrail {
    return this;
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  /** Any other value is ignored: operations that need a token look at the header themselves. */
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

  /** Only the first one counts. */
  interrupt(reason: Failure): void {
    if (this.#interruption) return;
    this.#interruption = reason;
    this.#controller?.abort(reason);
    for (const reject of this.#racing ?? []) reject(reason);
  }

  /** Runs `work` when the answer has left or none can leave any more, or at once when that is so. */
  onEnd(work: () => void): void {
    if (this.#isOver) work();
    else if (this.#atEnd === null) this.#atEnd = [work];
    else this.#atEnd.push(work);
  }

  end(answered: boolean): void {
    this.#isOver = true;
    if (!answered) this.interrupt(new Failure('client-gone'));
    if (this.#atEnd !== null) for (const work of this.#atEnd) work();
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

/** Reads the address of a caller off a request as it came; `trustedProxies` are believed about it. */
export const createAddressOf = (trustedProxies: readonly string[]): ((raw: IncomingMessage) => string) => {
  const addressOf = callerAddress(addressList(trustedProxies));
  return ({ socket, headers }) => addressOf(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString());
};

/** Gives every request its Call, and the address of its caller; `trustedProxies` are believed about that. */
export const addCallContext = (
  app: FastifyInstance,
  timeoutMs: number,
  trustedProxies: readonly string[] = [],
): void => {
  const isProxy = addressList(trustedProxies);
  const addressOf = createAddressOf(trustedProxies);
  app.decorateRequest('call');
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw);
    },
  });
  let told = false;
  const whyIgnored = ({ raw, address }: FastifyRequest, forwardedFor: string): string | null => {
    const connection = raw.socket.remoteAddress ?? '';
    if (!isProxy(connection)) return 'X-Forwarded-For ignored, because the connection is not from TRUSTED_PROXIES';
    const isUnread = address === connection && !isForwardedList(forwardedFor);
    return isUnread ? 'X-Forwarded-For ignored, because it holds no address' : null;
  };
  app.addHook('onRequest', (request, reply, done) => {
    // Behind a proxy that is not listed, or that writes something else there, all callers are counted as one.
    const forwardedFor = told ? undefined : request.headers['x-forwarded-for']?.toString();
    const why = forwardedFor === undefined ? null : whyIgnored(request, forwardedFor);
    if (why !== null) {
      told = true;
      request.log.warn({}, why);
    }
    const { config } = request.routeOptions;
    const totalMs = config.slowBody === true ? timeoutMs + receiveTimeoutMs : timeoutMs;
    const call = new Call(request, config, totalMs);
    request.call = call;
    // Probes wait for nothing that could end early.
    if (config.alwaysAnswers === true) return done();
    const isTimed = config.stream !== true;
    const timer = isTimed ? setTimeout(() => call.interrupt(new Failure('timed-out')), totalMs).unref() : undefined;
    onResponseEnd(reply, (answered) => {
      clearTimeout(timer);
      call.end(answered);
    });
    done();
  });
};

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
    /** Of the caller, behind trusted proxies. In place of the framework's `ip`, which takes any text for an address. */
    readonly address: string;
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

/** Told when the answer has left (`answered`), or when none can leave any more. */
export type OnResponseEnd = (answered: boolean) => void;

/** One listener per connection, however many calls are pipelined on it. */
const callsOn = (socket: Socket): Set<CallEnd> => {
  if (socket.calls) return socket.calls;
  const calls = new Set<CallEnd>();
  socket.calls = calls;
  socket.once('close', () => endCalls(socket));
  return calls;
};

/** Ends every call of a connection that gets no further answer, though the connection may still be open. */
export const endCalls = (socket: Socket): void => {
  for (const call of [...(socket.calls ?? [])]) call.end(false);
};

/**
 * Tells all listeners once that a call is over. The answer alone does not tell: to a connection that was refused
 * nothing is sent any more, though it may still be open, and not in every release of Node does an answer that waits
 * behind others of a pipeline learn that its connection has closed.
 */
class CallEnd {
  readonly #calls: Set<CallEnd>;
  #told: OnResponseEnd[] = [];
  #answered: boolean | null = null;

  constructor({ raw, request }: FastifyReply) {
    const { socket } = request.raw;
    this.#calls = callsOn(socket);
    if (raw.writableFinished) this.#answered = true;
    else if (socket.closed) this.#answered = false;
    else {
      raw.on('finish', () => this.end(true));
      this.#calls.add(this);
    }
  }

  tell(over: OnResponseEnd): void {
    if (this.#answered === null) this.#told.push(over);
    else over(this.#answered);
  }

  end(answered: boolean): void {
    if (this.#answered !== null) return;
    this.#answered = answered;
    this.#calls.delete(this);
    for (const over of this.#told) over(answered);
    this.#told = [];
  }
}

/** Runs `over` exactly once: when the call is over, or at once when it is. All who ask share the listeners of a call. */
export const onResponseEnd = (reply: FastifyReply, over: OnResponseEnd): void => {
  reply.raw.callEnd ??= new CallEnd(reply);
  reply.raw.callEnd.tell(over);
};

declare module 'node:net' {
  interface Socket {
    /** Those that are under way on this connection. */
    calls?: Set<CallEnd>;
  }
}

declare module 'node:http' {
  interface ServerResponse {
    callEnd?: CallEnd;
  }
}
