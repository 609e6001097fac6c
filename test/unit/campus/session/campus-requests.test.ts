import { describe, expect, it } from 'vitest';
import {
  type CampusDeps,
  CampusRequests,
  encodeForm,
  type RequestBudget,
  unlimitedBudget,
} from '../../../../src/campus/session/campus-requests.ts';
import { StudentState } from '../../../../src/campus/session/student-state.ts';
import { BreakerScope, CircuitBreaker } from '../../../../src/campus/transport/breaker.ts';
import type { HttpAnswer, Unanswered } from '../../../../src/campus/transport/http.ts';
import { createRelay, type UpstreamOutcome } from '../../../../src/domain/observation.ts';
import { Semaphore } from '../../../../src/lib/queues.ts';
import { addressesOf } from '../../../support/addresses-of.ts';
import { recordingLog } from '../../../support/campus-rig.ts';
import { inlinePages } from '../../../support/inline-pages.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { unusedWiring as wiring } from '../../../support/unused-wiring.ts';

const origin = 'http://127.0.0.1:4003';

const page: HttpAnswer = { kind: 'answer', status: 200, location: undefined, setCookies: [], text: 'page' };

const ATTEMPT_MS = 12_000;
const SLOW_ATTEMPT_MS = 25_000;

const world = () => {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker(clock);
  const addresses = addressesOf(wiring);
  const counted: UpstreamOutcome[] = [];
  /** Time that each request was given. */
  const given: number[] = [];
  /** A call of one request, by default of the first student. */
  const call = async (
    answer: HttpAnswer | Unanswered | Error,
    request: { slow?: boolean; write?: boolean } = {},
    student = 'first',
    budget: RequestBudget = unlimitedBudget,
    inQueue: () => void = () => {},
  ) => {
    const breakers = new BreakerScope(new Map([['jwc', breaker]]), student);
    const campus: CampusDeps = {
      http: {
        send: async ({ attemptMs, refusal }) => {
          given.push(attemptMs);
          inQueue();
          const refused = refusal?.();
          if (refused) return refused;
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
      addresses,
      clock,
      attemptMs: ATTEMPT_MS,
      slowAttemptMs: SLOW_ATTEMPT_MS,
      pages: inlinePages,
      oddities: { isNew: () => true },
      log: recordingLog(),
      tagOf: String,
      observer: Object.assign(createRelay({ upstream: () => {} }).relay, {
        upstream: (_: string, outcome: UpstreamOutcome) => counted.push(outcome),
      }),
    };
    const requests = new CampusRequests(campus, new StudentState(addresses), {
      breakers,
      budget,
      slots: new Semaphore(1, 1),
      signal: new AbortController().signal,
    });
    try {
      return await requests.send('jwc', { method: 'GET', url: new URL('/', origin), ...request });
    } finally {
      breakers.finish();
    }
  };
  return { clock, breaker, counted, given, call };
};

/** Five calls of one student in a row that end so: how each was counted, and who has to wait afterwards. */
const afterFive = async (answer: HttpAnswer | Unanswered) => {
  const { breaker, counted, call } = world();
  for (let calls = 0; calls < 5; calls += 1) await call(answer);
  const state = breaker.state === 'open' ? 'everybody' : breaker.pausedStudents === 1 ? 'the student' : 'nobody';
  return { counted, state };
};

describe('a request without an answer', () => {
  it.each<[Unanswered['fault'], UpstreamOutcome, string]>([
    ['not-sent', 'failed', 'everybody'],
    ['broken', 'failed', 'the student'],
    ['timed-out', 'timed-out', 'the student'],
    ['too-large', 'failed', 'the student'],
    // Our own crowd says nothing about the upstream.
    ['line-full', 'refused', 'nobody'],
  ])('because it was %s is counted as %s, and after five %s has to wait', async (fault, outcome, state) => {
    const after = await afterFive({ kind: 'no-answer', fault });
    expect(after).toEqual({ counted: Array(5).fill(outcome), state });
  });
});

describe('a request with an answer', () => {
  it('is counted by its reader, who alone can judge it', async () => {
    expect(await afterFive(page)).toEqual({ counted: [], state: 'nobody' });
  });

  it.each([
    [500, 'the student'],
    [499, 'nobody'],
  ])('of status %i: after five %s has to wait', async (status, state) => {
    expect((await afterFive({ ...page, status })).state).toBe(state);
  });
});

it('a request that waited in the queue while the upstream was found to be down is not sent', async () => {
  const { breaker, call } = world();
  const openBreaker = () => ['1', '2', '3', '1', '2'].forEach((student) => void breaker.report(student, 'failed'));
  const waited = await call(page, {}, 'another', unlimitedBudget, openBreaker);
  expect([waited, breaker.state]).toEqual([{ kind: 'no-answer', fault: 'breaker-open', retryAfterSeconds: 2 }, 'open']);
});

describe('a probe', () => {
  const opened = async () => {
    const made = world();
    for (const student of ['1', '2', '3', '1', '2']) await made.call({ ...page, status: 500 }, {}, student);
    expect(made.breaker.state).toBe('open');
    made.given.length = 0;
    return made;
  };

  it('has three seconds', async () => {
    const { clock, breaker, given, call } = await opened();
    clock.advance(2_000);
    expect(await call({ kind: 'no-answer', fault: 'timed-out' })).toMatchObject({ fault: 'timed-out' });
    expect(await call(page, {}, 'second')).toMatchObject({ fault: 'breaker-open', retryAfterSeconds: 2 });
    clock.advance(2_000);
    expect(await call(page, {}, 'second')).toEqual(page);
    expect(breaker.state).toBe('closed');
    await call(page);
    expect(given).toEqual([3_000, 3_000, ATTEMPT_MS]);
  });

  it.each([
    [{ slow: true }, SLOW_ATTEMPT_MS],
    [{ write: true }, ATTEMPT_MS],
  ])('%o keeps its time, because it is slow or would be left half done', async (request, ms) => {
    const { clock, given, call } = await opened();
    clock.advance(2_000);
    await call(page, request);
    expect(given).toEqual([ms]);
  });

  it.each<[string, HttpAnswer | Unanswered | Error]>([
    ['left by its caller', new Error('left')],
    ['not sent, because our own queue was full', { kind: 'no-answer', fault: 'line-full' }],
  ])('%s makes room for the next one', async (_, answer) => {
    const { clock, breaker, call } = await opened();
    clock.advance(2_000);
    await call(answer).catch(() => {});
    expect(await call(page, {}, 'second')).toEqual(page);
    expect(breaker.state).toBe('closed');
  });
});

describe('a request over its budget', () => {
  const spent: RequestBudget = { waitSeconds: () => 7, take: () => 7 };

  it('is not sent, says nothing of the upstream, and does not hold the place of a probe', async () => {
    const { clock, breaker, counted, given, call } = world();
    expect(await call(page, {}, 'first', spent)).toEqual({
      kind: 'no-answer',
      fault: 'budget-spent',
      retryAfterSeconds: 7,
    });
    expect([given, counted]).toEqual([[], ['refused']]);
    for (const student of ['1', '2', '3', '1', '2']) await call({ ...page, status: 500 }, {}, student);
    clock.advance(2_000);
    expect(await call(page, {}, 'first', spent)).toMatchObject({ fault: 'budget-spent' });
    expect(await call(page, {}, 'second')).toEqual(page);
    expect(breaker.state).toBe('closed');
  });
});

describe('forms', () => {
  it('escape what base64 and passwords contain, in order', () => {
    expect(
      encodeForm([
        ['password', 'rG+/==&%'],
        ['lt', '票'],
      ]),
    ).toBe('password=rG%2B%2F%3D%3D%26%25&lt=%E7%A5%A8');
  });
});
