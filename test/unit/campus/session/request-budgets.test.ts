import { beforeEach, describe, expect, it } from 'vitest';
import { RequestBudgets } from '../../../../src/campus/session/campus-requests.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

let clock: ManualClock;
let budgets: RequestBudgets;
beforeEach(() => {
  clock = new ManualClock();
  budgets = new RequestBudgets(clock);
});

const of = (userid: string, tokenHash?: string) =>
  budgets.of(tokenHash === undefined ? { userid } : { userid, tokenHash });
/** How many of so many requests may leave. */
const sent = (userid: string, tokenHash: string | undefined, wanted: number): number => {
  let left = 0;
  for (let at = 0; at < wanted; at += 1) if (of(userid, tokenHash).take() === 0) left += 1;
  return left;
};

describe('requests of a student at the campus', () => {
  it('are 300 a minute over all tokens, of which one token has 200', () => {
    expect(sent('ann', 'phone', 1_000)).toBe(200);
    expect(sent('ann', 'laptop', 1_000)).toBe(100);
    expect(sent('ann', 'tablet', 1_000)).toBe(0);
    expect(of('ann', 'tablet').waitSeconds()).toBe(60);
  });

  it('of one student are nothing to another', () => {
    sent('ann', 'phone', 1_000);
    expect(sent('bob', 'phone of bob', 1_000)).toBe(200);
  });

  it('of background work are counted apart, 300 a minute as well', () => {
    expect(sent('ann', undefined, 1_000)).toBe(300);
    expect(sent('ann', 'phone', 1_000)).toBe(200);
  });

  it('of a sign-in count, and a sign-in is not broken off', () => {
    const signIn = budgets.ofSignIn('ann');
    for (let at = 0; at < 295; at += 1) expect(signIn.take()).toBe(0);
    expect(sent('ann', 'phone', 10)).toBe(5);
    expect([signIn.waitSeconds(), signIn.take(), of('ann', 'phone').waitSeconds()]).toEqual([0, 0, 60]);
  });

  it('are never more than 300 in any minute, and less is refused for no longer than it must', () => {
    const times: number[] = [];
    for (let at = 0; at < 5 * 60_000; at += 100) {
      for (const token of ['phone', 'laptop']) if (of('ann', token).take() === 0) times.push(at);
      clock.advance(100);
    }
    for (const [index, from] of times.entries())
      expect((times[index + 300] ?? Number.POSITIVE_INFINITY) - from).toBeGreaterThanOrEqual(60_000);
    expect(times.length).toBe(1_500);
  });

  it('say when there will be one more: neither earlier nor later', () => {
    sent('ann', 'phone', 150);
    clock.advance(25_000);
    sent('ann', 'phone', 50);
    const wait = of('ann', 'phone').waitSeconds();
    clock.advance(wait * 1000 - 1);
    expect(of('ann', 'phone').take()).toBe(1);
    clock.advance(1);
    expect(of('ann', 'phone').take()).toBe(0);
  });

  it('do not depend on the time of day', () => {
    sent('ann', 'phone', 200);
    clock.correct(-172_800_000);
    expect(of('ann', 'phone').waitSeconds()).toBe(60);
    clock.advance(60_000);
    expect(sent('ann', 'phone', 1_000)).toBe(200);
  });
});
