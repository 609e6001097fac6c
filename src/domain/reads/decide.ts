import {
  type CacheDirectives,
  type CallReads,
  copiesOnly,
  type Student,
  type StudentMarks,
  silentReads,
  type WriteMark,
} from '../context.ts';
import { type Failure, isFailure, isPersonal } from '../errors.ts';
import type { WriteMarking } from './ports.ts';
import type { ReadRow } from './types.ts';

export interface CopyAge {
  readonly ageMs: number;
  /** No write to its application has begun since it was read, as far as is known. */
  readonly current: boolean;
  /** Never fresh: it lacks what an earlier version did not read. */
  readonly isCompleted?: boolean;
}

/** How a copy answers: with its age (`old`), and while a reading runs in the background (`revalidate`). */
interface CopyDecision {
  readonly old: boolean;
  readonly revalidate: boolean;
}

/** Up to this freshness a `no-cache` in the form of `fetch` is not taken for the caller's. */
const OF_FETCH_SECONDS = 10;

/**
 * `fetch` adds `no-cache` to every call with `If-None-Match`, so each look for a change would cost the campus a request. A
 * value that is fresh for seconds only loses nothing by ignoring it; where it is fresh for minutes, the caller may mean it.
 */
export const ignoreNoCacheOfFetch = (directives: CacheDirectives, freshSeconds: number): CacheDirectives =>
  directives.noCacheOfFetch && freshSeconds <= OF_FETCH_SECONDS ? { ...directives, noCache: false } : directives;

/** Adds the operator's setting where the call sends no directive about age. */
export const withOperatorDefaults = (directives: CacheDirectives, revalidateSeconds: number): CacheDirectives =>
  revalidateSeconds === 0 ||
  directives.staleWhileRevalidate !== null ||
  directives.maxAge !== null ||
  directives.maxStale !== null
    ? directives
    : { ...directives, staleWhileRevalidate: revalidateSeconds };

/** True if the caller wants the value from the campus. */
export const skipsCopies = ({ noCache, maxAge }: CacheDirectives): boolean => noCache || maxAge === 0;

export interface FreshnessTerms {
  readonly directives: CacheDirectives;
  readonly freshSeconds: number;
  /** A younger copy answers with any directives. */
  readonly youngSeconds: number;
}

/** A younger value for everybody always answers: thousands who want the newest cause one request. */
export const YOUNG_SECONDS = 60;

export const isForAll = ({ scope }: Pick<ReadRow<never>, 'scope'>): boolean => scope === 'campus';

/** What a call of the student may be answered with. */
export const termsOf = (
  settings: { readonly freshSeconds: number; readonly revalidateSeconds: number },
  { personal }: Pick<Student, 'personal'>,
  call: CallReads,
  row: Pick<ReadRow<never>, 'fresh' | 'scope'>,
): FreshnessTerms => {
  const freshSeconds = row.fresh === 'usual' ? settings.freshSeconds : row.fresh;
  // Values that are never fresh, and those that the service reads on its own, are as new as they can be.
  const operatorSeconds = freshSeconds === 0 || call === silentReads ? 0 : settings.revalidateSeconds;
  const own = ignoreNoCacheOfFetch(call.directives, freshSeconds);
  const directives = personal?.copiesOnly ? copiesOnly : withOperatorDefaults(own, operatorSeconds);
  return { directives, freshSeconds, youngSeconds: isForAll(row) ? YOUNG_SECONDS : 0 };
};

/** Otherwise no copy is looked for. */
export const mayAnswer = ({ directives, freshSeconds, youngSeconds }: FreshnessTerms): boolean => {
  const mayBeOld =
    directives.maxStale !== null || directives.onlyIfCached || (directives.staleWhileRevalidate ?? 0) > 0;
  return youngSeconds > 0 || (!skipsCopies(directives) && ((directives.maxAge ?? freshSeconds) > 0 || mayBeOld));
};

const isYoung = ({ ageMs }: CopyAge, { youngSeconds }: FreshnessTerms): boolean => ageMs < youngSeconds * 1000;

export const isFresh = (copy: CopyAge, terms: FreshnessTerms): boolean => {
  const { directives, freshSeconds } = terms;
  if (copy.isCompleted === true) return false;
  if (isYoung(copy, terms)) return true;
  return !skipsCopies(directives) && copy.current && copy.ageMs < (directives.maxAge ?? freshSeconds) * 1000;
};

