import { beforeAll, expect, it } from 'vitest';
import { attemptLease } from '../../src/domain/accounts/guard/callers.ts';
import { erasureOf } from '../../src/domain/accounts/guard/stored-rows.ts';
import type { LeaseName } from '../../src/domain/lease.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, onBothDatabases, registered, someHash, start } from './databases.ts';

const LIFE_MS = 10_000;
/** More than statements take on a busy machine: the time of PostgreSQL is not stopped. */
const A_WHILE_MS = 5_000;

onBothDatabases('leases', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });
  const acquire = (name: LeaseName, owner: string, at = storage, lifeMs = LIFE_MS): Promise<boolean> =>
    at.leases.acquire(name, owner, database.now(), lifeMs);

  it('one of many replicas gets the lease', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = someHash();
      const got = await Promise.all(
        Array.from({ length: 10 }, (_, at) => acquire(name, `owner ${at}`, at % 2 ? storage : replica)),
      );
      expect(got.filter((is) => is)).toHaveLength(1);
    }
  });

  it('only the holder prolongs its lease', async () => {
    const name = someHash();
    expect(await acquire(name, 'one')).toBe(true);
    await database.pass(LIFE_MS - A_WHILE_MS);
    expect(await acquire(name, 'two', replica)).toBe(false);
    expect(await acquire(name, 'one')).toBe(true);
    await database.pass(A_WHILE_MS);
    expect(await acquire(name, 'two', replica)).toBe(false);
  });

  it('two names are held together or not at all, and taken and given back by many without waiting for each other', async () => {
    const [one, other] = [someHash(), someHash()];
    const both = [one, other] as const;
    await acquire(other, 'the version before');
    expect(await acquire(both, 'first')).toBe(false);
    expect(await acquire(one, 'second', replica)).toBe(true);
    await storage.leases.release(one, 'second');
    await storage.leases.release(other, 'the version before');
    let held = 0;
    const work = async (_: unknown, at: number): Promise<number> => {
      const of = at % 2 ? storage : replica;
      for (let had = 0, tries = 0; ; tries += 1) {
        if (await acquire(at % 3 ? both : [other, one], `owner ${at}`, of)) {
          held += 1;
          expect(held).toBe(1);
          await acquire(both, `owner ${at}`, of);
          held -= 1;
          await of.leases.release(both, `owner ${at}`);
          had += 1;
        }
        if (had === 3) return tries;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect(await acquire(one, 'last')).toBe(true);
    expect(await acquire(other, 'last')).toBe(true);
  });

  it('a life with fractions of a millisecond, as the rest of a deadline has, is rounded up', async () => {
    const name = someHash();
    expect(await acquire(name, 'one', storage, LIFE_MS - 0.7)).toBe(true);
    expect(await acquire(name, 'two', replica)).toBe(false);
    await database.pass(LIFE_MS);
    expect(await acquire(name, 'two', replica)).toBe(true);
  });

  it('a lease of a process whose clock was two days ahead, and which was killed, is free once the clock is right', async () => {
    const name = someHash();
    await acquire(name, 'killed');
    await database.pass(-2 * day);
    expect(await acquire(name, 'next', replica)).toBe(true);
    // Then it is a lease like any other.
    expect(await acquire(name, 'third')).toBe(false);
  });

  it('clocks that differ by a minute take no lease from each other', async () => {
    const name = someHash();
    await acquire(name, 'ahead');
    await database.pass(-(60_000 - A_WHILE_MS));
    expect(await acquire(name, 'behind', replica)).toBe(false);
  });

  it('the clock of a replica does not matter where the database has one', async ({ skip }) => {
    skip(database.kind !== 'postgres', 'is about PostgreSQL');
    const name = someHash();
    await storage.leases.acquire(name, 'ahead', database.now() + 2 * day, LIFE_MS);
    expect(await replica.leases.acquire(name, 'right', database.now(), LIFE_MS)).toBe(false);
    expect(await replica.leases.acquire(name, 'behind', 0, LIFE_MS)).toBe(false);
    await database.pass(LIFE_MS);
    expect(await replica.leases.acquire(name, 'behind', 0, LIFE_MS)).toBe(true);
  });

  it('only the holder releases', async () => {
    const name = someHash();
    await acquire(name, 'one');
    await replica.leases.release(name, 'two');
    expect(await acquire(name, 'two', replica)).toBe(false);
    await storage.leases.release(name, 'one');
    expect(await acquire(name, 'two', replica)).toBe(true);
  });

  it('a sweep removes ended leases only', async () => {
    const running = someHash();
    await acquire(someHash(), 'one');
    await acquire(running, 'one', storage, LIFE_MS + A_WHILE_MS);
    await database.pass(LIFE_MS);
    expect((await storage.sweep(database.now())).leases).toBeGreaterThanOrEqual(1);
    expect(await acquire(running, 'two', replica)).toBe(false);
  });

  it('erasing a student takes the lease of an attempt that has died, whatever the spelling', async () => {
    const userid = 'Ab1';
    await registered(storage, { userid });
    await acquire(attemptLease(userid), 'one');
    await storage.accounts.deleteUser(userid, erasureOf(userid, start));
    expect(await acquire(attemptLease(userid), 'two')).toBe(true);
  });

  it('erasing a student takes no lease of a student id that only looks alike', async () => {
    for (const [userid, neighbour] of [
      ['x_1', 'xy1'],
      ['x%2', 'xyz2'],
      ['9', '19'],
    ] as const) {
      await registered(storage, { userid });
      await acquire(`login:${neighbour}`, 'one');
      await acquire(`login:${userid}`, 'one');
      await storage.accounts.deleteUser(userid);
      expect(await acquire(`login:${neighbour}`, 'two')).toBe(false);
      expect(await acquire(`login:${userid}`, 'two')).toBe(true);
    }
  });
});
