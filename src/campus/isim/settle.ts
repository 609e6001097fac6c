import { Failure } from '../../domain/errors.ts';

/**
 * All values, or one error after everything has settled: nothing of this call is still under way when its session is
 * renewed and it begins again. What is no `Failure` goes first, because it is the session core's own signal.
 */
export const settle = async <T>(works: ReadonlyArray<Promise<T>>): Promise<T[]> => {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof Failure)) ?? errors[0];
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
};
