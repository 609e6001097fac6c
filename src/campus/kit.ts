import type { CallContext, Student } from '../domain/context.ts';
import { Failure } from '../domain/errors.ts';
import type { PageReader } from './parsing/page-reader.ts';
import type { UpstreamRequest, UpstreamSession } from './session/upstream-session.ts';

/** Gives work a session of one application. */
type Within<S> = <T>(student: Student, context: CallContext, work: (session: S) => Promise<T>) => Promise<T>;

/** Makes work in a session a method of a port, with the parameters between the student and the context. */
export const methodsWithin =
  <S>(within: Within<S>) =>
  <A extends unknown[], T>(work: (session: S, ...asked: A) => Promise<T>) =>
  (student: Student, ...rest: [...A, CallContext]): Promise<T> => {
    const asked = rest.slice(0, -1) as A;
    return within(student, rest[rest.length - 1] as CallContext, (session) => work(session, ...asked));
  };

/** Parses the answer to a request, and reports unusable rows. */
export const readAnswer = async <T>(
  session: UpstreamSession,
  request: UpstreamRequest,
  parser: PageReader<T>,
): Promise<T> => {
  const answer = await session.parse(parser, await session.text(request));
  const isCounted = typeof answer === 'object' && answer !== null && 'dropped' in answer;
  if (isCounted && typeof answer.dropped === 'number') session.dropped(request.page, answer.dropped);
  return answer;
};

/**
 * All values, or one error after every work has ended: nothing of this call is still under way when it ends or is
 * repeated. What is not a `Failure` goes first, because it is the session core's own signal (a dead session).
 */
export const allEnded = async <T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  const outcomes = await Promise.allSettled(works);
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof Failure)) ?? errors[0];
  return Promise.all(works);
};
