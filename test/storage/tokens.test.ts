import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { login, onBothDatabases, registered, someHash, start } from './databases.ts';

onBothDatabases('tokens', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  it('a token lives until the moment of its expiry, and sliding moves that moment', async () => {
    const { userid } = await registered(storage);
    const hash = someHash();
    await login(storage, userid, { tokenHash: hash, tokenExpiresAt: start + 1_000 });
    expect(await storage.tokens.find(hash, start + 999)).toEqual({
      userid,
      expiresAt: start + 1_000,
      userExists: true,
    });
    expect(await storage.tokens.find(hash, start + 1_000)).toBeNull();

    await storage.tokens.slide(hash, start + 2_000);
    expect(await replica.tokens.find(hash, start + 1_000)).toMatchObject({ expiresAt: start + 2_000 });
  });

  it('sliding a deleted token does not bring it back', async () => {
    const { tokenHash } = await registered(storage);
    await storage.tokens.delete(tokenHash, start);
    await storage.tokens.slide(tokenHash, start + 1_000);
    expect(await storage.tokens.find(tokenHash, start)).toBeNull();
  });

  it('deleting a token counts the live ones that are left', async () => {
    const { userid, tokenHash } = await registered(storage);
    const second = someHash();
    await login(storage, userid, { tokenHash: second });
    await login(storage, userid, { tokenExpiresAt: start + 10 });
    expect(await storage.tokens.delete(tokenHash, start)).toBe(2);
    expect(await storage.tokens.delete(second, start + 10)).toBe(0);
    expect(await storage.tokens.delete(someHash(), start)).toBeNull();
  });

  it('of two last tokens deleted at once on two replicas one deletion counts none left', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { userid, tokenHash } = await registered(storage);
      const second = someHash();
      await login(storage, userid, { tokenHash: second });
      const left = await Promise.all([storage.tokens.delete(tokenHash, start), replica.tokens.delete(second, start)]);
      expect(left.toSorted()).toEqual([0, 1]);
    }
  });

  it('deleting all tokens of a student leaves those of others', async () => {
    const one = await registered(storage);
    const other = await registered(storage);
    await login(storage, one.userid);
    expect(await storage.tokens.deleteAll(one.userid)).toBe(2);
    expect(await storage.tokens.deleteAll(one.userid)).toBe(0);
    expect(await storage.tokens.find(one.tokenHash, start)).toBeNull();
    expect(await storage.tokens.find(other.tokenHash, start)).not.toBeNull();
  });

  it('a sweep removes expired tokens only', async () => {
    const { userid, tokenHash } = await registered(storage);
    const brief = someHash();
    await login(storage, userid, { tokenHash: brief, tokenExpiresAt: start + 50 });
    await storage.sweep(start + 49);
    expect(await storage.tokens.find(brief, start)).not.toBeNull();
    expect((await storage.sweep(start + 50)).tokens).toBeGreaterThanOrEqual(1);
    expect(await storage.tokens.find(brief, start)).toBeNull();
    expect(await storage.tokens.find(tokenHash, start)).not.toBeNull();
  });

  // SQLite's own shell does not enforce references unless told to, so operators can leave such tokens behind.
  if (database.kind === 'sqlite')
    it('a token whose user an operator deleted by hand says so', async () => {
      const { userid, tokenHash } = await registered(storage);
      const byHand = new DatabaseSync(database.url().slice('sqlite:'.length), { enableForeignKeyConstraints: false });
      byHand.prepare('delete from users where userid = ?').run(userid);
      byHand.close();
      expect(await storage.tokens.find(tokenHash, start)).toMatchObject({ userid, userExists: false });
    });
});
