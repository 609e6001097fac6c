import { describe, expect, it } from 'vitest';
import { Addresses } from '../../../../src/campus/addresses.ts';
import { Breaker, BreakerScope } from '../../../../src/campus/breaker.ts';
import type { HttpAnswer, NoAnswer, TransportFault } from '../../../../src/campus/http.ts';
import { createSslVpn } from '../../../../src/campus/portal/ssl-vpn.ts';
import { encodeForm, type RequestScope, send } from '../../../../src/campus/session/request-scope.ts';
import { StudentState } from '../../../../src/campus/session/student-state.ts';
import type { Upstream } from '../../../../src/campus/upstreams.ts';
import type { UpstreamOutcome } from '../../../../src/domain/observation.ts';
import { Semaphore } from '../../../../src/lib/semaphore.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { unusedWiring as wiring } from '../../../support/unused-wiring.ts';

const origin = 'http://127.0.0.1:4003';

const page: HttpAnswer = { kind: 'answer', status: 200, location: undefined, setCookies: [], text: 'page' };

/** Five calls in a row that come to this: what each was counted as, and the breaker afterwards. */
const afterFive = async (answer: HttpAnswer | NoAnswer) => {
  const clock = new ManualClock();
  const breaker = new Breaker(clock);
  const addresses = new Addresses(wiring, createSslVpn(wiring));
  const counted: UpstreamOutcome[] = [];
  for (let call = 0; call < 5; call += 1) {
    const breakers = new BreakerScope<Upstream>(new Map([['jwc', breaker]]));
    const scope: RequestScope = {
      campus: {
        http: { send: async () => answer },
        addresses,
        clock,
        attemptMs: 1,
        slowAttemptMs: 1,
        observer: {
          upstream: (_, outcome) => counted.push(outcome),
          upstreamAnswered: () => {},
          guarded: () => {},
          wrongAsk: () => {},
          feedPolled: () => {},
          attempt: () => {},
        },
      },
      state: new StudentState(addresses),
      portalSession: null,
      session: null,
      breakers,
      slots: new Semaphore(1, 1),
      signal: new AbortController().signal,
    };
    await send(scope, 'jwc', { method: 'GET', url: new URL('/', origin) });
    breakers.finish();
  }
  return { counted, state: breaker.state };
};

describe('a request without an answer', () => {
  it.each<[TransportFault, UpstreamOutcome, string]>([
    ['not-sent', 'failed', 'open'],
    ['broken', 'failed', 'open'],
    ['timed-out', 'timed-out', 'open'],
    ['too-large', 'failed', 'open'],
    // Our own crowd says nothing about the upstream.
    ['line-full', 'refused', 'closed'],
  ])('because it was %s is counted as %s, and five leave the breaker %s', async (fault, outcome, state) => {
    const after = await afterFive({ kind: 'no-answer', fault });
    expect(after).toEqual({ counted: Array(5).fill(outcome), state });
  });
});

describe('a request with an answer', () => {
  it('is counted by its reader, who alone can tell what it is worth', async () => {
    expect(await afterFive(page)).toEqual({ counted: [], state: 'closed' });
  });

  it.each([
    [500, 'open'],
    [499, 'closed'],
  ])('of status %i leaves the breaker %s after five', async (status, state) => {
    expect((await afterFive({ ...page, status })).state).toBe(state);
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
