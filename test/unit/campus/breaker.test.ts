import { describe, expect, it } from 'vitest';
import { Breaker, BreakerScope } from '../../../src/campus/breaker.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const failing = (breaker: Breaker, times: number) => {
  for (let i = 0; i < times; i += 1) breaker.report(true);
};

describe('breaker', () => {
  it('opens after five failures in a row and says when to come back', () => {
    const breaker = new Breaker(new ManualClock());
    failing(breaker, 4);
    expect(breaker.admit()).toBeNull();
    breaker.report(true);
    expect(breaker.admit()).toBe(30);
  });

  it('a success in between starts the count anew', () => {
    const breaker = new Breaker(new ManualClock());
    failing(breaker, 4);
    breaker.report(false);
    failing(breaker, 4);
    expect(breaker.state).toBe('closed');
  });

  it.each([
    ['five of ten', [false, true, false, true, false, true, false, true, false, true], 'open'],
    ['four of ten', [true, false, true, false, true, false, true, false, false, false], 'closed'],
    ['five of eleven', [false, true, false, true, false, false, true, false, true, false, true], 'closed'],
    ['five of nine', [true, false, true, false, true, false, true, false, true], 'closed'],
    ['six of eleven', [false, true, false, true, false, false, true, false, true, true, true], 'open'],
  ])('with %s calls failed within ten seconds, half is what counts, from ten calls on', (_, outcomes, state) => {
    const breaker = new Breaker(new ManualClock());
    for (const failed of outcomes) breaker.report(failed);
    expect(breaker.state).toBe(state);
  });

  it('forgets calls older than ten seconds', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    for (let i = 0; i < 8; i += 1) breaker.report(i % 2 === 0);
    clock.advance(10_001);
    breaker.report(true);
    breaker.report(false);
    expect(breaker.state).toBe('closed');
  });

  it('lets one probe through after the pause, and closes when it succeeds', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    failing(breaker, 5);
    clock.advance(30_000);
    expect(breaker.admit()).toBeNull();
    expect(breaker.admit()).not.toBeNull();
    breaker.report(false);
    expect(breaker.admit()).toBeNull();
    expect(breaker.state).toBe('closed');
  });

  it('doubles the pause while probes fail, up to 300 s', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    failing(breaker, 5);
    const pauses: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      pauses.push(breaker.admit() ?? 0);
      clock.advance((pauses.at(-1) ?? 0) * 1000);
      expect(breaker.admit()).toBeNull();
      breaker.report(true);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
  });

  it('a probe that never reports does not keep the door shut', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    failing(breaker, 5);
    clock.advance(30_000);
    expect(breaker.admit()).toBeNull();
    clock.advance(30_000);
    expect(breaker.admit()).toBeNull();
    expect(breaker.state).toBe('probing');
  });
});

describe('breaker scope', () => {
  it('counts a call once, by its last outcome', () => {
    const breaker = new Breaker(new ManualClock());
    const breakers = new Map([['jwc', breaker]]);
    for (let call = 0; call < 4; call += 1) {
      const scope = new BreakerScope(breakers);
      scope.admit('jwc');
      scope.note('jwc', true);
      scope.note('jwc', true);
      scope.finish();
    }
    expect(breaker.state).toBe('closed');
    const saved = new BreakerScope(breakers);
    saved.note('jwc', true);
    saved.note('jwc', false);
    saved.finish();
    failing(breaker, 4);
    expect(breaker.state).toBe('closed');
  });

  it('says nothing about an upstream it did not ask', () => {
    const breaker = new Breaker(new ManualClock());
    failing(breaker, 4);
    new BreakerScope(new Map([['jwc', breaker]])).finish();
    breaker.report(true);
    expect(breaker.state).toBe('open');
  });
});
