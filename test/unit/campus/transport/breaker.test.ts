import { describe, expect, it } from 'vitest';
import {
  BreakerScope,
  type BreakerState,
  type CallOutcome,
  CircuitBreaker,
} from '../../../../src/campus/transport/breaker.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** A breaker with a clock in the test's hands. */
const world = () => {
  const clock = new ManualClock();
  const changes: BreakerState[] = [];
  const breaker = new CircuitBreaker(clock, (state) => changes.push(state));
  const report = (students: string, outcome: CallOutcome) => {
    for (const student of students) breaker.report(student, outcome);
  };
  /** Seconds to wait; null: the call may go. */
  const wait = (student: string) => {
    const admission = breaker.admit(student);
    return admission.kind === 'no-answer' ? admission.retryAfterSeconds : null;
  };
  /** A call of one request: `went` or `probed`, or the seconds that it has to wait. */
  const call = (student: string, outcome: CallOutcome | null): number | string => {
    const admission = breaker.admit(student);
    if (admission.kind === 'no-answer') return Number(admission.retryAfterSeconds);
    if (admission.probe === null) {
      if (outcome !== null) breaker.report(student, outcome);
      return 'went';
    }
    breaker.endProbe(student, admission.probe, outcome);
    return 'probed';
  };
  return { clock, breaker, changes, report, wait, call };
};

