import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CacheDirectives,
  type CallContext,
  noDirectives,
  type Student,
  withReads,
} from '../../../../src/domain/context.ts';
import { failures } from '../../../../src/domain/errors.ts';
import { createOfferings, type OfferingSearch } from '../../../../src/domain/offerings/offerings.ts';
import type { OfferingRow, OfferingRows, OfferingsCampus } from '../../../../src/domain/offerings/records.ts';
import { NotedReads } from '../../../../src/domain/reads/call-reads.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { exampleOffered } from '../../../support/fake-services.ts';
import { forAllRig, studentOf, turns } from '../../../support/for-all-rig.ts';
import type { ManualClock } from '../../../support/manual-clock.ts';

const one = studentOf('1');
const two = studentOf('2');
const wanted: OfferingSearch = { termCode: '2025-2026-2-1', page: 1, pageSize: 100 };

/** Rows of one class each. */
const rowsOf = (from: number, count: number): OfferingRow[] =>
  Array.from({ length: count }, (_, at) => ({
    course: { ...exampleOffered, course_sequence: String(from + at) },
    teachers: [],
    place: null,
  }));
const pageOf = (page: number, total = 450): OfferingRows => {
  const from = (page - 1) * 200;
  const received = Math.max(0, Math.min(200, total - from));
  return { total, received, rows: rowsOf(from, received) };
};

let clock: ManualClock;
let rig: Awaited<ReturnType<typeof forAllRig>>;
let offerings: ReturnType<typeof createOfferings>;
/** Who has asked for which page, or for a course. */
let asked: string[];
let answer: (page: number, student: Student, context: CallContext) => Promise<OfferingRows>;

beforeEach(async () => {
  rig = await forAllRig();
  clock = rig.clock;
  asked = [];
  answer = async (page) => pageOf(page);
  const never = async () => Promise.reject(new Error('not asked for'));
  const campus: OfferingsCampus = {
    offeringTerms: never,
    classFilters: never,
    classMajors: async (_, code) => {
      asked.push(code);
      return [];
    },
    classes: async (_, query) => {
      asked.push(Object.values(query).join());
      return { total_count: 0, classes: [] };
    },
    classSchedule: async (_, ...which) => {
      asked.push(which.slice(0, 2).join());
      return [];
    },
    offerings: (student, _term, page, context) => {
      asked.push(`${student.userid}: ${page}`);
      return answer(page, student, context);
    },
    offeringsOf: async (student, _term, code) => {
      asked.push(`${student.userid}: ${code}`);
      return { total: 250, received: 200, rows: rowsOf(0, 200) };
    },
  };
  offerings = createOfferings({ campus, reads: rig.reads(), clock, everyMs: 5_000 });
});

const search = (student = one, more: Partial<OfferingSearch> = {}, directives: Partial<CacheDirectives> = {}) => {
  const notes = new NotedReads({ ...noDirectives, ...directives });
  const context = withReads(callContext(), notes);
  return rig.during(offerings.search(student, { ...wanted, ...more }, context)).then((page) => ({ ...page, notes }));
};
/** Lets the fill run for that long, while a student asks again and again. */
const goOn = async (ms: number, ask = true, student = one) => {
  for (let passed = 0; passed < ms; passed += 1_000) {
    if (ask) await search(student, {}, { onlyIfCached: false });
    clock.advance(1_000);
    await turns();
  }
};

