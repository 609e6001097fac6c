import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LogController } from 'fastify';
import { whenOver } from './call-end.ts';

/** The framework writes no lines of its own: they would carry urls, and urls carry values. */
export const quietController = (): LogController =>
  new LogController({ disableRequestLogging: true, requestIdLogLabel: 'trace_id' });

/** What an operation may add to the line of its request. Never a value that a client sent. */
export interface LogNote {
  /** Kind of failure that was answered. */
  readonly failure?: string;
  /** One-way tag of the student. */
  readonly student?: string;
  /** Id of a calendar feed. */
  readonly feed?: string;
}

const notes = 'logNote';

export const noteForLog = (request: FastifyRequest, note: LogNote): void => {
  request.setDecorator(notes, { ...request.getDecorator<LogNote | null>(notes), ...note });
};

/** Status in the line of a request whose client left before its answer. */
const clientGone = 499;

const writeLine = (request: FastifyRequest, status: number, milliseconds: number, note: LogNote | null): void => {
  const fields = {
    method: request.method,
    route: request.is404 ? null : (request.routeOptions.url ?? null),
    status,
    ms: Math.round(milliseconds * 10) / 10,
    ...note,
  };
  if (request.routeOptions.config.quiet === true && status < 400) request.log.debug(fields, 'request');
  else request.log.info(fields, 'request');
};

/** Told when a request is over, answered or abandoned. */
export type OnRequestEnd = (request: FastifyRequest, status: number, milliseconds: number) => void;

/** Exactly one line per request, answered or abandoned. */
export const watchRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
  noteOf: () => LogNote | null = () => null,
  onEnd?: OnRequestEnd,
): void => {
  const startedAt = performance.now();
  whenOver(reply, (answered) => {
    const status = answered ? reply.raw.statusCode : clientGone;
    const milliseconds = performance.now() - startedAt;
    writeLine(request, status, milliseconds, noteOf());
    onEnd?.(request, status, milliseconds);
  });
};

export const addRequestLog = (app: FastifyInstance, onEnd?: OnRequestEnd): void => {
  app.decorateRequest(notes, null);
  app.addHook('onRequest', (request, reply, done) => {
    watchRequest(request, reply, () => request.getDecorator<LogNote | null>(notes), onEnd);
    done();
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Successful requests are logged at debug level only: probes that come every few seconds. */
    quiet?: boolean;
  }
}
