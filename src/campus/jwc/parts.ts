import { Failure, type FailureKind, isFailure } from '../../domain/errors.ts';

/** Failures that belong to one answer. Sign-in, leaving clients and the like concern the call as a whole. */
const ofOneAnswer: FailureKind[] = [
  'upstream-unavailable',
  'upstream-unreadable',
  'upstream-refused',
  'upstream-empty',
  'timed-out',
];

const withPart = (cause: Failure, part: string): Failure => {
  const { kind, system, step, retryAfterSeconds, upstreamMessage, reason } = cause;
  return new Failure(kind, { part, cause, system, step, retryAfterSeconds, upstreamMessage, reason });
};

/** Whether a failure concerns one answer only, so that others of the same call may still be good. */
export const isOfOneAnswer = (error: unknown): error is Failure => isFailure(error, ...ofOneAnswer);

/** Lets the failure of `work` tell which part of the operation it was; failures of the given kinds, or of any answer. */
export const named = async <T>(part: string, work: Promise<T>, kinds = ofOneAnswer): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, ...kinds) && error.part === undefined) throw withPart(error, part);
    throw error;
  }
};
