import { expect, it, onTestFinished } from 'vitest';
import { Loop } from '../../../src/lib/loop.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

const start = (body: (round: number) => Promise<number | undefined>, more: { readonly afterMs?: number } = {}) => {
  const clock = new ManualClock();
  const said: string[] = [];
  const log = { warn: (_fields: object, message: string) => void said.push(message) };
  const rounds = { begun: 0 };
  const loop = new Loop({
    ...{ failed: 'not done', everyMs: 1_000, clock, log, ...more },
    body: () => {
      rounds.begun += 1;
      return body(rounds.begun);
    },
  });
  onTestFinished(() => loop.close());
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settled();
    return rounds.begun;
  };
  return { clock, loop, pass, rounds, said };
};

it('rounds follow at regular times, the first one at once or after a while', async () => {
  const { pass } = start(async () => undefined);
  expect([await pass(0), await pass(999), await pass(1)]).toEqual([1, 1, 2]);
  const late = start(async () => undefined, { afterMs: 500 });
  expect([await late.pass(499), await late.pass(1), await late.pass(999), await late.pass(1)]).toEqual([0, 1, 1, 2]);
});

it('a round says how long the pause after it is, and a wake-up ends it', async () => {
  const { loop, pass } = start(async (round) => (round === 1 ? 5_000 : undefined));
  expect([await pass(0), await pass(4_999)]).toEqual([1, 1]);
  loop.wake();
  expect([await pass(0), await pass(1_000)]).toEqual([2, 3]);
});

it('one round runs at a time, and one that is wanted during it follows at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { loop, pass } = start(async (round) => {
    if (round === 1) await promise;
    return undefined;
  });
  await settled();
  loop.wake();
  loop.wake();
  expect(await pass(10_000)).toBe(1);
  resolve();
  expect(await pass(0)).toBe(2);
  expect(await pass(999)).toBe(2);
});

it('trouble is logged once until a round succeeds, and no wake-up repeats a failed round', async () => {
  const works = new Set([3]);
  const { loop, pass, said } = start(
    async (round) => {
      if (works.has(round)) return undefined;
      loop.wake();
      throw new Error('no answer');
    },
    { afterMs: 1 },
  );
  expect([await pass(1), await pass(0)]).toEqual([1, 1]);
  await pass(1_000);
  expect(said).toEqual(['not done']);
  await pass(1_000);
  await pass(1_000);
  expect(said).toEqual(['not done', 'not done']);
});

it('closing waits for the round under way, also one that fails, and begins no other', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const { clock, loop, pass, rounds } = start(() => promise);
  await settled();
  let isClosed = false;
  const closing = loop.close().then(() => {
    isClosed = true;
  });
  await settled();
  expect([isClosed, loop.signal.aborted]).toEqual([false, true]);
  reject(new Error('ended'));
  await closing;
  expect([await pass(10_000), rounds.begun, clock.waiting]).toEqual([1, 1, 0]);
});
