import { describe, expect, it } from 'vitest';
import { failures, isFailure } from '../../../src/domain/errors.ts';
import { FairShare } from '../../../src/http/limits/fair-share.ts';

interface TestCall {
  /** `works`, `waits`, or the failure. */
  readonly state: () => string;
  end(): void;
  /** Its time is over, or its client has left; the end follows. */
  interrupt(): void;
}

/** Calls of students `a`, `b` … with tokens `a1`, `a2` …, and what became of them. */
const crowd = () => {
  const shares = new FairShare();
  const calls: TestCall[] = [];
  const enter = (credential: string): TestCall => {
    let state = 'waits';
    const interrupted = Promise.withResolvers<never>();
    interrupted.promise.catch(() => {});
    const ends: Array<(answered: boolean) => void> = [];
    const call: Parameters<FairShare['enter']>[0] = {
      race: (work) => Promise.race([work, interrupted.promise]),
      onEnd: (work) => void ends.push(work),
    };
    try {
      const turn = shares.enter(call, { userid: credential.slice(0, 1), credential });
      if (turn === undefined) state = 'works';
      turn?.then(
        () => {
          state = 'works';
        },
        (error: unknown) => {
          state = isFailure(error) ? error.kind : 'lost';
        },
      );
    } catch (error) {
      if (!isFailure(error)) throw error;
      state = `${error.kind} ${error.retryAfterSeconds}`;
    }
    const made: TestCall = {
      state: () => state,
      end: () => {
        for (const end of ends.splice(0)) end(true);
      },
      interrupt: () => interrupted.reject(failures.timedOut()),
    };
    calls.push(made);
    return made;
  };
  const enterMany = (credential: string, many: number) => Array.from({ length: many }, () => enter(credential));
  return { shares, enter, enterMany, calls };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));
const counted = async (calls: readonly TestCall[]) => {
  await settled();
  const states: Record<string, number> = {};
  for (const call of calls) states[call.state()] = (states[call.state()] ?? 0) + 1;
  return states;
};

describe('the share of one token', () => {
  it('begins in the order of arrival, one for each that ends', async () => {
    const { enterMany } = crowd();
    const calls = enterMany('a1', 19);
    const late = calls.slice(16);
    calls[3]?.end();
    calls[9]?.end();
    await settled();
    expect(late.map(({ state }) => state())).toEqual(['works', 'works', 'waits']);
  });
});

describe('the share of one student', () => {
  it('is 32 calls at work and 128 in the queue over all tokens and feeds', async () => {
    const { enterMany } = crowd();
    const calls = ['a1', 'a2', 'a3', 'a4'].flatMap((token) => enterMany(token, 45));
    expect(await counted(calls)).toEqual({ works: 32, waits: 128, 'rate-limited 1': 20 });
  });

  it('gives a place that becomes free to the token with the fewest calls at work', async () => {
    const { enterMany } = crowd();
    const one = enterMany('a1', 30);
    const two = enterMany('a2', 30);
    const three = enterMany('a3', 3);
    expect(await counted([...one, ...two])).toEqual({ works: 32, waits: 28 });
    expect(await counted(three)).toEqual({ waits: 3 });
    one[0]?.end();
    two[0]?.end();
    one[1]?.end();
    expect(await counted(three)).toEqual({ works: 3 });
    expect(await counted([...one, ...two])).toEqual({ works: 32, waits: 28 });
  });
});

describe('a place', () => {
  it('in the queue of a call that was interrupted goes to the next, and the call never begins', async () => {
    const { enterMany } = crowd();
    const calls = enterMany('a1', 18);
    calls[16]?.interrupt();
    calls[16]?.end();
    calls[0]?.end();
    await settled();
    expect(calls.slice(16).map(({ state }) => state())).toEqual(['timed-out', 'works']);
  });

  it('that a call got when its time had just ended is given on as soon as it is over', async () => {
    const { enterMany } = crowd();
    const calls = enterMany('a1', 18);
    calls[16]?.interrupt();
    calls[0]?.end();
    calls[16]?.end();
    expect(await counted(calls.slice(17))).toEqual({ works: 1 });
  });

  it('is given back by every call, and nothing is remembered of students without any', async () => {
    const { shares, enterMany, calls } = crowd();
    for (const token of ['a1', 'a2', 'a3', 'a4', 'b1']) enterMany(token, 90);
    expect(shares.students).toBe(2);
    while (calls.length > 0) {
      const [call] = calls.splice(Math.floor(calls.length / 2), 1);
      if (calls.length % 3 === 0) call?.interrupt();
      call?.end();
    }
    await settled();
    expect(shares.students).toBe(0);
  });
});

describe('an overloaded service', () => {
  it('turns the callers with most calls at work away first, one with a single call last', () => {
    const { enterMany, enter, shares } = crowd();
    // `c` has one call at work that may be the only one; `z` has none yet.
    const atWork = { e: 16, d: 7, b: 3, c: 1 };
    for (const [student, many] of Object.entries(atWork)) enterMany(`${student}1`, many);
    const turnedAway: string[] = [];
    for (let step = 1; step <= 5; step += 1) {
      shares.narrow();
      for (const student of [...Object.keys(atWork), 'z']) {
        const call = enter(`${student}1`);
        if (call.state() === 'overloaded 10') turnedAway.push(`${step} ${student}`);
        call.end();
      }
    }
    expect(turnedAway).toEqual([
      ...['1 e', '2 e', '2 d', '3 e', '3 d', '3 b', '4 e', '4 d', '4 b', '4 c'],
      ...['5 e', '5 d', '5 b', '5 c', '5 z'],
    ]);
  });

  it('keeps out strangers alone at first where no student has more than a call', () => {
    const { enter, shares } = crowd();
    const states = [1, 2].map(() => {
      shares.narrow();
      const call = enter('z1');
      call.end();
      return [call.state(), shares.isClosed];
    });
    expect(states).toEqual([
      ['works', false],
      ['overloaded 10', true],
    ]);
  });
});
