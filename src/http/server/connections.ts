import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify';
import { addressList, callerUnit, localUrl } from '../../lib/address.ts';
import { endCalls, receiveTimeoutMs } from '../call/call-context.ts';
import { createBoundedServer } from './pipelines.ts';

/** The machine itself, where a proxy or a developer is. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1'];

/** Idle connections end once this part of all connections is taken. */
const crowdedFrom = 0.8;
/** One address may have this part of all connections. */
const share = 0.25;
const leastShare = 8;
/** A new connection looks at this many others for an idle one. */
const mostLooks = 64;

interface ConnectionSettings {
  readonly most: number;
  /** Networks of many callers, which have no share and keep their idle connections. */
  readonly shared: readonly string[];
}

/** No call is under way on it; a stream is a call. */
const isIdle = ({ calls }: Socket): boolean => calls === undefined || calls.size === 0;

/**
 * Ends the idle connection that was not used for longest, or nearly so; false when none was found. A busy or just used
 * one moves to the end, so that calls need not keep an order.
 */
const endIdle = (connections: Set<Socket>, newest: Socket): boolean => {
  let looks = mostLooks;
  for (const socket of connections) {
    if (looks === 0) return false;
    looks -= 1;
    if (socket === newest) continue;
    if (isIdle(socket) && socket.usedSinceLook !== true) {
      socket.destroy();
      return true;
    }
    socket.usedSinceLook = false;
    connections.delete(socket);
    connections.add(socket);
  }
  return false;
};

/**
 * When most connections are taken, idle ones end for new ones, and no address has more than its share. Beyond `most`
 * the server closes new ones itself.
 */
export const addConnectionShares = (app: FastifyInstance, { most, shared }: ConnectionSettings): void => {
  const isShared = addressList(shared);
  const perAddress = Math.max(leastShare, Math.floor(most * share));
  const crowded = Math.floor(most * crowdedFrom);
  const mayEnd = new Set<Socket>();
  const byAddress = new Map<string, Set<Socket>>();
  let open = 0;

  const register = (socket: Socket, address: string): Set<Socket> => {
    const unit = callerUnit(address);
    const own = byAddress.get(unit) ?? new Set();
    byAddress.set(unit, own.add(socket));
    mayEnd.add(socket);
    socket.once('close', () => {
      mayEnd.delete(socket);
      own.delete(socket);
      if (own.size === 0) byAddress.delete(unit);
    });
    return own;
  };

  app.server.maxConnections = most;
  app.server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    const address = socket.remoteAddress;
    // It has been reset already.
    if (address === undefined) return;
    const own = isShared(address) ? null : register(socket, address);
    if (own !== null && own.size > perAddress && !endIdle(own, socket)) socket.destroy();
    else if (open > crowded) endIdle(mayEnd, socket);
  });
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    if (socket instanceof Socket) socket.usedSinceLook = true;
    done();
  });
};

export const destroyIn = (socket: Socket, ms: number): void => {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};

/**
 * Ends the connection of a refusal, and of an answer before its request was read, as for a body that is too large.
 * Closed at once it would be reset, and the reset overtakes the answer: a proxy says 502. So our side is closed and
 * theirs is read, for no longer than the delay.
 */
export const addDelayedClose = (app: FastifyInstance, closeDelayMs: number): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { complete, socket } = request.raw;
    // Set by a refusal. That the service itself is ending is said by a later hook: good answers may take their time.
    const refused = reply.getHeader('connection') === 'close';
    // The client, often a proxy, may also have wanted the connection for this request only.
    const last = refused || !reply.raw.shouldKeepAlive;
    if (socket instanceof Socket && last && (refused || !complete)) {
      // Behind a pipeline that was too long there is more.
      const isUnread = !complete || socket.refused === true;
      if (refused) socket.refused = true;
      // The HTTP server calls this once the last answer of a connection is written.
      if (isUnread) {
        socket.destroySoon = () => {
          socket.end();
          destroyIn(socket, closeDelayMs);
        };
      }
      // Behind others of a pipeline it is not its turn yet.
      if (refused && reply.raw.socket) destroyIn(socket, closeDelayMs);
      else if (refused) reply.raw.once('socket', () => destroyIn(socket, closeDelayMs));
    }
    done();
  });
};

