import type { FastifyError, FastifyRequest } from 'fastify';
import type { Log } from '../../domain/context.ts';
import { asFailure, Failure, type FailureKind, isFailure } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { describeError } from '../logs/logger.ts';
import { noteForLog } from '../logs/request-log.ts';
import type { Call } from './call-context.ts';

/** How long a call that was interrupted may take to say how far it came, or to find a copy. */
const lastWordMs = 250;

/** What `running` comes to by then, and `silence` after that. */
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

/**
 * The result of the work of a call, at once where nothing was waited for, or the reason why the call ended first. When its
 * time is over, a copy may stand in.
 * @param writes it changes something at the campus, so it knows more about its end than that its time is over
 */
export const runCall = <T>(call: Call, clock: Clock, writes: boolean, work: () => T | Promise<T>): T | Promise<T> => {
  // Nothing is begun for a client that left, or whose time ended, while its body was on the way.
  if (call.interruption) throw call.interruption;
  const running = work();
  if (!(running instanceof Promise)) return running;
  // The domain heeds the signal; the race keeps the promise should a wait in it not do so.
  return call.race(running).catch((error: unknown) => {
    // What an interrupted write says of itself; without that in time, what became of it is unknown.
    const unknown = { reason: 'no account of an interrupted write', cause: error };
    if (writes && call.interruption) return lastWordOf(running, clock, new Failure('outcome-unknown', unknown));
    if (!(call.reads?.hasStandIn && call.interruption && isFailure(error, 'timed-out'))) throw error;
    // A copy may stand in; the failure is otherwise the same.
    return lastWordOf(running, clock, error).catch(() => {
      throw error;
    });
  });
};

/** What was thrown on the way of a request, by the work, the platform or the reading of the body, as a failure. */
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
