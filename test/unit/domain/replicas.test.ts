import { expect, it } from 'vitest';
import { silentLog } from '../../../src/domain/context.ts';
import { AnnouncedReplica, REPLICA_LIFE_MS, type ReplicaStore } from '../../../src/domain/replicas.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

const database = () => {
  const rows = new Map<string, string>();
  let isFailing = false;
  return {
    fail: (fails: boolean) => {
      isFailing = fails;
    },
    announce: async ({ id, name }: { readonly id: string; readonly name: string }) => {
      if (isFailing) throw new Error('no answer');
      rows.set(id, name);
    },
    withdraw: async (id: string) => void rows.delete(id),
    live: async () => [...rows.values()],
  };
};

const announce = async (name: string, store: ReplicaStore, clock: ManualClock, log = silentLog) => {
  const replica = new AnnouncedReplica(name, { store, clock, log });
  await replica.start();
  return replica;
};

it('a replica is announced while it runs, and knows within ten seconds whether it is alone', async () => {
  const store = database();
  const clock = new ManualClock();
  const one = await announce('one', store, clock);
  expect([await store.live(), one.isAlone]).toEqual([['one'], true]);
  const two = await announce('two', store, clock);
  expect([one.isAlone, two.isAlone]).toEqual([true, false]);
  clock.advance(REPLICA_LIFE_MS / 3);
  await settled();
  expect(one.isAlone).toBe(false);
  await two.close();
  clock.advance(REPLICA_LIFE_MS / 3);
  await settled();
  expect(one.isAlone).toBe(true);
  await one.close();
  expect([await store.live(), clock.waiting]).toEqual([[], 0]);
});

it('a replica that cannot be announced logs it and tries again', async () => {
  const store = database();
  const clock = new ManualClock();
  const said: string[] = [];
  store.fail(true);
  const log = { ...silentLog, warn: (_fields: object, message: string) => void said.push(message) };
  const one = await announce('one', store, clock, log);
  await settled();
  expect([said, one.isAlone]).toEqual([['replica not announced'], false]);
  store.fail(false);
  clock.advance(REPLICA_LIFE_MS / 3);
  await settled();
  expect(one.isAlone).toBe(true);
  await one.close();
});
