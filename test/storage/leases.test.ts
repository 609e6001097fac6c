import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases, registered, someHash, start } from './databases.ts';

onBothDatabases('leases', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  it('one of many replicas gets the lease', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = someHash();
      const got = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          (at % 2 ? storage : replica).leases.acquire(name, `owner ${at}`, start, 1_000),
        ),
      );
      expect(got.filter((is) => is)).toHaveLength(1);
    }
  });

  it('the holder prolongs its lease, nobody else does', async () => {
    const name = someHash();
    expect(await storage.leases.acquire(name, 'one', start, 1_000)).toBe(true);
    expect(await replica.leases.acquire(name, 'two', start + 999, 1_000)).toBe(false);
    expect(await storage.leases.acquire(name, 'one', start + 999, 1_000)).toBe(true);
    expect(await replica.leases.acquire(name, 'two', start + 1_000, 1_000)).toBe(false);
  });

  it('a lease that is not released ends by itself', async () => {
    const name = someHash();
    await storage.leases.acquire(name, 'one', start, 1_000);
    expect(await replica.leases.acquire(name, 'two', start + 1_000, 1_000)).toBe(true);
    expect(await storage.leases.acquire(name, 'one', start + 1_000, 1_000)).toBe(false);
  });

  it('a life with fractions of a millisecond, as the rest of a deadline has, is rounded up', async () => {
    const name = someHash();
    expect(await storage.leases.acquire(name, 'one', start, 999.3)).toBe(true);
    expect(await replica.leases.acquire(name, 'two', start + 999, 1_000)).toBe(false);
    expect(await replica.leases.acquire(name, 'two', start + 1_000, 1_000)).toBe(true);
  });

  it('only the holder releases', async () => {
    const name = someHash();
    await storage.leases.acquire(name, 'one', start, 1_000);
    await replica.leases.release(name, 'two');
    expect(await replica.leases.acquire(name, 'two', start, 1_000)).toBe(false);
    await storage.leases.release(name, 'one');
    expect(await replica.leases.acquire(name, 'two', start, 1_000)).toBe(true);
  });

  it('a sweep removes ended leases only', async () => {
    const running = someHash();
    await storage.leases.acquire(someHash(), 'one', start, 1_000);
    await storage.leases.acquire(running, 'one', start, 1_001);
    expect((await storage.sweep(start + 1_000)).leases).toBeGreaterThanOrEqual(1);
    expect(await replica.leases.acquire(running, 'two', start + 1_000, 1)).toBe(false);
  });

  it('erasing a student takes no lease of a student id that only looks alike', async () => {
    for (const [userid, neighbour] of [
      ['x_1', 'xy1'],
      ['x%2', 'xyz2'],
      ['9', '19'],
    ] as const) {
      await registered(storage, { userid });
      await storage.leases.acquire(`login:${neighbour}`, 'one', start, 1_000);
      await storage.leases.acquire(`login:${userid}`, 'one', start, 1_000);
      await storage.accounts.deleteUser(userid);
      expect(await storage.leases.acquire(`login:${neighbour}`, 'two', start, 1_000)).toBe(false);
      expect(await storage.leases.acquire(`login:${userid}`, 'two', start, 1_000)).toBe(true);
    }
  });
});
