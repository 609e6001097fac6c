import { writeSync } from 'node:fs';
import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { systemClock } from '../../lib/clock.ts';

/** Errors of the language itself: their messages name members and types, never text that a client sent. */
const plainErrors = new Set(['TypeError', 'RangeError', 'ReferenceError']);

const frames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

/**
 * An error without the texts that may quote a page, a form or a token: name, code and stack frames, and the message
 * only where the language wrote it.
 */
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

/** Members that must never be written, with any value. */
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

/** ISO 8601 in UTC. The text of a second is made once: made for each line it took 4 % of a small call. */
const createTimes = (): (() => string) => {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = systemClock.now();
    const running = Math.floor(now / 1000);
    if (running !== second) {
      text = new Date(running * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS.'.length);
      second = running;
    }
    return `${text}${String(now - running * 1000).padStart(3, '0')}Z`;
  };
};

const isoTime = createTimes();

/** Beyond this nothing waits. */
const MOST = 65_536;
/** Between two writes, where lines come fast. */
const PAUSE_MS = 10;

/** Where lines go, and the open file behind it. */
interface LineOutput extends DestinationStream {
  readonly fd?: number;
}

/**
 * Writes the lines of one turn of the event loop together, and where turn follows turn, those of 10 ms: a write takes
 * two threads and a system call, which is more than all else about a line. Not written by the event loop itself: a pipe
 * without a reader would stop the service. What ends the process calls `flushSync`.
 */
export class BatchedLog implements DestinationStream {
  readonly #out: LineOutput;
  #lines = '';
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(out: LineOutput) {
    this.#out = out;
  }

  write(line: string): void {
    if (this.#lines === '') this.#flushLater();
    this.#lines += line;
    if (this.#lines.length > MOST) this.flush();
  }

  flush(): void {
    const lines = this.#take();
    if (lines === '') return;
    this.#writtenAt = performance.now();
    this.#out.write(lines);
  }

  /** For the last moment of the process, in which nothing is written behind its back any more. */
  flushSync(): void {
    const lines = this.#take();
    if (lines === '' || this.#out.fd === undefined) return;
    try {
      writeSync(this.#out.fd, lines);
    } catch {
      // Nobody reads.
    }
  }

  #take(): string {
    const lines = this.#lines;
    this.#lines = '';
    return lines;
  }

  #flushLater(): void {
    const wait = this.#writtenAt + PAUSE_MS - performance.now();
    if (wait > 0) setTimeout(() => this.flush(), wait);
    else setImmediate(() => this.flush());
  }
}

const standardOutput = (): DestinationStream => new BatchedLog(pino.destination(1));

/** Where the loggers of this module write to. */
const destinations = new WeakMap<FastifyBaseLogger, DestinationStream>();

/**
 * The service's logger. Lines are safe by construction (they name routes, kinds and counts); the removal of secret
 * members, here and one level below, is the second net. The library's own redaction parses its paths again for
 * every line, which cost a tenth of a whole request.
 */
export const createLogger = (level: string, destination = standardOutput()): Logger => {
  const options = {
    level,
    base: undefined,
    timestamp: () => `,"time":"${isoTime()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => withoutSecrets(fields, 1),
    },
    // Errors of libraries may quote addresses, rows or pages.
    serializers: { err: (value: unknown) => (value instanceof Error ? describeError(value) : value) },
  };
  const logger = pino(options, destination);
  destinations.set(logger, destination);
  return logger;
};

/** Writes at once what waits to be written: at the end of the process nothing is written later any more. */
export const writeRest = (log: Logger): void => {
  const destination = destinations.get(log);
  if (destination instanceof BatchedLog) destination.flushSync();
};

/** What an operation may add to the line of its request. Never a value that a client sent. */
export interface LogNote {
  readonly failure?: string;
  readonly feed?: string;
}

/** The line of one request. Nothing in it comes from a client but the method, which the HTTP server knows. */
export interface RequestLine {
  readonly traceId: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** One-way tag of the student, of letters and digits. */
  readonly student: string | undefined;
  readonly note: LogNote | null;
}

/** Which lines of requests are written where the logger has that level. */
const writtenBeside: Readonly<Record<string, readonly string[]>> = {
  trace: ['debug', 'info'],
  debug: ['debug', 'info'],
  info: ['info'],
};

const memberOf = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

const noted = (note: LogNote | null): string =>
  note === null ? '' : memberOf('feed', note.feed) + memberOf('failure', note.failure);

/**
 * Writes the lines of requests, one for each. A logger of this module is passed by: a child, its bindings and the
 * copies of the fields cost more than the whole line.
 */
export const requestLines = (logger: FastifyBaseLogger): ((level: 'info' | 'debug', line: RequestLine) => void) => {
  const destination = destinations.get(logger);
  const levels = writtenBeside[logger.level] ?? [];
  return (level, { traceId, method, route, status, ms, student, note }) => {
    if (destination === undefined) {
      logger[level]({ trace_id: traceId, method, route, status, ms, student, ...note }, 'request');
      return;
    }
    if (!levels.includes(level)) return;
    destination.write(
      `{"level":"${level}","time":"${isoTime()}","trace_id":"${traceId}","method":"${method}",` +
        `"route":${JSON.stringify(route)},"status":${status},"ms":${ms}` +
        `${student === undefined ? '' : `,"student":"${student}"`}${noted(note)},"msg":"request"}\n`,
    );
  };
};

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1];

/** The logger of one request, made when its first line is written: most requests write none but the line above. */
class LateLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #options: ChildOptions;
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get level(): string {
    return this.#own.level;
  }

  set level(level: string) {
    this.#own.level = level;
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }

  error(...line: unknown[]): void {
    this.#write('error', line);
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }

  info(...line: unknown[]): void {
    this.#write('info', line);
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }

  silent(...line: unknown[]): void {
    this.#write('silent', line);
  }

  child(...asked: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(...asked);
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options);
    return this.#made;
  }

  #write(level: Level, line: unknown[]): void {
    Reflect.apply(this.#own[level], this.#own, line);
  }
}

/** Loggers of requests, for a framework without its own logger. */
export const lateLoggers =
  (parent: FastifyBaseLogger): NonNullable<FastifyServerOptions['childLoggerFactory']> =>
  (_none, bindings, options) =>
    new LateLogger(parent, bindings, options);