describe('failures of one student', () => {
  it('pause the calls of that student alone after five in a row', () => {
    const { breaker, report, wait } = world();
    report('aaaa', 'failed');
    expect(wait('a')).toBeNull();
    report('a', 'failed');
    expect([wait('a'), wait('b'), breaker.state, breaker.pausedStudents]).toEqual([2, null, 'closed', 1]);
    report('aaaaaaaaaaaaaaaaaaaa', 'failed');
    expect([wait('b'), breaker.state]).toEqual([null, 'closed']);
  });

  it('pause that student as well when half of ten calls within ten seconds failed', () => {
    const { breaker, call, report, wait } = world();
    for (let round = 0; round < 4; round += 1) {
      report('a', 'failed');
      report('a', 'ok');
    }
    report('a', 'ok');
    expect(wait('a')).toBeNull();
    expect(call('a', 'failed')).toBe('went');
    expect([wait('a'), breaker.state]).toEqual([2, 'closed']);
  });

  it('are counted from zero after a success, and a call without a connection is none of them', () => {
    const { report, wait } = world();
    report('aaaa', 'failed');
    report('a', 'ok');
    report('aaaa', 'failed');
    report('a', 'unreachable');
    expect(wait('a')).toBeNull();
    report('a', 'failed');
    expect(wait('a')).toBe(2);
  });

  it('a good probe ends the pause, a bad one prolongs it to a sixth of the time since it began, ten seconds at most', () => {
    const { clock, call, report, breaker } = world();
    report('aaaaa', 'failed');
    const pauses: number[] = [];
    for (let probe = 0; probe < 20; probe += 1) {
      const seconds = Number(call('a', 'failed'));
      pauses.push(seconds);
      clock.advance(seconds * 1000 - 1);
      expect(call('b', 'ok')).toBe('went');
      clock.advance(1);
      expect(call('a', 'failed')).toBe('probed');
    }
    expect(pauses).toEqual([2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
    clock.advance(10_000);
    expect(call('a', 'ok')).toBe('probed');
    expect([call('a', 'ok'), breaker.pausedStudents]).toEqual(['went', 0]);
  });

  it.each([
    [999, 2],
    [1_000, null],
  ])('are remembered of a thousand students: after %i others the early one waits %s', (others, expected) => {
    const { clock, report, wait, breaker } = world();
    report('aaaa', 'failed');
    for (let student = 0; student < others; student += 1) {
      breaker.report(`late ${student}`, 'failed');
      report('z', 'ok');
      clock.advance(5_000);
    }
    report('a', 'failed');
    expect([wait('a'), breaker.state]).toEqual([expected, 'closed']);
  });
});

describe('the breaker of an upstream', () => {
  it('opens for everybody after five failures in a row, of three students', () => {
    const { report, breaker, wait, changes } = world();
    report('aabbb', 'failed');
    expect(breaker.state).toBe('closed');
    report('c', 'failed');
    expect([breaker.state, wait('d')]).toEqual(['open', 2]);
    expect(changes).toEqual(['open']);
  });

  it.each([
    ['three of six students', 'def', 'open'],
    ['three of seven students', 'defg', 'closed'],
  ])('counts students and not calls: %s fail within ten seconds', (_, good, state) => {
    const { report, breaker } = world();
    for (let call = 0; call < 4; call += 1) report(good, 'ok');
    report('ab', 'failed');
    report(good, 'ok');
    report('c', 'failed');
    expect(breaker.state).toBe(state);
  });

  it('three students who call most of all do not count for more than three', () => {
    const { report, breaker } = world();
    for (let round = 0; round < 20; round += 1) {
      report('aabbcc', 'failed');
      report('defghijk', 'ok');
    }
    // Six failures in a row of three students open it; successes in between would keep it closed.
    expect(breaker.state).toBe('open');
    const other = world();
    for (let round = 0; round < 20; round += 1) {
      for (const [bad, good] of ['ad', 'be', 'cf', 'ag', 'bh', 'ci', 'aj', 'bk'].map((pair) => [...pair])) {
        other.report(bad ?? '', 'failed');
        other.report(good ?? '', 'ok');
      }
    }
    expect(other.breaker.state).toBe('closed');
  });

  it('opens for half of the calls from ten on, and forgets calls after ten seconds', () => {
    const { clock, report, breaker } = world();
    report('dd', 'ok');
    for (const student of 'abcabc') {
      report(student, 'failed');
      report('d', 'ok');
      clock.advance(4_000);
    }
    expect(breaker.state).toBe('closed');
    report('abc', 'failed');
    expect(breaker.state).toBe('closed');
  });

  it('asks again after a sixth of the time since it opened: an outage of 15 s costs less than 18', () => {
    const { clock, call, report } = world();
    report('abcab', 'failed');
    const began = clock.monotonic();
    const probes: number[] = [];
    for (let second = 0; second < 60; second += 0.5) {
      const isDown = clock.monotonic() - began < 15_000;
      const outcome = call(`student ${second}`, isDown ? 'failed' : 'ok');
      if (outcome === 'probed') probes.push((clock.monotonic() - began) / 1000);
      if (outcome === 'went') break;
      clock.advance(500);
    }
    expect(probes).toEqual([2, 4, 6, 8, 10, 12, 14, 16.5]);
  });

  it('prefers the probe of a student who did not fail; after one more pause anybody’s will do', () => {
    const { clock, call, report } = world();
    report('abcab', 'failed');
    clock.advance(2_000);
    expect(call('a', 'ok')).toBe(2);
    expect(call('d', 'failed')).toBe('probed');
    // Now d has failed as well.
    clock.advance(2_000);
    expect([call('a', 'ok'), call('d', 'ok'), call('e', null)]).toEqual([2, 2, 'probed']);
    clock.advance(2_000);
    expect([call('a', 'ok'), call('a', 'ok'), call('d', 'ok')]).toEqual(['probed', 'went', 'went']);
  });

  it('the one who alone failed for want of a connection may probe at once', () => {
    const { clock, call, report } = world();
    report('aaaaa', 'unreachable');
    clock.advance(2_000);
    expect([call('a', 'ok'), call('a', 'ok')]).toEqual(['probed', 'went']);
  });

  it('one probe at a time: a good one lets everybody in at once', () => {
    const { clock, breaker, wait, report, changes } = world();
    report('abcab', 'failed');
    clock.advance(2_000);
    const probe = breaker.admit('d');
    expect(probe).toEqual({ kind: 'go', probe: expect.any(Symbol) });
    expect([wait('e'), breaker.state]).toEqual([3, 'probing']);
    if (probe.kind === 'go' && probe.probe) breaker.endProbe('d', probe.probe, 'ok');
    expect([wait('e'), wait('a'), breaker.state]).toEqual([null, null, 'closed']);
    expect(changes).toEqual(['open', 'probing', 'closed']);
  });

  it('a probe that says nothing makes room at once, one that is late after three seconds', () => {
    const { clock, call, breaker, wait, report } = world();
    report('abcab', 'failed');
    clock.advance(2_000);
    expect(call('d', null)).toBe('probed');
    const late = breaker.admit('e');
    expect(wait('f')).toBe(3);
    clock.advance(3_000);
    const next = breaker.admit('f');
    expect(next).toMatchObject({ kind: 'go', probe: expect.any(Symbol) });
    // The late one failed, but another probe has its place by now.
    if (late.kind === 'go' && late.probe) breaker.endProbe('e', late.probe, 'failed');
    expect([breaker.state, wait('g')]).toEqual(['probing', 3]);
    // A good answer always closes it.
    if (late.kind === 'go' && late.probe) breaker.endProbe('e', late.probe, 'ok');
    expect([breaker.state, wait('g')]).toEqual(['closed', null]);
    if (next.kind === 'go' && next.probe) breaker.endProbe('f', next.probe, 'failed');
    expect(breaker.state).toBe('closed');
  });

  it('a call that was under way when it opened neither opens it again nor closes it', () => {
    const { clock, report, breaker, wait } = world();
    report('abcab', 'failed');
    clock.advance(1_000);
    report('defgh', 'failed');
    report('x', 'ok');
    expect([breaker.state, wait('y')]).toEqual(['open', 1]);
  });

  it('pauses do not depend on the time of day', () => {
    const { clock, report, wait } = world();
    report('abcab', 'failed');
    clock.correct(-172_800_000);
    expect(wait('d')).toBe(2);
    clock.advance(2_000);
    expect(wait('d')).toBeNull();
  });
});

describe('the scope of one call', () => {
  const scoped = (student: string, breaker: CircuitBreaker) => new BreakerScope(new Map([['jwc', breaker]]), student);

  it('counts once, by its last outcome', async () => {
    const { breaker, wait } = world();
    for (let call = 0; call < 4; call += 1) {
      const scope = scoped('a', breaker);
      expect(scope.admit('jwc')).toBeNull();
      scope.note('jwc', 'failed');
      scope.note('jwc', 'failed');
      scope.finish();
    }
    expect(wait('a')).toBeNull();
    const saved = scoped('a', breaker);
    saved.note('jwc', 'failed');
    saved.note('jwc', 'ok');
    saved.finish();
    expect(wait('a')).toBeNull();
    const retracted = scoped('b', breaker);
    for (let failures = 0; failures < 4; failures += 1) breaker.report('b', 'failed');
    retracted.admit('jwc');
    retracted.note('jwc', 'failed');
    retracted.retract('jwc');
    retracted.finish();
    expect(wait('b')).toBeNull();
    breaker.report('b', 'failed');
    expect(wait('b')).toBe(2);
  });

  it('lets a call pass that was admitted once, and says for whom another one is refused', async () => {
    const { breaker, report } = world();
    const early = scoped('a', breaker);
    expect(early.admit('jwc')).toBeNull();
    report('aaaaa', 'failed');
    expect(early.admit('jwc')).toBeNull();
    expect(scoped('a', breaker).admit('jwc')).toEqual({
      kind: 'no-answer',
      fault: 'student-paused',
      retryAfterSeconds: 2,
    });
    report('bcbcb', 'failed');
    expect(scoped('d', breaker).admit('jwc')).toMatchObject({ fault: 'breaker-open' });
    // A paused student is told the reason that holds for everybody.
    expect(scoped('a', breaker).admit('jwc')).toMatchObject({ fault: 'breaker-open' });
  });

  it('sends its first request as a probe, and the others wait for its outcome', async () => {
    const { clock, breaker, report } = world();
    report('abcab', 'failed');
    for (const [outcome, expected] of [
      ['failed', expect.objectContaining({ fault: 'breaker-open' })],
      ['ok', null],
    ] as const) {
      clock.advance(4_000);
      const scope = scoped('d', breaker);
      expect(scope.probeUnderWay('jwc')).toBeUndefined();
      expect(scope.admit('jwc')).toBeNull();
      expect(scope.isProbing('jwc')).toBe(true);
      const underWay = scope.probeUnderWay('jwc');
      expect(underWay).toBeInstanceOf(Promise);
      scope.note('jwc', outcome);
      await underWay;
      expect([scope.isProbing('jwc'), scope.probeUnderWay('jwc')]).toEqual([false, undefined]);
      expect(scope.admit('jwc')).toEqual(expected);
      scope.finish();
    }
    expect(breaker.state).toBe('closed');
  });

  it('does not report at its end what a probe has reported', async () => {
    const { clock, breaker, report, wait } = world();
    report('aaaaa', 'failed');
    clock.advance(2_000);
    const scope = scoped('a', breaker);
    scope.admit('jwc');
    scope.note('jwc', 'ok');
    scope.finish();
    report('aaaa', 'failed');
    expect(wait('a')).toBeNull();
    report('a', 'failed');
    expect(wait('a')).toBe(2);
  });
});
