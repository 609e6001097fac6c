import { type CampusSystem, Failure } from '../../domain/errors.ts';

/** The failure of a page that is not the page we know. The reason goes to the log: no page text in it. */
export const unreadable = (system: CampusSystem, reason: string, cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system, reason, cause });

/**
 * Runs a parser whose library walks the tree by recursion: a page nested deeper than the stack is an unreadable page,
 * not a fault of ours.
 */
export const readable = <T>(system: CampusSystem, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(system, 'page nested too deeply', error);
    throw error;
  }
};
