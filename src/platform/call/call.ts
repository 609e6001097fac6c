import type { FastifyError, FastifyRequest } from 'fastify';
import type { Log } from '../../domain/context.ts';
import { asFailure, Failure, type FailureKind, isFailure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { describeError } from '../logs/logger.ts';
import { noteForLog } from '../logs/request-log.ts';
import type { Call } from './call-context.ts';

/** How long an interrupted call may take to say how far it came, or to find a copy. */
const lastWordMs = 250;

/** Waits for `running` until then, and fails with `silence` after that. */
const lastWordOf = async <T>(running: Promise<T>, clock: Clock, silence: Failure): Promise<T> => {
  const heard = new AbortController();
  const late = clock.wait(lastWordMs, heard.signal).then(() => {
    throw silence;
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    heard.abort();
  }
};

/** How the calls of an operation are run. */
export interface CallRun {
  readonly clock: Clock;
  /** It changes something at the campus, so it can tell more than that it timed out. */
  readonly writes: boolean;
}

/** Settles work that has failed, or that the call did not wait for. After a time-out, a stale copy may serve. */
const afterFailure = async <T>(call: Call, run: CallRun, running: Promise<T>, error: unknown): Promise<T> => {
  const { clock, writes } = run;
  if (!call.interruption) throw error;
  // An interrupted write says how it ended; if it does not in time, its outcome is unknown.
  const unknown = { reason: 'no account of an interrupted write', cause: error };
  if (writes) return lastWordOf(running, clock, new Failure('outcome-unknown', unknown));
  if (!(call.reads?.hasStandIn && isFailure(error, 'timed-out'))) throw error;
  // A stale copy may serve; the failure is otherwise the same.
  return lastWordOf(running, clock, error).catch(() => {
    throw error;
  });
};

/**
 * The answer made of what the work of a call comes to, at once where nothing was waited for; or the reason why the call
 * ended first.
 */
export const runCall = <T, A>(
  call: Call,
  run: CallRun,
  work: () => T | Promise<T>,
  answer: (result: T) => A,
): A | Promise<A> => {
  // Nothing is begun for a client that left, or whose time ended, while its body was on the way.
  if (call.interruption) throw call.interruption;
  const running = work();
  if (!(running instanceof Promise)) return answer(running);
  // The domain heeds the signal; the race keeps the promise should a wait in it not do so.
  return call
    .race(running)
    .then(answer, async (error: unknown) => answer(await afterFailure(call, run, running, error)));
};

/** Turns an error of the work, the platform or the reading of the body into a failure. */
export const failureOf = (error: FastifyError | Error): Failure => {
  if ('statusCode' in error && error.statusCode === 429) return new Failure('rate-limited', { cause: error });
  if ('statusCode' in error && error.statusCode === 503) return new Failure('overloaded', { cause: error });
  // A body that stops in the middle: the client left while sending.
  if ('code' in error && error.code === 'ECONNRESET') return new Failure('client-gone', { cause: error });
  return asFailure(error);
};

/** The caller left, or wanted a copy alone and there is none yet, as at every first start of an app. */
const doingsOfClients: readonly FailureKind[] = ['client-gone', 'no-copy'];

/** One line for a failure that was not the client's doing. Called once, where the failure is rendered. */
const logFailure = (log: Log, failure: Failure, status: number): void => {
  if (status < 500 || doingsOfClients.includes(failure.kind)) return;
  const { kind, system, step, part, reason } = failure;
  const cause = describeError(failure.cause);
  const fields = { failure: kind, system, step, part, reason, status, cause };
  if (status === 500) log.error(fields, 'call failed');
  else log.warn(fields, 'call failed');
};

/** Writes down a failure where it is rendered, and only there; `status` is what the client is told. */
export const recordFailure = (request: FastifyRequest, failure: Failure, status: number): void => {
  noteForLog(request, { failure: failure.kind });
  request.call.told = status;
  logFailure(request.log, failure, status);
};
