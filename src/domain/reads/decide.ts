import { type Failure, isFailure } from '../errors.ts';
import type { CopyAge, ReadWish, StudentMarks, WriteMark } from './types.ts';

/**
 * `answer`: with the copy; `old`: and say how old it is. `ask`: the campus, or join who is asking it.
 * `refuse`: there is no copy and the campus is not to be asked.
 */
export type Decision =
  | { readonly step: 'answer'; readonly old: boolean }
  | { readonly step: 'ask' }
  | { readonly step: 'refuse' };

const ask: Decision = { step: 'ask' };
const refuse: Decision = { step: 'refuse' };

/** The caller wants it from the campus, whatever is there. */
export const asksAnew = ({ noCache, maxAge }: ReadWish): boolean => noCache || maxAge === 0;

/** What to do about a copy, or without one, before the campus is asked. `freshSeconds`: of the read. */
export const decide = (copy: CopyAge | null, freshSeconds: number, wish: ReadWish): Decision => {
  if (asksAnew(wish)) return wish.onlyIfCached ? refuse : ask;
  const otherwise = wish.onlyIfCached ? refuse : ask;
  if (copy === null) return otherwise;
  const freshMs = (wish.maxAge ?? freshSeconds) * 1000;
  if (copy.current && copy.ageMs < freshMs) return { step: 'answer', old: false };
  // Without a stated age, any copy will do for a caller that wants copies alone.
  const anyAge = wish.onlyIfCached && wish.maxAge === null;
  const limit = (wish.maxAge ?? freshSeconds) + (wish.maxStale ?? 0);
  const allowed = anyAge || ((wish.maxStale !== null || wish.onlyIfCached) && Math.floor(copy.ageMs / 1000) <= limit);
  return allowed ? { step: 'answer', old: true } : otherwise;
};

/** How old a copy may be that stands in for a failure of the campus, in whole seconds; 0: none may. */
export const standInSeconds = (wish: ReadWish, operatorSeconds: number): number =>
  wish.staleIfError ?? (asksAnew(wish) ? 0 : operatorSeconds);

export const mayStandIn = (copy: CopyAge, limitSeconds: number): boolean =>
  limitSeconds > 0 && Math.floor(copy.ageMs / 1000) <= limitSeconds;

/** What the campus did not do: not what the caller did wrong, and not our own trouble. */
export const isCampusFailure = (error: unknown): error is Failure =>
  isFailure(
    error,
    'sign-in-guarded',
    'sign-in-unavailable',
    'ticket-unavailable',
    'upstream-unavailable',
    'upstream-unreadable',
    'upstream-refused',
    'upstream-empty',
    'session-lost',
    'timed-out',
  );

/** The counter of a reading that began while a write may have been under way: never that of a later call. */
export const DURING_A_WRITE = -1;

const untouched: WriteMark = { count: 0, until: 0 };

/** Writes of the application of a read, as a reading that begins now has to remember them. */
export const writesAt = (marks: StudentMarks, application: string, now: number): number => {
  const written: Readonly<Record<string, WriteMark | undefined>> = marks.writes;
  const { count, until } = written[application] ?? untouched;
  return until > now ? DURING_A_WRITE : count;
};

/** Clocks of replicas differ by a little. A copy from further ahead was read before a clock was set back. */
const SKEW_MS = 5_000;

/** The age of what was read at `readAt`; null when the clock says that it has not been read yet. */
export const ageOf = (readAt: number, now: number): number | null => {
  const age = now - readAt;
  return age < -SKEW_MS ? null : Math.max(0, age);
};
