import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogNote } from '../call/call-context.ts';
import { LogOutput } from './log-output.ts';

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

/** The messages of these errors name members and types, never text that a client sent. */
const plainErrors = new Set(['TypeError', 'RangeError', 'ReferenceError']);

const frames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

/** The message only where the language wrote it: others may quote a page, a form or a token. */
export const describeError = (error: unknown, depth = 0): Record<string, unknown> | null => {
  if (!(error instanceof Error)) return error === undefined ? null : { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name: error.name,
    code,
    ...(plainErrors.has(error.name) ? { message: error.message } : {}),
    frames: frames(error),
    ...(error.cause !== undefined && depth < 3 ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
};

const secretMembers = new Set([
  'password',
  'vpn_password',
  'vpnPassword',
  'token',
  'authme_token',
  'invite_code',
  'invite_token',
  'inviteToken',
  'authorization',
  'cookie',
  'ticket',
  'content',
  'pair',
]);

const censor = '[redacted]';

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Error) && !Array.isArray(value);

const withoutSecrets = (fields: object, depth: number): Record<string, unknown> => {
  const clean: Record<string, unknown> = { ...fields };
  for (const [name, value] of Object.entries(fields)) {
    if (secretMembers.has(name)) clean[name] = censor;
    else if (depth > 0 && isPlain(value)) clean[name] = withoutSecrets(value, depth - 1);
  }
  return clean;
};

/**
 * Lines are safe by construction (routes, kinds, counts); the removal of secret members, here and one level below, is
 * the second net. The redaction of the library parses its paths for every line, which cost a tenth of a request.
 */
export const createLogger = (level: string, output: DestinationStream = new LogOutput(1)): Logger => {
  const logger = pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, 1),
      },
      // Errors of libraries may quote addresses, rows or pages.
      serializers: { err: (value: unknown) => (value instanceof Error ? describeError(value) : value) },
    },
    output,
  );
  if (output instanceof LogOutput) output.onDropped = (lines) => logger.warn({ lines }, 'log lines were dropped');
  return logger;
};
