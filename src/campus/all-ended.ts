import { Failure } from '../domain/errors.ts';

/**
 * All values, or one error after every work has ended: nothing of this call is still under way when it ends or is
 * repeated. What is no `Failure` goes first, because it is the session core's own signal (a dead session).
 */
export const allEnded = async <T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof Failure)) ?? errors[0];
  return Promise.all(works);
};
