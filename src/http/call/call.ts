import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log, ReadSource } from '../../domain/context.ts';
import { asFailure, type Failure, type FailureKind, failures, isFailure } from '../../domain/errors.ts';
import type { ReadSummary } from '../../domain/reads/call-reads.ts';
import type { Clock } from '../../lib/time.ts';
import { describeError, noteForLog } from '../logs/logger.ts';
import type { Call } from './call-context.ts';

/** An interrupted call has this long to say how far it came, or to find a copy. */
const lastWordMs = 250;

const lastWordOf = <T>(running: Promise<T>, clock: Clock, otherwise: Failure): Promise<T> => {
  const settled = new AbortController();
  const late = clock.wait(lastWordMs, settled.signal).then(() => {
    throw otherwise;
  });
  return Promise.race([running, late]).finally(() => settled.abort());
};

export interface CallRun {
  readonly clock: Clock;
  /** It changes something at the campus, so it can tell more than that it timed out. */
  readonly writes: boolean;
}

/** Settles work that has failed, or that the call did not wait for. */
const afterFailure = async <T>(call: Call, run: CallRun, running: Promise<T>, error: unknown): Promise<T> => {
  const { clock, writes } = run;
  if (!call.interruption) throw error;
  // An interrupted write says how it ended; if it does not in time, its outcome is unknown.
  const unknown = 'no account of an interrupted write';
  if (writes) return lastWordOf(running, clock, failures.outcomeUnknown(undefined, unknown, { cause: error }));
  if (!(call.reads?.allowsStaleIfError && isFailure(error, 'timed-out'))) throw error;
  // A stale copy may serve; without one the failure stays the same.
  return lastWordOf(running, clock, error).catch(() => {
    throw error;
  });
};

/** Runs the work of a call and makes the answer of it, at once where nothing was waited for. @throws why the call ended first */
export const runCall = <T, A>(
  call: Call,
  run: CallRun,
  work: () => T | Promise<T>,
  answer: (result: T) => A,
): A | Promise<A> => {
  // The client left, or its time ended, while its body was on the way.
  if (call.interruption) throw call.interruption;
  const running = work();
  if (!(running instanceof Promise)) return answer(running);
  // The domain heeds the signal; the race keeps the promise should a wait in it not do so.
  return call
    .race(running)
    .then(answer, async (error: unknown) => answer(await afterFailure(call, run, running, error)));
};

export const failureOfError = (error: FastifyError | Error): Failure => {
  if ('statusCode' in error && error.statusCode === 429)
    return failures.rateLimited(undefined, undefined, { cause: error });
  if ('statusCode' in error && error.statusCode === 503)
    return failures.overloaded(undefined, undefined, { cause: error });
  // A body that stops in the middle: the client left while sending.
  if ('code' in error && error.code === 'ECONNRESET') return failures.clientGone(undefined, { cause: error });
  return asFailure(error);
};

/** The caller left, or wanted a copy alone and there is none yet, as at every first start of an app. */
const causedByClients: readonly FailureKind[] = ['client-gone', 'no-copy'];

const logFailure = (log: Log, failure: Failure, status: number): void => {
  if (status < 500 || causedByClients.includes(failure.kind)) return;
  const { kind, system, step, part, reason } = failure;
  const cause = describeError(failure.cause);
  const fields = { failure: kind, system, step, part, reason, status, cause };
  if (status === 500) log.error(fields, 'call failed');
  else log.warn(fields, 'call failed');
};

/** Called once, where a failure is rendered; `status` is what the client is told. */
export const recordFailure = (request: FastifyRequest, failure: Failure, status: number): void => {
  noteForLog(request, { failure: failure.kind });
  request.call.told = status;
  logFailure(request.log, failure, status);
};

const statuses: Readonly<Record<ReadSource, string>> = {
  asked: 'campus-gateway; fwd=miss',
  'asked-on-request': 'campus-gateway; fwd=request',
  joined: 'campus-gateway; fwd=miss; collapsed',
  copy: 'campus-gateway; hit',
  revalidating: 'campus-gateway; hit; detail=revalidating',
  'stale-if-error': 'campus-gateway; fwd=stale',
};

/** Says where an answer came from (RFC 9211), and how old it is. `code` names the failure behind a stale copy. */
export const setReadHeaders = (reply: FastifyReply, summary: ReadSummary, now: number, code: string): void => {
  const { source, readAt } = summary;
  reply.header('cache-status', `${statuses[source]}${source === 'stale-if-error' ? `; detail=${code}` : ''}`);
  if (readAt !== null) reply.header('age', String(Math.max(0, Math.floor((now - readAt) / 1000))));
};

/** Says that a value is older than its freshness, and what the student can do. `timestamp`: `YYYY-MM-DD HH:MM:SS` at the campus. */
export const withReadTime = (
  message: string,
  { oldSince, failure }: ReadSummary,
  timestamp: (epochMs: number) => string,
): string => {
  if (oldSince === null) return message;
  const advice = failure?.kind === 'person-needed' ? '，学校VPN门户要求本人验证，重新登录后可更新' : '';
  return `${message}（数据更新于 ${timestamp(oldSince).slice(0, 16)}${advice}）`;
};

/** Whether `If-None-Match`, a list or `*`, names this tag; compared weakly. */
export const isKnownTo = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque);
};

/** Characters; a longer answer is made each time. */
const LONGEST = 1_048_576;

/** An answer that is made of one value, of what was asked, and of nothing else but the time of day at its end. */
export class KnownAnswer {
  /** Whose answer to which request it is. */
  readonly name: string;
  readonly tag: string;
  #text: string | null = null;

  constructor(name: string, tag: string) {
    this.name = name;
    this.tag = tag;
  }

  /** Calls `write` once; each time for a text that is too long or does not end with `end`. Null: it is no text. */
  text(end: string, write: () => unknown): string | null {
    if (this.#text !== null) return this.#text + end;
    const text = write();
    if (typeof text !== 'string') return null;
    if (text.length <= LONGEST && text.endsWith(end)) this.#text = text.slice(0, -end.length);
    return text;
  }
}

/**
 * The last answer to each value of a read in memory. It goes when the value does and is about as long, so what bounds
 * the values bounds the answers.
 */
export class KnownAnswers {
  readonly #last = new WeakMap<object, KnownAnswer>();

  /** `makeTag` is called once for a value while the name stays the same; without a value every time. */
  of(value: object | null, name: string, makeTag: () => string): KnownAnswer {
    const last = value && this.#last.get(value);
    if (last?.name === name) return last;
    const made = new KnownAnswer(name, makeTag());
    if (value) this.#last.set(value, made);
    return made;
  }
}
