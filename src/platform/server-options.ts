import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import { newTraceId } from './trace.ts';

/** Largest JSON body of an operation that does not say otherwise: 1 MiB. */
export const bodyLimit = 1_048_576;

const headersTimeoutMs = 15_000;
/** Time to send one whole request; an image over a slow line fits. */
export const receiveTimeoutMs = 60_000;

const rejectedStatus = (code: string | undefined): number => {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
};

/**
 * What is not HTTP never becomes a request: it has no path, so no surface, and gets a bare status line with a trace id.
 */
const rejectMalformed = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = rejectedStatus(error.code);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Trace-Id: ${newTraceId()}\r\nX-Process-Time: 0.0000\r\n` +
      'Content-Length: 0\r\nConnection: close\r\n\r\n',
  );
};

/** Time-outs and trust of the HTTP server. `requestTimeoutMs` is the total deadline of one call. */
export const serverOptions = (settings: { requestTimeoutMs: number; trustedProxies: readonly string[] }) =>
  ({
    bodyLimit,
    genReqId: newTraceId,
    requestIdHeader: false,
    // Only listed networks are believed; without any, the address of the connection counts.
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    requestTimeout: receiveTimeoutMs,
    // A connection waits silently while its call is worked on, so it may idle longer than a call may take.
    connectionTimeout: settings.requestTimeoutMs + receiveTimeoutMs,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: headersTimeoutMs },
    return503OnClosing: false,
    routerOptions: { maxParamLength: 100 },
    clientErrorHandler: rejectMalformed,
  }) satisfies FastifyHttpOptions<Server>;
