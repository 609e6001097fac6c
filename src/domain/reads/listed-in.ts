import { HOUR_MS } from '../../lib/time.ts';
import { isFailure } from '../errors.ts';

/** Whether a campus list names something: a stored list of any age, else a fresh one. True if reading it fails. */
export const isListedIn = async <V>(
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
    if (isFailure(error)) return true;
    throw error;
  }
};

/** Two readings this far apart that agree are no passing fault of the campus. */
const AGREEMENT_MS = 12 * HOUR_MS;

interface Vanished {
  /** The first reading that did not have it, epoch ms. */
  readonly since: number;
  readonly agreed: boolean;
}

/** An item is gone only once two readings agree. `since`: as the readings before left it; null: they had it. */
export const confirmRemoval = (since: number | null, readAt: number): Vanished => {
  // A moment from before a clock was set back would make it wait until that time.
  const first = since === null ? readAt : Math.min(since, readAt);
  return { since: first, agreed: readAt - first >= AGREEMENT_MS };
};
