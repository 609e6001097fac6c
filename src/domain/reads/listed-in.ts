import { Failure } from '../errors.ts';

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