/** Null: the copy does not answer. */
export const decide = (copy: CopyAge | null, terms: FreshnessTerms): CopyDecision | null => {
  const { directives, freshSeconds } = terms;
  if (copy && copy.isCompleted !== true && isYoung(copy, terms))
    return { old: copy.ageMs >= freshSeconds * 1000, revalidate: false };
  if (copy === null || skipsCopies(directives)) return null;
  if (isFresh(copy, terms)) return { old: false, revalidate: false };
  // Without a stated age, any copy will do for a caller that wants copies alone.
  const anyAge = directives.onlyIfCached && directives.maxAge === null;
  const beyondSeconds = Math.floor(copy.ageMs / 1000) - (directives.maxAge ?? freshSeconds);
  const allowed =
    anyAge ||
    ((directives.maxStale !== null || directives.onlyIfCached) && beyondSeconds <= (directives.maxStale ?? 0));
  // A value that was read before a write is wrong, not just old.
  const whileRevalidating = directives.staleWhileRevalidate ?? 0;
  const revalidate =
    !directives.onlyIfCached && copy.current && whileRevalidating > 0 && beyondSeconds <= whileRevalidating;
  return allowed || revalidate ? { old: true, revalidate } : null;
};

/** Oldest copy, in whole seconds, that may be served when the campus fails; 0: none. */
export const staleLimit = (directives: CacheDirectives, operatorSeconds: number): number =>
  directives.staleIfError ?? (skipsCopies(directives) ? 0 : operatorSeconds);

/** The same for one failure: longer while a person is needed. */
export const staleLimitAfter = (
  { kind }: Failure,
  directives: CacheDirectives,
  { ifError, ifPerson }: { readonly ifError: number; readonly ifPerson: number },
): number => staleLimit(directives, kind === 'person-needed' ? Math.max(ifError, ifPerson) : ifError);

export const isWithinStaleLimit = (copy: CopyAge, limitSeconds: number): boolean =>
  limitSeconds > 0 && Math.floor(copy.ageMs / 1000) <= limitSeconds;

/** Neither a mistake of the caller nor our own trouble. `rate-limited` is the budget of the student at the campus. */
export const isCampusFailure = (error: unknown): error is Failure =>
  isFailure(
    error,
    'sign-in-guarded',
    'person-needed',
    'sign-in-unavailable',
    'ticket-unavailable',
    'upstream-unavailable',
    'upstream-unreadable',
    'upstream-refused',
    'upstream-empty',
    'campus-busy',
    'session-lost',
    'timed-out',
    'rate-limited',
  );

/** Trouble of the student whose session was borrowed; another one may have none. */
export const isOfOneStudent = (error: unknown): boolean =>
  isPersonal(error) ||
  isFailure(error, 'rate-limited') ||
  (isFailure(error, 'upstream-unavailable') && error.reason === 'student-paused');

/** Counter of a reading that began while a write may have been under way; no later call has it. */
export const DURING_A_WRITE = -1;

const untouched: WriteMark = { count: 0, until: 0 };

/** The counter of writes of a reading that begins now. */
export const writesAt = (marks: StudentMarks, application: string, now: number): number => {
  const written: Readonly<Record<string, WriteMark | undefined>> = marks.writes;
  const { count, until } = written[application] ?? untouched;
  return mayBeWriting(until, now) ? DURING_A_WRITE : count;
};

/** The longest deadline of a call, and a minute for clocks that differ. */
const LONGEST_WRITE_MS = 360_000;

/** A mark from further ahead was made before a clock was set back. */
const mayBeWriting = (until: number, now: number): boolean => until > now && until <= now + LONGEST_WRITE_MS;

/** Marks a write that begins now. */
export const markWrite =
  (now: number, until: number): WriteMarking =>
  (before) => {
    const overlaps = mayBeWriting(before, now);
    return { until: overlaps ? Math.max(before, until) : until, overlaps };
  };

/** Clocks of replicas differ by a little. A copy from further ahead was read before a clock was set back. */
const SKEW_MS = 5_000;

/** Age in ms; null if by the clock it has not been read yet. */
export const ageOf = (readAt: number, now: number): number | null => {
  const age = now - readAt;
  return age < -SKEW_MS ? null : Math.max(0, age);
};

/** A reading from further ahead than clocks differ is never newer: it would stay until its time came. */
export const isNewer = (readAt: number, other: number, now: number): boolean =>
  readAt > other && ageOf(readAt, now) !== null;
