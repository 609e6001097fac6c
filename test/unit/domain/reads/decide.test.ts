import { describe, expect, it } from 'vitest';
import { type CacheDirectives, noDirectives, type StudentMarks } from '../../../../src/domain/context.ts';
import { type FailureKind, failureOf } from '../../../../src/domain/errors.ts';
import {
  ageOf,
  DURING_A_WRITE,
  decide,
  ignoreNoCacheOfFetch,
  isCampusFailure,
  isWithinStaleLimit,
  staleLimit,
  staleLimitAfter,
  withOperatorDefaults,
  writesAt,
} from '../../../../src/domain/reads/decide.ts';
import { failureKinds } from '../../../support/failure-kinds.ts';

const any = Number.POSITIVE_INFINITY;
const FRESH = 10;

/** `behind`: old, and read again behind the answer. */
type Outcome = 'fresh' | 'old' | 'behind' | 'ask' | 'refuse';

const outcome = (
  copy: { age: number; current?: boolean } | null,
  directives: Partial<CacheDirectives>,
  fresh = FRESH,
): Outcome => {
  const age = copy && { ageMs: copy.age * 1000, current: copy.current ?? true };
  const decision = decide(age, {
    directives: { ...noDirectives, ...directives },
    freshSeconds: fresh,
    youngSeconds: 0,
  });
  if (decision === null) return directives.onlyIfCached ? 'refuse' : 'ask';
  return decision.revalidate ? 'behind' : decision.old ? 'old' : 'fresh';
};

/** Copies: none, 5 s old, 30 s old, 5 s old and read before a write. Freshness 10 s. */
const table: ReadonlyArray<[string, Partial<CacheDirectives>, Outcome, Outcome, Outcome, Outcome]> = [
  ['nothing said', {}, 'ask', 'fresh', 'ask', 'ask'],
  ['no-cache', { noCache: true }, 'ask', 'ask', 'ask', 'ask'],
  ['max-age=3', { maxAge: 3 }, 'ask', 'ask', 'ask', 'ask'],
  ['max-age=60', { maxAge: 60 }, 'ask', 'fresh', 'fresh', 'ask'],
  ['max-stale=10', { maxStale: 10 }, 'ask', 'fresh', 'ask', 'old'],
  ['max-stale=60', { maxStale: 60 }, 'ask', 'fresh', 'old', 'old'],
  ['max-stale', { maxStale: any }, 'ask', 'fresh', 'old', 'old'],
  ['no-cache, max-stale', { noCache: true, maxStale: any }, 'ask', 'ask', 'ask', 'ask'],
  ['max-age=0, max-stale', { maxAge: 0, maxStale: any }, 'ask', 'ask', 'ask', 'ask'],
  ['max-age=3, max-stale=5', { maxAge: 3, maxStale: 5 }, 'ask', 'old', 'ask', 'old'],
  ['only-if-cached', { onlyIfCached: true }, 'refuse', 'fresh', 'old', 'old'],
  ['only-if-cached, max-age=20', { onlyIfCached: true, maxAge: 20 }, 'refuse', 'fresh', 'refuse', 'old'],
  ['only-if-cached, no-cache', { onlyIfCached: true, noCache: true }, 'refuse', 'refuse', 'refuse', 'refuse'],
  ['no-store', { noStore: true }, 'ask', 'fresh', 'ask', 'ask'],
  ['stale-if-error=60', { staleIfError: 60 }, 'ask', 'fresh', 'ask', 'ask'],
  ['stale-while-revalidate=19', { staleWhileRevalidate: 19 }, 'ask', 'fresh', 'ask', 'ask'],
  ['stale-while-revalidate=20', { staleWhileRevalidate: 20 }, 'ask', 'fresh', 'behind', 'ask'],
  ['max-age=3, stale-while-revalidate=5', { maxAge: 3, staleWhileRevalidate: 5 }, 'ask', 'behind', 'ask', 'ask'],
  ['max-stale, stale-while-revalidate=5', { maxStale: any, staleWhileRevalidate: 5 }, 'ask', 'fresh', 'old', 'old'],
  ['max-stale=9, and 60', { maxStale: 9, staleWhileRevalidate: 60 }, 'ask', 'fresh', 'behind', 'old'],
  ['no-cache, stale-while-revalidate=60', { noCache: true, staleWhileRevalidate: 60 }, 'ask', 'ask', 'ask', 'ask'],
  ['only-if-cached, and 60', { onlyIfCached: true, staleWhileRevalidate: 60 }, 'refuse', 'fresh', 'old', 'old'],
];

