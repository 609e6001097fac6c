import { expect, it, vi } from 'vitest';
import { allReads } from '../../../../src/domain/all-reads.ts';
import { type CacheDirectives, noDirectives, withReads } from '../../../../src/domain/context.ts';
import { type Failure, failures } from '../../../../src/domain/errors.ts';
import { NotedReads } from '../../../../src/domain/reads/call-reads.ts';
import { failureOf } from '../../../support/accounts-rig.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { plainMarks } from '../../../support/student-marks.ts';
import { testReads } from '../../../support/test-reads.ts';

it('a pair that is set aside is told before any copy; what is still open is asked, unless copies alone are wanted', async () => {
  const reads = testReads(new ManualClock(), { freshSeconds: 60 });
  const withoutPortal = testReads(new ManualClock(), { freshSeconds: 60, taken: ['unified-login'] });
  let asked = 0;
  const read = (more: Partial<CacheDirectives>, refusedStep: 'portal' | null, at = reads) =>
    at.read(
      { userid: '2023000001', marks: plainMarks({ refusedStep }) },
      withReads(callContext(), new NotedReads({ ...noDirectives, ...more })),
      {
        row: allReads.finishedCount,
        ask: async () => {
          asked += 1;
          return asked;
        },
      },
    );
  expect(await read({}, null)).toBe(1);
  expect(await read({ onlyIfCached: true }, null)).toBe(1);
  expect(await read({}, 'portal')).toBe(2);
  expect(await failureOf(read({ onlyIfCached: true }, 'portal'))).toBe('stored-credentials-refused portal');
  // Its portal is gone since.
  const told = failureOf(read({ onlyIfCached: true }, 'portal', withoutPortal));
  expect(await told).toBe('stored-credentials-refused unified-login');
  expect(asked).toBe(2);
});

it('a value stays in memory as long as it is fresh, without storage too', async () => {
  const clock = new ManualClock();
  const reads = testReads(clock, { freshSeconds: 600 });
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked;
  };
  const read = () => reads.read({ userid: '2023000001' }, callContext(), { row: allReads.finishedCount, ask });
  expect(await read()).toBe(1);
  clock.advance(599_999);
  reads.sweep();
  expect(await read()).toBe(1);
  clock.advance(1);
  expect(await read()).toBe(2);
});

/** Reads whose readings end when they are told to; all of one row, by students and parameters. */
const heldReads = async () => {
  const clock = new ManualClock();
  const reads = testReads(clock, { freshSeconds: 10 });
  const asked: Array<{ readonly unattended: boolean | undefined; readonly end: (result: number | Failure) => void }> =
    [];
  const read = async (userid: string, param: string, more: Partial<CacheDirectives>) => {
    const notes = new NotedReads({ ...noDirectives, ...more });
    const value = await reads.read({ userid }, withReads(callContext(), notes), {
      row: allReads.finishedCount,
      params: [param],
      ask: ({ unattended, signal }) =>
        new Promise<number>((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          asked.push({ unattended, end: (result) => (typeof result === 'number' ? resolve(result) : reject(result)) });
        }),
    });
    return [value, notes.summary()?.source];
  };
  const began = (readings: number) => vi.waitFor(() => expect(asked).toHaveLength(readings), { timeout: 20_000 });
  /** Copies of these, each 20 s old. */
  const keep = async (...ofWhom: ReadonlyArray<readonly [string, string]>) => {
    for (const [userid, param] of ofWhom) {
      const first = read(userid, param, {});
      await began(asked.length + 1);
      asked.at(-1)?.end(1);
      await first;
    }
    clock.advance(20_000);
    asked.length = 0;
  };
  return { clock, reads, asked, read, began, keep };
};

const revalidating = { staleWhileRevalidate: 60 };

it('behind answers one reading runs per student and read, eight in the process, and copies answer beyond', async () => {
  const { asked, read, began, keep } = await heldReads();
  const students = Array.from({ length: 9 }, (_, at) => `student${at}`);
  await keep(...students.map((userid) => [userid, 'a'] as const), ['student0', 'b']);
  expect(await read('student0', 'a', revalidating)).toEqual([1, 'revalidating']);
  expect(await read('student0', 'a', revalidating)).toEqual([1, 'revalidating']);
  expect(await read('student0', 'b', revalidating)).toEqual([1, 'copy']);
  expect(await read('student1', 'a', { ...revalidating, noStore: true })).toEqual([1, 'copy']);
  const others = await Promise.all(students.slice(1).map((userid) => read(userid, 'a', revalidating)));
  expect(others.map(([, source]) => source)).toEqual([...Array(7).fill('revalidating'), 'copy']);
  await began(8);
  expect(asked.every(({ unattended }) => unattended)).toBe(true);
  asked[3]?.end(2);
  await vi.waitFor(async () => expect(await read('student3', 'a', {})).toEqual([2, 'copy']), { timeout: 20_000 });
  expect(await read('student8', 'a', revalidating)).toEqual([1, 'revalidating']);
});

it('a reading behind an answer ends by its own deadline, and no call fails with it', async () => {
  const { clock, asked, read, began, keep } = await heldReads();
  await keep(['student', 'a']);
  expect(await read('student', 'a', revalidating)).toEqual([1, 'revalidating']);
  await began(1);
  clock.advance(30_000);
  await vi.waitFor(async () => expect(await read('student', 'a', { maxStale: 60 })).toEqual([1, 'copy']));
  expect(await read('student', 'a', revalidating)).toEqual([1, 'revalidating']);
  await began(2);
  asked[1]?.end(failures.upstreamUnavailable(undefined));
  expect(await read('student', 'a', { maxStale: 60 })).toEqual([1, 'copy']);
});

it('a call that joins a reading without a session reads for itself, and signs in where it has to', async () => {
  const { asked, read, began, keep } = await heldReads();
  await keep(['student', 'a']);
  await read('student', 'a', revalidating);
  await began(1);
  const waiting = read('student', 'a', { noCache: true });
  asked[0]?.end(failures.sessionLost(undefined));
  await began(2);
  expect(asked[1]?.unattended).toBe(false);
  asked[1]?.end(3);
  expect(await waiting).toEqual([3, 'asked-on-request']);
});

it.each([
  [10, 'revalidating'],
  [0, 'asked'],
])(
  'the operator lets old values answer calls that say nothing; with FRESH_SECONDS %i a value is %s',
  async (freshSeconds, source) => {
    const clock = new ManualClock();
    const reads = testReads(clock, { freshSeconds, revalidateSeconds: 60 });
    const notes = () => new NotedReads(noDirectives);
    const read = async (noted = notes()) => {
      const { finishedCount: row } = allReads;
      await reads.read({ userid: '2023000001' }, withReads(callContext(), noted), { row, ask: async () => 1 });
      return noted.summary()?.source;
    };
    expect(await read()).toBe('asked');
    clock.advance(69_000);
    expect(await read()).toBe(source);
  },
);
