import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases, registered, someStudent, start } from './databases.ts';

const tree = (readAt: number, mark: string) => ({ readAt, buildings: `["松园1号${mark}\\"]` });

onBothDatabases('the room tree', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  it('is absent at first, then whole, and replaced whole', async () => {
    expect([await storage.roomTree.revision(), await storage.roomTree.load()]).toEqual([null, null]);
    const first = await storage.roomTree.replace(tree(start, 'a'));
    expect(await replica.roomTree.revision()).toBe(first);
    expect(await replica.roomTree.load()).toEqual({ revision: first, ...tree(start, 'a') });
    const second = await replica.roomTree.replace(tree(start, 'b'));
    expect(second).toBeGreaterThan(first);
    expect(await storage.roomTree.load()).toEqual({ revision: second, ...tree(start, 'b') });
  });

  it('has another revision after each of many replacements at once', async () => {
    const revisions = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? storage : replica).roomTree.replace(tree(start + i, String(i)))),
    );
    expect(new Set(revisions).size).toBe(10);
    expect(await storage.roomTree.revision()).toBe(Math.max(...revisions));
  });

  it('remembers the end of the last refresh', async () => {
    expect(await storage.roomTree.refreshedAt()).toBeNull();
    await storage.roomTree.noteRefresh(start);
    await replica.roomTree.noteRefresh(start + 1);
    expect(await storage.roomTree.refreshedAt()).toBe(start + 1);
  });
});

onBothDatabases('room bindings', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });
  const binding = { roomCode: '010101', roomName: '1-101', displayText: '松园1号/1-1层/1-101' };
  const other = { roomCode: '110203', roomName: '2-203', displayText: '竹园11号/2层/2-203' };

  it('are one per student; the next replaces it', async () => {
    const [one, two] = [await registered(storage), await registered(storage)];
    expect(await storage.roomBindings.find(one.userid)).toBeNull();
    expect(await storage.roomBindings.bind(one.userid, binding, start)).toBe('bound');
    expect(await storage.roomBindings.bind(two.userid, other, start)).toBe('bound');
    expect(await storage.roomBindings.find(one.userid)).toEqual(binding);
    expect(await storage.roomBindings.bind(one.userid, other, start)).toBe('bound');
    expect(await storage.roomBindings.find(one.userid)).toEqual(other);
  });

  it('are not made for an account that is gone', async () => {
    expect(await storage.roomBindings.bind(someStudent(), binding, start)).toBe('user-gone');
  });

  it('that are made while the account is erased never outlive it', async () => {
    const replica = await database.open();
    for (let round = 0; round < 5; round += 1) {
      const { userid } = await registered(storage);
      const [outcome] = await Promise.all([
        replica.roomBindings.bind(userid, binding, start),
        storage.accounts.deleteUser(userid),
      ]);
      expect(['bound', 'user-gone']).toContain(outcome);
      expect(await storage.roomBindings.find(userid)).toBeNull();
    }
  });
});
