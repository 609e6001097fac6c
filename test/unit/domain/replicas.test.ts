import { expect, it, vi } from 'vitest';
import { silentLog } from '../../../src/domain/context.ts';
import { announceReplica, clocksApart, REPLICA_LIFE_MS, type Replica } from '../../../src/domain/replicas.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const at = (name: string, clockAhead: number | null): Replica => ({ name, clockAhead });
const settled = () => new Promise((resolve) => setImmediate(resolve));

it.each<[string, Replica[], string[]]>([
  ['alone', [at('a', 60_000)], []],
  ['none compared yet', [at('a', null), at('b', null)], []],
  ['five seconds', [at('a', -2_000), at('b', 3_000)], []],
  ['more', [at('a', -2_000), at('b', 3_001), at('c', 0)], ['a -2 s', 'b +3 s']],
  ['one of three', [at('a', 172_800_000), at('b', 0), at('c', null)], ['a +172800 s', 'b +0 s']],
])('clocks that are apart are named with their replicas: %s', (_name, replicas, named) => {
  expect(clocksApart(replicas)).toEqual(named);
});

/** A database of which the time is that of its own clock. */
const database = () => {
  const time = new ManualClock();
  const rows = new Map<string, Replica & { until: number }>();
  const store = {
    slowMs: 0,
    failing: false,
    time: async () => {
      if (store.failing) throw new Error('no answer');
      return time.now();
    },
    announce: async ({ id, ...replica }: Replica & { id: string }, _now: number, lifeMs: number) =>
      void rows.set(id, { ...replica, until: time.now() + lifeMs }),
    withdraw: async (id: string) => void rows.delete(id),
    live: async () => [...rows.values()].filter(({ until }) => until > time.now()),
  };
  return { time, store };
};

it('a replica is announced while it runs, and replicas warn once when their clocks part', async () => {
  const { time, store } = database();
  const [right, ahead] = [new ManualClock(), new ManualClock(new ManualClock().now() + 12_000)];
  const warn = vi.fn();
  const log = { ...silentLog, warn };
  const one = await announceReplica('one', store, { clock: right, log });
  expect([(await store.live()).length, one.clocksApart()]).toEqual([1, []]);
  const two = await announceReplica('two', store, { clock: ahead, log: silentLog });
  expect(two.clocksApart()).toEqual(['one +0 s', 'two +12 s']);
  for (let beat = 0; beat < 3; beat += 1) {
    for (const clock of [time, right, ahead]) clock.advance(REPLICA_LIFE_MS / 3);
    await settled();
  }
  expect(one.clocksApart()).toEqual(['one +0 s', 'two +12 s']);
  expect(warn.mock.calls).toEqual([[{ replicas: ['one +0 s', 'two +12 s'] }, 'clocks of replicas are apart']]);
  await two.close();
  right.advance(REPLICA_LIFE_MS / 3);
  await settled();
  expect(one.clocksApart()).toEqual([]);
  await one.close();
  expect([await store.live(), right.waiting]).toEqual([[], 0]);
});

it('a replica that was killed is there until its life is over, and a database that does not answer ends nothing', async () => {
  const { time, store } = database();
  const clock = new ManualClock();
  const replica = await announceReplica('killed', store, { clock, log: silentLog });
  store.failing = true;
  clock.advance(REPLICA_LIFE_MS / 3);
  await settled();
  time.advance(REPLICA_LIFE_MS - 1);
  expect(await store.live()).toHaveLength(1);
  time.advance(1);
  expect(await store.live()).toEqual([]);
  store.failing = false;
  clock.advance(REPLICA_LIFE_MS / 3);
  await settled();
  expect(await store.live()).toHaveLength(1);
  await replica.close();
});
