import { describe, expect, it } from 'vitest';
import type { LeaseStore } from '../../../src/domain/lease.ts';
import { type LimitRow, limits, msUntilFree, takeStored, WindowCounter } from '../../../src/domain/limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const row = (most: number): LimitRow => ({ ...limits.feedPolls, most, windowMs: 60_000 });
const refused = { kind: 'rate-limited', reason: limits.feedPolls.reason };

describe('the counter of a process', () => {
  it('counts each name apart, in a window that slides', () => {
    const clock = new ManualClock();
    const counter = new WindowCounter(clock, row(2));
    counter.take('ann');
    clock.advance(20_000);
    counter.take('ann');
    expect([counter.wait('ann'), counter.wait('bob')]).toEqual([40_000, 0]);
    expect(() => counter.take('ann')).toThrow(expect.objectContaining({ ...refused, retryAfterSeconds: 40 }));
    clock.advance(40_000);
    counter.take('ann');
    expect(counter.wait('ann')).toBe(20_000);
    clock.advance(60_000);
    expect(counter.wait('ann')).toBe(0);
  });

  it('admits as many in every minute of a day, and holds no more moments than a minute has', () => {
    const clock = new ManualClock();
    const counter = new WindowCounter(clock, row(100));
    const admitted: number[] = [];
    for (let second = 0; second < 1_440; second += 1) {
      for (let one = 0; one < 5; one += 1) {
        if (counter.wait('ann') > 0) continue;
        counter.count('ann');
        admitted.push(clock.monotonic());
      }
      clock.advance(1_000);
    }
    for (const [index, at] of admitted.entries())
      expect((admitted[index + 100] ?? Number.POSITIVE_INFINITY) - at >= 60_000).toBe(true);
    expect(admitted.length).toBe(2_400);
  });

  it('forgets the name first that was not counted for longest', () => {
    const counter = new WindowCounter(new ManualClock(), row(1), 1, 2);
    for (const name of ['ann', 'bob', 'ann', 'eve']) counter.count(name);
    expect(['ann', 'bob', 'eve'].map((name) => counter.wait(name))).toEqual([60_000, 0, 60_000]);
  });
});

describe('the stored counter', () => {
  it('takes a lease for each, under the names that a former release takes', async () => {
    const taken: string[] = [];
    const store: LeaseStore = {
      acquire: async (name) => {
        if (taken.includes(String(name))) return false;
        taken.push(String(name));
        return true;
      },
      release: async () => {},
    };
    const leases = { store, clock: new ManualClock() };
    await takeStored(leases, limits.exports, '7');
    await expect(takeStored(leases, limits.exports, '7')).rejects.toMatchObject({ retryAfterSeconds: 600 });
    for (let test = 1; test <= 10; test += 1) await takeStored(leases, limits.hookTests, '7');
    await expect(takeStored(leases, limits.hookTests, '7')).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
    expect(taken).toEqual(['export:7', ...Array.from({ length: 10 }, (_, index) => `hook-asked-${index + 1}:7`)]);
  });
});

describe('a sliding window', () => {
  it('holds what is younger than it, and nothing that is as old', () => {
    const one = { most: 1, windowMs: 1_000 };
    expect([0, 1, 500, 1_000].map((at) => msUntilFree([at], one, 1_000))).toEqual([0, 1, 500, 1_000]);
  });

  it('has room again when so many have left that one fewer than the most remain', () => {
    const limit = { most: 2, windowMs: 1_000 };
    expect(msUntilFree([100], limit, 300)).toBe(0);
    expect(msUntilFree([100, 200], limit, 300)).toBe(800);
    expect(msUntilFree([100, 200, 250], limit, 300)).toBe(900);
    expect(msUntilFree([250, 100, 200], limit, 300)).toBe(900);
    expect(msUntilFree([100, 200], limit, 1_100)).toBe(0);
  });

  it('keeps nothing waiting for longer than it lasts, also after the clock was set back', () => {
    expect(msUntilFree([90_000], { most: 1, windowMs: 1_000 }, 10)).toBe(1_000);
  });
});
