import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { Reads } from './reads.ts';
import type { ReadRow } from './types.ts';

type Ask<V> = (student: Student, context: CallContext) => Promise<V>;
type AskFor<A, V> = (student: Student, asked: A, context: CallContext) => Promise<V>;

/** A read that passes on the answer of the campus. */
export const plainRead =
  <V>(reads: Pick<Reads, 'read'>, row: ReadRow<V>, ask: Ask<V>): Ask<V> =>
  (student, context) =>
    reads.read(student, context, { row, ask: (inner) => ask(student, inner) });

/** The same with something that is asked for. `paramsOf` gives it as texts. */
export const plainReadOf =
  <V, A>(
    reads: Pick<Reads, 'read'>,
    row: ReadRow<V>,
    ask: AskFor<A, V>,
    paramsOf: (asked: A) => readonly string[] = (asked) => [String(asked)],
  ): AskFor<A, V> =>
  (student, asked, context) =>
    reads.read(student, context, { row, params: paramsOf(asked), ask: (inner) => ask(student, asked, inner) });

/**
 * Whether a list of the campus names something. A stored list of any age that does is enough; else the list is read.
 * One that cannot be had denies nothing.
 */
export const listedIn = async <V>(
  stored: () => Promise<{ readonly value: V } | null>,
  read: () => Promise<V>,
  names: (list: V) => boolean,
): Promise<boolean> => {
  const copy = await stored();
  if (copy !== null && names(copy.value)) return true;
  try {
    return names(await read());
  } catch (error) {
    // The answer itself was read already.
    if (error instanceof Failure) return true;
    throw error;
  }
};
