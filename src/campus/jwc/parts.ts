import { Failure, type FailureKind, isFailure } from '../../domain/errors.ts';

/** Failures that belong to one answer. Sign-in, leaving clients and the like concern the call as a whole. */
const ofOneAnswer: FailureKind[] = [
  'upstream-unavailable',
  'upstream-unreadable',
  'upstream-refused',
  'upstream-empty',
  'timed-out',
];

const withPart = (failure: Failure, part: string): Failure =>
  new Failure(failure.kind, {
    part,
    cause: failure,
    ...(failure.system === undefined ? {} : { system: failure.system }),
    ...(failure.step === undefined ? {} : { step: failure.step }),
    ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
    ...(failure.upstreamMessage === undefined ? {} : { upstreamMessage: failure.upstreamMessage }),
    ...(failure.reason === undefined ? {} : { reason: failure.reason }),
  });

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

/**
 * Both values, or the failure of one after the other has settled too: nothing of this call is still under way when it
 * ends or is repeated. What is no `Failure` goes first, because it is the session core's own signal (a dead session).
 */
export const both = async <A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> => {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value, b.value];
  const reasons: unknown[] = [a, b].flatMap((r) => (r.status === 'rejected' ? [r.reason] : []));
  throw reasons.find((reason) => !(reason instanceof Failure)) ?? reasons[0];
};