/**
 * Whether a proxy may find another end or another host in it. Of two `Host` headers the HTTP server takes the first,
 * and it leaves a transfer coding before `chunked` in the body.
 */
export const isAmbiguous = ({ headers, rawHeaders }: IncomingMessage): boolean => {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

export const refuseFraming = (reply: FastifyReply): FastifyReply =>
  reply.code(400).header('Connection', 'close').send();

/** Ends connections on which it is unclear where a request begins and ends. */
export const addFraming = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isAmbiguous(request.raw)) return done();
    refuseFraming(reply);
  });
};

declare module 'node:net' {
  interface Socket {
    usedSinceLook?: boolean;
    /** Its last answer has been given, so anything that still comes is ignored. */
    refused?: boolean;
  }
}

/** A larger body is a large one. */
export const bodyLimit = 65_536;

/** 500 excluded courses of 200 characters each, which are 505 structural characters. */
export const evaluationStartLimit = 524_288;

export interface ConnectionTimes {
  readonly headersMs: number;
  readonly requestMs: number;
  /** Requests that take too long are looked for this often. */
  readonly checkMs: number;
  /** A refusal that ends the connection destroys the socket after this time. */
  readonly closeDelayMs: number;
}

export const defaultTimes: ConnectionTimes = {
  headersMs: 15_000,
  requestMs: receiveTimeoutMs,
  checkMs: 5_000,
  closeDelayMs: 5_000,
};

/** 32 lower-case hexadecimal characters, made before routing; what a client sends is never used. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');

const rejectedStatus = (code: string | undefined): number => {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
};

/**
 * Answers what is not HTTP, or does not arrive in time. The HTTP server would then wait for the peer to close as well,
 * so a silent one could keep its socket forever.
 */
const rejectWith = (closeDelayMs: number) => (error: Error & { code?: string }, socket: Socket) => {
  if (socket.refused === true) return destroyIn(socket, closeDelayMs);
  endCalls(socket);
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = rejectedStatus(error.code);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Trace-Id: ${newTraceId()}\r\nX-Process-Time: 0.0000\r\n` +
      'Content-Length: 0\r\nConnection: close\r\n\r\n',
  );
  destroyIn(socket, closeDelayMs);
};

export const serverOptions = (
  settings: { requestTimeoutMs: number },
  { headersMs, requestMs, checkMs, closeDelayMs }: ConnectionTimes = defaultTimes,
) => {
  const times = {
    requestTimeout: requestMs,
    // A connection waits silently while its call is worked on, so it may idle longer than a call may take.
    connectionTimeout: settings.requestTimeoutMs + receiveTimeoutMs,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
  };
  return {
    ...times,
    serverFactory: (handle) => createBoundedServer(handle, times),
    bodyLimit,
    genReqId: newTraceId,
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 100 },
    clientErrorHandler: rejectWith(closeDelayMs),
  } satisfies FastifyHttpOptions<Server>;
};

type Factory = ReturnType<typeof SerializerSelector>;

/** Compiles a serializer with its first value: few are ever used, and all of them took a good part of startup. */
export const lateSerializers: Factory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    let made: ReturnType<typeof compile> | null = null;
    return (value) => {
      made ??= compile(route);
      return made(value);
    };
  };
};

/** Where a server listens, null while it does not. */
export const listeningUrl = (server: Pick<Server, 'address'>): string | null => {
  const bound = server.address();
  return bound === null || typeof bound === 'string' ? null : localUrl(bound.address, bound.port);
};

/** The configured address, else the one that the service listens on. `Host` does not count, because a client may send any. */
export const publicUrlOf =
  ({ server }: FastifyInstance, configured: string | null): (() => string | null) =>
  () =>
    configured ?? listeningUrl(server);
