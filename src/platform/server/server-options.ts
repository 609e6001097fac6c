import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import { endCalls } from '../call/call-end.ts';
import { destroyIn } from './connections.ts';

/** Largest JSON body of an operation that does not say otherwise: 64 KiB. A larger body is a large one. */
export const bodyLimit = 65_536;

/**
 * Largest body of a start of the evaluation: 500 excluded courses of 200 characters each. They are 505 structural
 * characters, so the usual limit of those serves it too.
 */
export const evaluationStartLimit = 524_288;

/** Time to send one whole request; an image over a slow line fits. */
export const receiveTimeoutMs = 60_000;

/** How long a connection may keep us waiting. */
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

const idLength = 32;
const idsAtOnce = 128;

const createTraceIds = (): (() => string) => {
  let drawn = '';
  let used = 0;
  return () => {
    if (used === drawn.length) {
      // Random bytes for many ids cost as much as those for one.
      drawn = randomBytes((idLength / 2) * idsAtOnce).toString('hex');
      used = 0;
    }
    used += idLength;
    return drawn.slice(used - idLength, used);
  };
};

/** 32 random lower-case hexadecimal characters, made before routing; what a client sends is never used. */
export const newTraceId = createTraceIds();

const rejectedStatus = (code: string | undefined): number => {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
};

/**
 * Answers bytes that are not HTTP, or do not arrive in time, with a bare status line and a trace id. The HTTP server would then wait for the peer to close as well, so a silent one could keep its socket forever.
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

/** Time-outs of the HTTP server. `requestTimeoutMs` is the total deadline of one call. */
export const serverOptions = (
  settings: { requestTimeoutMs: number },
  { headersMs, requestMs, checkMs, closeDelayMs }: ConnectionTimes = defaultTimes,
) =>
  ({
    bodyLimit,
    genReqId: newTraceId,
    requestIdHeader: false,
    requestTimeout: requestMs,
    // A connection waits silently while its call is worked on, so it may idle longer than a call may take.
    connectionTimeout: settings.requestTimeoutMs + receiveTimeoutMs,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    return503OnClosing: false,
    routerOptions: { maxParamLength: 100 },
    clientErrorHandler: rejectWith(closeDelayMs),
  }) satisfies FastifyHttpOptions<Server>;
