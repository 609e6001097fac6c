import { describe, expect, it } from 'vitest';
import { msUntilFree, Windows, within } from '../../../../src/lib/limits/window.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

describe('a sliding window', () => {
  it('holds what is younger than it, and nothing that is as old', () => {
    expect(within([0, 1, 500, 1_000], 1_000, 1_000)).toEqual([1, 500, 1_000]);
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

  it('is counted apart for each name, and forgotten when it is over', () => {
    const clock = new ManualClock();
    const windows = new Windows(clock, 60_000);
    windows.count('ann');
    clock.advance(20_000);
    windows.count('ann');
    expect([windows.wait('ann', 2), windows.wait('ann', 3), windows.wait('bob', 1)]).toEqual([40_000, 0, 0]);
    clock.advance(40_000);
    expect([windows.wait('ann', 2), windows.wait('ann', 1)]).toEqual([0, 20_000]);
    clock.advance(20_000);
    expect(windows.wait('ann', 1)).toBe(0);
  });

  it('is forgotten first for the name that was not counted for longest', () => {
    const windows = new Windows(new ManualClock(), 60_000, 2);
    for (const name of ['ann', 'bob', 'ann', 'eve']) windows.count(name);
    expect(['ann', 'bob', 'eve'].map((name) => windows.wait(name, 1))).toEqual([60_000, 0, 60_000]);
  });
});
