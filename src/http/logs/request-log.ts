import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { LogNote } from '../call/call-context.ts';

/** Turns off the framework's own lines, because urls carry values. */
export const quietController = (): LogController =>
  new LogController({ disableRequestLogging: true, requestIdLogLabel: 'trace_id' });

export const noteForLog = ({ call }: FastifyRequest, note: LogNote): void => {
  call.note = call.note ? { ...call.note, ...note } : note;
};

/** The line of a request whose client left before its answer has this status. */
const clientGone = 499;

export type OnRequestEnd = (request: FastifyRequest, status: number, milliseconds: number) => void;

/** Writes one line for a request, answered or abandoned; only the method in it comes from the client. */
export const logRequest = (request: FastifyRequest, reply: FastifyReply, onEnd?: OnRequestEnd): void => {
  const { call, method } = request;
  call.onEnd((answered) => {
    const status = answered ? reply.raw.statusCode : clientGone;
    const milliseconds = performance.now() - call.startedAt;
    const level = call.config.quiet === true && status < 400 ? 'debug' : 'info';
    const route = call.config.url ?? null;
    const ms = Math.round(milliseconds * 10) / 10;
    request.log[level]({ method, route, status, ms, student: call.student?.tag, ...call.note }, 'request');
    onEnd?.(request, status, milliseconds);
  });
};

export const addRequestLog = (app: FastifyInstance, onEnd?: OnRequestEnd): void => {
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request, reply, onEnd);
    done();
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logs successful requests at debug level only, because probes come every few seconds. */
    quiet?: boolean;
  }
}