describe('before the campus is asked', () => {
  it.each(table)('%s', (_name, directives, none, young, aged, overtaken) => {
    expect([
      outcome(null, directives),
      outcome({ age: 5 }, directives),
      outcome({ age: 30 }, directives),
      outcome({ age: 5, current: false }, directives),
    ]).toEqual([none, young, aged, overtaken]);
  });

  it('no-cache in the form of fetch is obeyed only where a value is fresh for more than ten seconds', () => {
    const directives = { ...noDirectives, noCache: true, noCacheOfFetch: true };
    expect([0, 10, 11, 300].map((fresh) => ignoreNoCacheOfFetch(directives, fresh).noCache)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(ignoreNoCacheOfFetch({ ...directives, noCacheOfFetch: false }, 10).noCache).toBe(true);
  });

  it('the setting of the operator holds for calls that say nothing of an age', () => {
    const seconds = (directives: Partial<CacheDirectives>, operator = 60) =>
      withOperatorDefaults({ ...noDirectives, ...directives }, operator).staleWhileRevalidate;
    expect([seconds({}), seconds({ staleIfError: 5 }), seconds({}, 0)]).toEqual([60, 60, null]);
    expect(
      [{ staleWhileRevalidate: 0 }, { maxAge: 5 }, { maxStale: 5 }].map((directives) => seconds(directives)),
    ).toEqual([0, null, null]);
  });

  it('a value is fresh while it is younger than its freshness, and not at that age', () => {
    const none = { staleWhileRevalidate: 0 };
    expect([outcome({ age: 9.999 }, {}), outcome({ age: 10 }, {}), outcome({ age: 10 }, none)]).toEqual([
      'fresh',
      'ask',
      'ask',
    ]);
  });

  it('what has no freshness is asked for, unless the caller states an age', () => {
    expect([outcome({ age: 0 }, {}, 0), outcome({ age: 0 }, { maxAge: 5 }, 0)]).toEqual(['ask', 'fresh']);
  });
});

describe('when the campus fails', () => {
  it.each<[string, Partial<CacheDirectives>, number]>([
    ['nothing said', {}, 100],
    ['stale-if-error=7', { staleIfError: 7 }, 7],
    ['stale-if-error=0', { staleIfError: 0 }, 0],
    ['no-cache', { noCache: true }, 0],
    ['max-age=0', { maxAge: 0 }, 0],
    ['no-cache, stale-if-error=7', { noCache: true, staleIfError: 7 }, 7],
  ])('%s', (_name, directives, seconds) => {
    expect(staleLimit({ ...noDirectives, ...directives }, 100)).toBe(seconds);
  });

  it('where the requests of the student are spent, is as any failure; longer while a person is needed', () => {
    const limit = (kind: FailureKind, directives: Partial<CacheDirectives> = {}) =>
      staleLimitAfter(failureOf(kind), { ...noDirectives, ...directives }, { ifError: 100, ifPerson: 200 });
    expect([limit('rate-limited'), limit('rate-limited', { staleIfError: 7 })]).toEqual([100, 7]);
    expect([limit('timed-out'), limit('person-needed'), limit('person-needed', { noCache: true })]).toEqual([
      100, 200, 0,
    ]);
  });

  it('a stale copy is served up to the stated age, and none without one', () => {
    const at = (age: number) => ({ ageMs: age * 1000, current: false });
    expect([isWithinStaleLimit(at(60), 60), isWithinStaleLimit(at(61), 60), isWithinStaleLimit(at(0), 0)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('only failures of the campus count', () => {
    const counting: FailureKind[] = [
      // The student's budget of requests at the campus is spent.
      'rate-limited',
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
    ];
    expect(failureKinds.filter((kind) => isCampusFailure(failureOf(kind)))).toEqual(counting);
    expect(isCampusFailure(new Error('defect'))).toBe(false);
  });
});

describe('writes', () => {
  const marks = (count: number, until: number): StudentMarks => ({
    generation: 1,
    refusedStep: null,
    roomCode: null,
    writes: {
      academics: { count, until },
      'labor-club': { count: 0, until: 0 },
      electricity: { count: 0, until: 0 },
    },
  });

  it('are counted per application, and while one may be under way no reading has a count that another can meet', () => {
    expect(writesAt(marks(4, 0), 'academics', 100)).toBe(4);
    expect(writesAt(marks(4, 101), 'academics', 100)).toBe(DURING_A_WRITE);
    expect(writesAt(marks(4, 100), 'academics', 100)).toBe(4);
    expect(writesAt(marks(4, 101), 'labor-club', 100)).toBe(0);
    expect(writesAt(marks(4, 101), 'competitions', 100)).toBe(0);
    // No call lasts an hour: the clock was ahead when the mark was made.
    expect(writesAt(marks(4, 3_600_100), 'academics', 100)).toBe(4);
  });
});

describe('age', () => {
  it('counts from the start of the reading; what was read far ahead of the clock has none', () => {
    expect([ageOf(1_000, 4_000), ageOf(5_000, 4_000), ageOf(60_000, 4_000)]).toEqual([3_000, 0, null]);
  });
});