describe('a term', () => {
  it('is filled behind the first answer, one page in five seconds, each once', async () => {
    const first = await search();
    expect(first).toMatchObject({ isComplete: false, pagesRead: 1, pageCount: 3, total: 200, retryAfterSeconds: 5 });
    await goOn(4_000);
    expect(asked).toEqual(['1: 1']);
    await goOn(12_000);
    expect(asked).toEqual(['1: 1', '1: 2', '1: 3']);
    expect(await search()).toMatchObject({ isComplete: true, pagesRead: 3, total: 450, retryAfterSeconds: null });
    expect((await search(one, { page: 5 })).classes).toHaveLength(50);
    expect((await search(one, { page: 6 })).classes).toEqual([]);
    // Put together once.
    expect((await search()).classes[0]).toBe((await search()).classes[0]);
    // Fresh pages are not read behind the answer, also for a call that says no-cache.
    clock.advance(61_000);
    const again = await search(one, {}, { noCache: true });
    expect([again.isComplete, again.retryAfterSeconds, asked.length]).toEqual([true, null, 4]);
  });

  it('is read no further once the service ends', async () => {
    await search();
    await goOn(6_000, false);
    await offerings.close();
    await goOn(20_000, false);
    expect(asked).toEqual(['1: 1', '1: 2']);
  });

  it('is not asked for while the campus wants a pause', async () => {
    answer = async (page) => {
      if (page > 1) throw failures.timedOut(undefined, { system: 'academics', retryAfterSeconds: 30 });
      return pageOf(page);
    };
    await search();
    await goOn(10_000);
    expect((await search()).retryAfterSeconds).toBeGreaterThan(20);
    await goOn(20_000);
    expect(asked).toEqual(['1: 1', '1: 2']);
    await goOn(10_000);
    expect(asked).toEqual(['1: 1', '1: 2', '1: 2']);
  });

  it('lets others take their turn between two pages, and continues at the page that failed', async () => {
    let left = 1;
    answer = async (page) => {
      if (page === 3 && left-- > 0) throw failures.timedOut(undefined, { system: 'academics' });
      return pageOf(page);
    };
    await search();
    await goOn(6_000, false);
    expect(asked.splice(0)).toEqual(['1: 1', '1: 2']);
    await search(two, { courseCode: 'MAT1102004' });
    await goOn(12_000);
    await goOn(12_000);
    expect(asked).toEqual(['2: MAT1102004', '1: 3', '1: 3']);
  });

  it('is filled while students ask, and for a minute after the last one', async () => {
    answer = async (page) => pageOf(page, 4_000);
    await search();
    await goOn(90_000, false);
    const before = asked.length;
    expect(before).toBeGreaterThan(8);
    expect(before).toBeLessThan(16);
    await goOn(30_000, false);
    expect(asked).toHaveLength(before);
    await search();
    await goOn(10_000, false);
    expect(asked.length).toBeGreaterThan(before);
  });

  it('ends where its student cannot lend a session, continues with the next one who asks, and signs none in', async () => {
    const attended: Array<boolean | undefined> = [];
    answer = async (page, { userid }, { unattended }) => {
      if (page > 1) attended.push(unattended);
      if (page > 1 && userid === '2') throw failures.rateLimited(3_600);
      return pageOf(page, 1_000);
    };
    for (const student of [one, two]) await search(student);
    await goOn(16_000, false);
    expect(asked).toEqual(['1: 1', '1: 2', '2: 3']);
    await search(one);
    await goOn(25_000, false);
    expect(asked.slice(3)).toEqual(['1: 3', '1: 4', '1: 5']);
    expect(new Set(attended)).toEqual(new Set([true]));
  });

  it('is not complete, and not shown twice, where the campus ignores the number of the page', async () => {
    answer = async () => pageOf(1);
    await search();
    await goOn(30_000);
    expect(await search()).toMatchObject({ isComplete: false, pagesRead: 1, total: 200 });
    // Asked for again, but no faster than anything else.
    expect(asked.length).toBeLessThanOrEqual(8);
  });

  it.each<[string, (page: number) => OfferingRows]>([
    ['rows came or went between two pages', (page) => pageOf(page, page === 3 ? 451 : 450)],
    ['there is nothing behind the first page', (page) => (page === 1 ? pageOf(1) : { ...pageOf(9), rows: [] })],
    ['a page is shorter than it should be', (page) => ({ ...pageOf(page), ...(page === 2 ? { received: 150 } : {}) })],
  ])('is not complete where %s, and nothing is read again for that', async (_, pages) => {
    answer = async (page) => pages(page);
    await search();
    await goOn(15_000);
    expect(await search()).toMatchObject({ isComplete: false, pagesRead: 3 });
    const before = asked.length;
    await goOn(20_000);
    expect(asked).toHaveLength(before);
  });

  it('that no campus could have is unreadable', async () => {
    answer = async () => pageOf(1, 20_001);
    await expect(search()).rejects.toMatchObject({ kind: 'upstream-unreadable' });
  });

  it('says of pages beyond their freshness how old they are, and reads them again', async () => {
    const { readAt } = await search();
    await goOn(12_000);
    clock.advance(readAt + 600_000 - clock.now());
    expect(await search(one, {}, { maxStale: 60 })).toMatchObject({ isComplete: false, readAt });
    clock.advance(100_000);
    expect(await search(one, {}, { maxStale: 900 })).toMatchObject({ isComplete: false, retryAfterSeconds: null });
    const old = await search();
    expect(old).toMatchObject({ isComplete: false, pagesRead: 3, retryAfterSeconds: 5 });
    expect(old.notes.summary()?.oldSince).toBe(old.readAt);
    await goOn(15_000);
    expect(await search()).toMatchObject({ isComplete: true });
    expect(asked).toHaveLength(6);
  });

  it('is read no further for a call that says only-if-cached or no-store', async () => {
    await expect(search(one, {}, { onlyIfCached: true })).rejects.toMatchObject({ kind: 'no-copy' });
    await search(one, {}, { noStore: true });
    await goOn(12_000, false);
    expect(asked).toEqual(['1: 1']);
    await search();
    const copies = { isComplete: false, retryAfterSeconds: null };
    expect(await search(one, {}, { onlyIfCached: true })).toMatchObject(copies);
    expect(await search({ ...one, personal: { name: 'x', scopes: [], copiesOnly: true } })).toMatchObject(copies);
  });
});

