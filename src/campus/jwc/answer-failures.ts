import { Failure, type FailureKind, isFailure } from '../../domain/errors.ts';
import { int, type JsonObject, str } from '../parsing/cells.ts';

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

/** Makes the failure of `work` tell which part of the operation it was; of the given kinds, or of any answer. */
export const named = async <T>(part: string, work: Promise<T>, kinds = ofOneAnswer): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, ...kinds) && error.part === undefined) throw withPart(error, part);
    throw error;
  }
};

const goodResults = ['', 'ok', 'success', 'true', '0', '200'];
const goodCodes = [0, 200];

/** Without a list, any mention of an error counts as one: an empty page must not hide it. */
export const tellsError = (body: JsonObject): boolean =>
  !goodResults.includes(str(body.result).toLowerCase()) ||
  body.success === false ||
  str(body.errorMessage) !== '' ||
  (str(body.error) !== '' && body.error !== false) ||
  int(body.status) >= 400 ||
  !goodCodes.includes(int(body.code));

/** The segment is no longer good, or the application refused. */
export const stale = (message = '') => ({ kind: 'stale', message }) as const;
