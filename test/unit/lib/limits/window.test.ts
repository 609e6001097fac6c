import { describe, expect, it } from 'vitest';
import { msUntilFree, within } from '../../../../src/lib/limits/window.ts';

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
});