describe('one course', () => {
  it('is asked for by itself while a page is missing, and out of the term once it is there', async () => {
    const course = { courseCode: exampleOffered.course_code };
    expect(await search(one, course)).toMatchObject({ isComplete: false, pagesRead: 1, pageCount: 2 });
    await search();
    await goOn(15_000);
    clock.advance(61_000);
    const whole = await search(one, course);
    expect(whole).toMatchObject({ isComplete: true, pagesRead: 3, total: 450 });
    expect(whole.notes.summary()).toMatchObject({ source: 'copy', readAt: whole.readAt });
    expect(asked).toEqual(['1: MAT1102004', '1: 1', '1: 2', '1: 3']);
    // Older than the call wants it: the first page, or one behind it.
    clock.advance(whole.readAt + 122_000 - clock.now());
    await search(one, course, { maxAge: 120 });
    clock.advance(61_000);
    await search(one, {}, { noCache: true });
    await search(one, course, { maxAge: 60 });
    expect(asked.slice(4)).toEqual(['1: MAT1102004', '1: 1', '1: MAT1102004']);
  });
});

it('each combination of parameters is a read by itself', async () => {
  const query = { termCode: 'a', departmentCode: 'b', majorCode: 'c', grade: 'd', page: 1 };
  const others = (['termCode', 'departmentCode', 'majorCode', 'grade'] as const).map((name) => ({
    ...query,
    [name]: 'x',
  }));
  const context = callContext();
  const reads = [
    ...[query, ...others, { ...query, page: 2 }].map((each) => () => offerings.classes(one, each, context)),
    ...['a', 'b'].map((code) => () => offerings.classMajors(one, code, context)),
    ...[['a', 'b'] as const, ['x', 'b'] as const, ['a', 'x'] as const].map(
      ([termCode, classCode]) =>
        () =>
          offerings.classSchedule(one, termCode, classCode, context),
    ),
    ...['2025-2026-2-1', '2025-2026-1-1'].map((termCode) => () => search(one, { termCode, courseCode: 'X' })),
  ];
  for (const read of [...reads, ...reads]) await rig.during<unknown>(read());
  expect(asked).toHaveLength(reads.length);
});

it('a made-up code is answered from the pages of the term, also from stale ones, and costs no further request', async () => {
  const madeUp = (code: string, student = one, directives: Partial<CacheDirectives> = {}) =>
    search(student, { courseCode: `MADE${code}` }, directives);
  await search();
  await goOn(15_000);
  asked = [];
  clock.advance(61_000);
  const found = await madeUp('UP');
  expect([found.total, found.isComplete, found.pagesRead]).toEqual([0, true, 3]);
  // Beyond their freshness the first page is read again, for everybody, and the others behind it.
  clock.advance(700_000);
  for (let at = 0; at < 50; at += 1) {
    const { total, isComplete } = await madeUp(String(at), studentOf(String(at % 3)), { noCache: true });
    expect([total, isComplete]).toEqual([0, false]);
  }
  expect(asked.filter((line) => line.includes('MADE'))).toEqual([]);
  expect(asked.filter((line) => line.endsWith(': 1'))).toHaveLength(1);
});
