import { describe, expect, it } from 'vitest';
import { Breaker, BreakerOpen, BreakerScope } from '../../../src/campus/breaker.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const failing = (breaker: Breaker, times: number) => {
  for (let i = 0; i < times; i += 1) breaker.report(true);
};

describe('breaker', () => {
  it('opens after five failures in a row and says when to come back', () => {
    const breaker = new Breaker(new ManualClock());
    failing(breaker, 4);
    breaker.admit();
    breaker.report(true);
    expect(() => breaker.admit()).toThrow(BreakerOpen);
    try {
      breaker.admit();
    } catch (error) {
      expect(error).toMatchObject({ retryAfterSeconds: 30 });
    }
  });

  it('a success in between starts the count anew', () => {
    const breaker = new Breaker(new ManualClock());
    failing(breaker, 4);
    breaker.report(false);
    failing(breaker, 4);
    expect(breaker.state).toBe('closed');
  });

  it('opens when half of at least ten calls within ten seconds failed', () => {
    const breaker = new Breaker(new ManualClock());
    for (let i = 0; i < 9; i += 1) breaker.report(i % 2 === 0);
    expect(breaker.state).toBe('closed');
    breaker.report(true);
    expect(breaker.state).toBe('open');
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
    breaker.admit();
    expect(() => breaker.admit()).toThrow(BreakerOpen);
    breaker.report(false);
    breaker.admit();
    expect(breaker.state).toBe('closed');
  });

  it('doubles the pause while probes fail, up to 300 s', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    failing(breaker, 5);
    const pauses: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      try {
        breaker.admit();
      } catch (error) {
        if (error instanceof BreakerOpen) pauses.push(error.retryAfterSeconds);
      }
      clock.advance((pauses.at(-1) ?? 0) * 1000);
      breaker.admit();
      breaker.report(true);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
  });

  it('a probe that never reports does not keep the door shut', () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    failing(breaker, 5);
    clock.advance(30_000);
    breaker.admit();
    clock.advance(30_000);
    breaker.admit();
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
