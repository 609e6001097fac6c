import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { draftOf } from '../../../../src/domain/accounts/guard/guard.ts';
import {
  type BreakerRecord,
  emptyGateway,
  emptyStudent,
  type StudentRow,
} from '../../../../src/domain/accounts/guard/row.ts';
import { isQuiet } from '../../../../src/domain/accounts/guard/stored-pair.ts';
import { allReads } from '../../../../src/domain/all-reads.ts';
import { silentLog } from '../../../../src/domain/context.ts';
import {
  DailyReadings,
  dailyReadsOf,
  firstMoment,
  isReadingHour,
  momentTomorrow,
  putOff,
} from '../../../../src/domain/hooks/daily-readings.ts';
import { createLeases } from '../../../../src/domain/lease.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const HOUR = 3_600_000;
const timeZone = 'Asia/Shanghai';
const midnight = Date.UTC(2026, 2, 18) - 8 * HOUR;
const at = (hour: number): number => midnight + hour * HOUR;
const hourOf = (moment: number): number => (moment - midnight) / HOUR;
const draw = (hour: number, luck: number) => ({ now: at(hour), timeZone, random: () => luck });

describe('the moment of a student', () => {
  it('lies between 7 and 23 h of the next day, for any random number', () => {
    for (const luck of [0, 0.5, 0.9999]) {
      for (const hour of [0, 7, 12, 23.5]) {
        const moment = momentTomorrow(draw(hour, luck));
        expect(hourOf(moment)).toBeCloseTo(24 + 7 + 16 * luck, 3);
        expect(isReadingHour(moment, timeZone)).toBe(true);
      }
    }
  });

  it('is today for a new hook while the day has hours left, else tomorrow', () => {
    expect([0, 0.5].map((luck) => hourOf(firstMoment(draw(3, luck))))).toEqual([7, 15]);
    expect([0, 0.5].map((luck) => hourOf(firstMoment(draw(21, luck))))).toEqual([21, 22]);
    expect(hourOf(firstMoment(draw(23, 0)))).toBe(31);
  });

  it('is put off by an hour while the student cannot be read, and at night to the next day', () => {
    expect(hourOf(putOff(draw(21.9, 0)))).toBeCloseTo(22.9, 6);
    expect(hourOf(putOff(draw(22, 0)))).toBe(31);
  });
});

it('a process that starts looks for due students by itself, and again every half minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const unplanned = async () => {
    looks += 1;
    return [];
  };
  const unused = () => Promise.reject(new Error('no student is due'));
  const readings = new DailyReadings({
    store: { listUnplanned: unplanned, plan: unused, due: unused, take: unused },
    dailyReads: [],
    academics: { codeOfCurrentTerm: unused },
    leases: createLeases({ acquire: unused, release: unused }, new ManualClock()),
    clock: new ManualClock(midnight),
    timeZone,
    random: () => 0.5,
    breakersClosed: () => true,
    isQuiet: unused,
    log: silentLog,
    tagOf: () => '',
    observer: { ownReading: () => {} },
  });
  await vi.advanceTimersByTimeAsync(95_000);
  expect(looks).toBe(3);
  await readings.close();
  await vi.advanceTimersByTimeAsync(95_000);
  expect(looks).toBe(3);
});

describe('what is read once a day', () => {
  // No read is made: only which there are is asked.
  const academics = new Proxy({}, { get: () => async () => {} }) as never;
  const namesAt = (has: (capability: string) => boolean) =>
    dailyReadsOf({ capabilities: { has } as never }, academics).map(({ name }) => name);

  it('is what the rows of the reads say, a term of scores where there is no list of the current ones', () => {
    const declared = Object.values(allReads).flatMap(({ name, daily }) => (daily ? [name] : []));
    const all = namesAt(() => true);
    const others = namesAt((capability) => capability !== 'academics.currentScores');
    expect([...new Set([...all, ...others])].toSorted()).toEqual(declared.toSorted());
    expect([all, others]).toEqual([
      ['current-scores', 'exams', 'schedule'],
      ['all-scores', 'exams', 'schedule'],
    ]);
  });

  it('leaves out what the campus does not supply', () => {
    expect(namesAt(() => false)).toEqual([]);
  });
});

it('a student who needs a person, is in trouble or meets an open breaker of sign-ins is not quiet', () => {
  const now = at(10);
  const quiet = (student: Partial<StudentRow>, stored: Partial<BreakerRecord> = {}) => {
    const gateway = { ...emptyGateway, stored: { ...emptyGateway.stored, ...stored } };
    return isQuiet(draftOf({ student: { ...emptyStudent, ...student }, gateway }), { now, perDay: 4 });
  };
  expect(quiet({})).toBe(true);
  expect(quiet({ mark: { at: now, wanted: 'sms', step: 'portal' } })).toBe(false);
  expect(quiet({ troubles: [{ at: now, kind: 'marker', by: 'unattended' }] })).toBe(false);
  expect(quiet({}, { open: { since: now, nextAt: now, by: 'trouble', wanted: null } })).toBe(false);
});
