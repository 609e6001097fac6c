import { beforeEach, expect, it, vi } from 'vitest';
import { failures } from '../../../src/domain/errors.ts';
import { createLeases, holdLease, type LeaseOptions, type Leases, takeTurn } from '../../../src/domain/lease.ts';
import { type AccountStores, openAccountStores } from '../../support/account-stores.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
let storage: AccountStores;
beforeEach(async () => {
  storage = await openAccountStores();
  clock = storage.clock;
});

const replica = () => createLeases(storage.leases, clock);
const options = <T>(more: Partial<LeaseOptions<T>> = {}): LeaseOptions<T> => ({
  name: 'work:1',
  lifeMs: 9_000,
  signal: new AbortController().signal,
  ...more,
});
const withLease = async <T>(leases: Leases, wanted: LeaseOptions<T>, work: (lost: AbortSignal) => Promise<T>) => {
  await using lease = await holdLease(leases, wanted);
  return lease.done === undefined ? await work(lease.lost) : lease.done;
};
const held = () => storage.rows('leases').find(({ name }) => name === 'work:1');
/** Everything that needs no time has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('works of one name run one after the other, over replicas too', async () => {
  const running: string[] = [];
  let most = 0;
  const work = (who: string) => async () => {
    running.push(who);
    most = Math.max(most, running.length);
    await settled();
    running.splice(running.indexOf(who), 1);
    return who;
  };
  const [one, two] = [replica(), replica()];
  const all = ['a', 'b', 'c', 'd'].map((who, at) => withLease(at % 2 ? one : two, options(), work(who)));
  const over = Promise.all(all);
  for (let round = 0; round < 40; round += 1) {
    await settled();
    clock.advance(150);
  }
  expect([await over, most, held()]).toEqual([['a', 'b', 'c', 'd'], 1, undefined]);
});

it('a waiter of the same process asks storage nothing until the one before it is through', async () => {
  const leases = replica();
  const first = Promise.withResolvers<string>();
  const calls = [withLease(leases, options(), () => first.promise), withLease(leases, options(), async () => 'second')];
  await settled();
  clock.advance(1_000);
  await settled();
  expect(storage.calls).toEqual(['leases.acquire']);
  first.resolve('first');
  expect(await Promise.all(calls)).toEqual(['first', 'second']);
});

it('the result of another replica is answered instead of the work', async () => {
  await storage.leases.acquire('work:1', 'another', clock.now(), 60_000);
  const answers = [undefined, 'theirs'];
  const work = vi.fn(async () => 'ours');
  const call = withLease(replica(), options({ doneMeanwhile: async () => answers.shift() }), work);
  for (const _ of answers) {
    await settled();
    clock.advance(150);
  }
  expect(await call).toBe('theirs');
  expect(work).not.toHaveBeenCalled();
  expect(held()).toMatchObject({ owner: 'another' });
});

it('what was done before the lease was taken makes the work needless, and the lease is given back', async () => {
  const work = vi.fn(async () => 'ours');
  expect(await withLease(replica(), options({ doneMeanwhile: async () => 'theirs' }), work)).toBe('theirs');
  expect([work.mock.calls, held()]).toEqual([[], undefined]);
});

it('a caller that will not wait is refused at once, by its own process too', async () => {
  const whenHeld = () => failures.roomRefreshRunning();
  const leases = replica();
  const first = Promise.withResolvers<string>();
  const running = withLease(leases, options({ whenHeld }), () => first.promise);
  await settled();
  for (const from of [leases, replica()]) {
    await expect(withLease(from, options({ whenHeld }), async () => 'second')).rejects.toThrow(whenHeld());
  }
  first.resolve('first');
  expect(await running).toBe('first');
});

it('a caller that leaves stops waiting and never works', async () => {
  await storage.leases.acquire('work:1', 'another', clock.now(), 60_000);
  const caller = new AbortController();
  const work = vi.fn(async () => 'ours');
  const call = withLease(replica(), options({ signal: caller.signal }), work);
  await settled();
  caller.abort(failures.clientGone());
  await expect(call).rejects.toMatchObject({ kind: 'client-gone' });
  expect([work.mock.calls, clock.waiting]).toEqual([[], 0]);
});

it('a caller that leaves while storage gives it the lease leaves none behind', async () => {
  const caller = new AbortController();
  const { acquire } = storage.leases;
  vi.spyOn(storage.leases, 'acquire').mockImplementationOnce(async (...lease) => {
    const isHeld = await acquire(...lease);
    caller.abort(failures.clientGone());
    return isHeld;
  });
  const work = vi.fn(async () => 'ours');
  await expect(withLease(replica(), options({ signal: caller.signal }), work)).rejects.toMatchObject({
    kind: 'client-gone',
  });
  expect([work.mock.calls, held()]).toEqual([[], undefined]);
});

it('the lease is prolonged while the work runs, and no longer', async () => {
  const work = Promise.withResolvers<string>();
  const call = withLease(replica(), options(), () => work.promise);
  await settled();
  for (let round = 0; round < 10; round += 1) {
    clock.advance(3_000);
    await settled();
    expect(await storage.leases.acquire('work:1', 'another', clock.now(), 1_000)).toBe(false);
  }
  work.resolve('done');
  expect(await call).toBe('done');
  expect([held(), clock.waiting]).toEqual([undefined, 0]);
});

it('the lease of a process that died is taken when its life is over', async () => {
  await storage.leases.acquire('work:1', 'dead', clock.now(), 9_000);
  const call = withLease(replica(), options({ pollMs: 1_000 }), async () => clock.now());
  const died = clock.now();
  for (let round = 0; round < 9; round += 1) {
    await settled();
    clock.advance(1_000);
  }
  expect(await call).toBe(died + 9_000);
});

it('work whose lease was taken over is told, and does not end the new holder’s', async () => {
  const end = Promise.withResolvers<string>();
  const told = vi.fn();
  const call = withLease(replica(), options(), (lost) => {
    lost.addEventListener('abort', told);
    return end.promise;
  });
  await settled();
  storage.execute("update leases set owner = 'another'");
  clock.advance(3_000);
  await settled();
  expect(told).toHaveBeenCalledTimes(1);
  end.resolve('late');
  expect(await call).toBe('late');
  expect(held()).toMatchObject({ owner: 'another' });
});

it('work that fails gives the lease back, and its failure is the answer even if storage fails then', async () => {
  const broken = failures.upstreamEmpty(undefined);
  await expect(withLease(replica(), options(), () => Promise.reject(broken))).rejects.toBe(broken);
  expect(held()).toBeUndefined();
  storage.broken.add('leases.release');
  await expect(withLease(replica(), options(), () => Promise.reject(broken))).rejects.toBe(broken);
});

it('without storage nothing is done', async () => {
  storage.broken.add('leases.acquire');
  const work = vi.fn(async () => 'ours');
  await expect(withLease(replica(), options(), work)).rejects.toMatchObject({ kind: 'storage-failed' });
  expect(work).not.toHaveBeenCalled();
});

it('a turn is taken once within its pause, over replicas', async () => {
  const [one, two] = [replica(), replica()];
  expect([await takeTurn(one, 'turn:1', 3_000), await takeTurn(two, 'turn:1', 3_000)]).toEqual([true, false]);
  clock.advance(3_000);
  expect(await takeTurn(two, 'turn:1', 3_000)).toBe(true);
});
