import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { Reads } from './reads.ts';
import type { ReadRow } from './types.ts';

type Ask<A extends unknown[], V> = (student: Student, ...asked: [...A, CallContext]) => Promise<V>;

/** A read that is what the campus says. `paramsOf` tells what is asked for as texts, where it is none itself. */
type PlainRead = <V, A extends unknown[]>(
  row: ReadRow<V>,
  ask: Ask<A, V>,
  paramsOf?: (...asked: A) => readonly string[],
) => Ask<A, V>;

const asTheyAre = (...asked: readonly unknown[]): readonly string[] => asked.map(String);

export const plainReads =
  (reads: Pick<Reads, 'read'>): PlainRead =>
  (row, ask, paramsOf = asTheyAre) =>
  (student, ...rest) => {
    const asked = rest.slice(0, -1) as Parameters<typeof paramsOf>;
    const context = rest[rest.length - 1] as CallContext;
    const params = asked.length === 0 ? undefined : paramsOf(...asked);
    return reads.read(student, context, { row, params, ask: (inner) => ask(student, ...asked, inner) });
  };

/**
 * Whether a list of the campus names something. A kept list of any age that does is enough; else the list is read. One that
 * cannot be had denies nothing.
 */
export const listedIn = async <V>(
  kept: () => Promise<{ readonly value: V } | null>,
  read: () => Promise<V>,
  names: (list: V) => boolean,
): Promise<boolean> => {
  const copy = await kept();
  if (copy !== null && names(copy.value)) return true;
  try {
    return names(await read());
  } catch (error) {
    // The answer is there already: nothing takes it away again.
    if (error instanceof Failure) return true;
    throw error;
  }
};
