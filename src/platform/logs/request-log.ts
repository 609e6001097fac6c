import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { LogController } from 'fastify';
import type { Call } from '../call/call-context.ts';
import { onResponseEnd } from '../call/call-end.ts';
import { type LogNote, requestLines } from './logger.ts';

/** Without the framework's own lines: they would carry urls, and urls carry values. */
export const quietController = (): LogController =>
  new LogController({ disableRequestLogging: true, requestIdLogLabel: 'trace_id' });

export const noteForLog = ({ call }: FastifyRequest, note: LogNote): void => {
  call.note = call.note ? { ...call.note, ...note } : note;
};

/** Status in the line of a request whose client left before its answer. */
const clientGone = 499;

/** Told when a request is over, answered or abandoned. */
export type OnRequestEnd = (request: FastifyRequest, status: number, milliseconds: number) => void;

/** Writes exactly one line per request, answered or abandoned. */
export interface RequestWatch {
  (request: FastifyRequest, reply: FastifyReply, startedAt: number): void;
  /** Quiet requests that succeed are passed over. */
  readonly skipsQuiet: boolean;
}

export const createRequestWatch = (logger: FastifyBaseLogger, onEnd?: OnRequestEnd): RequestWatch => {
  const write = requestLines(logger);
  const watch = (request: FastifyRequest, reply: FastifyReply, startedAt: number): void => {
    onResponseEnd(reply, (answered) => {
      // A path that cannot be decoded has no call.
      const call: Call | undefined = request.call;
      const status = answered ? reply.raw.statusCode : clientGone;
      const milliseconds = performance.now() - startedAt;
      write(call?.config.quiet === true && status < 400 ? 'debug' : 'info', {
        traceId: request.id,
        method: request.method,
        route: call?.config.url ?? null,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        student: call?.student?.tag,
        note: call?.note ?? null,
      });
      onEnd?.(request, status, milliseconds);
    });
  };
  const skipsQuiet = onEnd === undefined && !['debug', 'trace'].includes(logger.level);
  return Object.assign(watch, { skipsQuiet });
};

export const addRequestLog = (app: FastifyInstance, watch: RequestWatch): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!watch.skipsQuiet || request.call.config.quiet !== true) watch(request, reply, request.call.startedAt);
    done();
  });
  if (!watch.skipsQuiet) return;
  app.addHook('onRoute', (route) => {
    if (route.config?.quiet !== true) return;
    const failing: onSendHookHandler = (request, reply, _payload, done) => {
      if (reply.statusCode >= 400) watch(request, reply, request.call.startedAt);
      done();
    };
    route.onSend = [failing, ...[route.onSend ?? []].flat()];
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Successful requests are logged at debug level only: probes that come every few seconds. */
    quiet?: boolean;
  }
}
