import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { plainMarks } from '../support/student-marks.ts';
import { day, login, onBothDatabases, registered, someHash, start } from './databases.ts';

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
    await login(storage, userid, {
      tokenHash: hash,
      tokenExpiresAt: start + 1_000,
      tokenEndsAt: start + 1_000,
      tokenNetwork: '192.0.2.0/24',
    });
    expect(await storage.tokens.find(hash, start + 999)).toEqual({
      userid,
      expiresAt: start + 1_000,
      endsAt: start + 1_000,
      lastUsedAt: start,
      marks: plainMarks({ generation: expect.any(Number) }),
    });
    expect(await storage.tokens.find(hash, start + 1_000)).toBeNull();

    await storage.tokens.slide(hash, { userid, expiresAt: start + 2_000, usedAt: start + 500, network: null });
    expect(await replica.tokens.find(hash, start + 1_000)).toMatchObject({
      expiresAt: start + 2_000,
      lastUsedAt: start + 500,
    });
  });

  it('sliding a deleted token does not bring it back', async () => {
    const { userid, tokenHash } = await registered(storage);
    await storage.tokens.delete(tokenHash, start);
    await storage.tokens.slide(tokenHash, { userid, expiresAt: start + 1_000, usedAt: start, network: '' });
    expect(await storage.tokens.find(tokenHash, start)).toBeNull();
  });

  it('deleting a token counts the live ones that are left', async () => {
    const { userid, tokenHash } = await registered(storage);
    const second = someHash();
    await login(storage, userid, { tokenHash: second });
    await login(storage, userid, { tokenExpiresAt: start + 10, tokenEndsAt: start + 10, tokenNetwork: '192.0.2.0/24' });
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
    expect(await storage.tokens.deleteAll(one.userid, start)).toBe(2);
    expect(await storage.tokens.deleteAll(one.userid, start)).toBe(0);
    expect(await storage.tokens.find(one.tokenHash, start)).toBeNull();
    expect(await storage.tokens.find(other.tokenHash, start)).not.toBeNull();
  });

  it('an ended token proves whose it was for 180 days, a deleted one nothing', async () => {
    const { userid, tokenHash } = await registered(storage);
    const [aged, pushedOut, loggedOut] = [someHash(), someHash(), someHash()];
    const brief = { tokenExpiresAt: start + 10, tokenEndsAt: start + 10 };
    await login(storage, userid, { tokenHash: aged, ...brief });
    await login(storage, userid, { tokenHash: pushedOut });
    await login(storage, userid, { tokenHash: loggedOut });
    await storage.tokens.delete(loggedOut, start);
    await login(storage, userid, { now: start + 20, revokeOthers: true });
    await storage.sweep(start + 20);

    for (const hash of [tokenHash, aged, pushedOut]) {
      expect(await replica.tokens.find(hash, start + 20)).toBeNull();
      expect(await replica.tokens.bearer(hash, start + 179 * day)).toBe(userid);
      expect(await replica.tokens.bearer(hash, start + 20 + 180 * day)).toBeNull();
    }
    expect(await replica.tokens.bearer(loggedOut, start)).toBeNull();
    expect(await storage.tokens.deleteAll(userid, start + 20)).toBe(1);
    expect(await replica.tokens.bearer(aged, start + 20)).toBeNull();
  });

  it('a student sees the valid tokens, the newest first, each with its network, and may end one by its id', async () => {
    const one = await registered(storage);
    const other = await registered(storage);
    const second = someHash();
    await login(storage, one.userid, { tokenHash: second, now: start + 5, tokenNetwork: '198.51.100.0/24' });
    const list = await replica.tokens.list(one.userid, start + 5);
    expect(list).toEqual([
      { id: second.slice(0, 16), createdAt: start + 5, lastUsedAt: start + 5, network: '198.51.100.0/24' },
      { id: one.tokenHash.slice(0, 16), createdAt: start, lastUsedAt: start, network: '192.0.2.0/24' },
    ]);
    await storage.tokens.slide(second, { userid: one.userid, expiresAt: start + day, usedAt: start + 9, network: 'n' });
    expect(await replica.tokens.list(one.userid, start)).toMatchObject([{ lastUsedAt: start + 9, network: 'n' }, {}]);

    expect(await storage.tokens.deleteById(other.userid, second.slice(0, 16), start)).toBeNull();
    expect(await storage.tokens.deleteById(one.userid, '%', start)).toBeNull();
    expect(await storage.tokens.deleteById(one.userid, second.slice(0, 16), start)).toBe(1);
    expect(await storage.tokens.find(second, start)).toBeNull();
    expect(await storage.tokens.bearer(second, start)).toBeNull();
  });

  it('a sweep removes tokens that prove nothing any more', async () => {
    const { userid } = await registered(storage);
    const brief = someHash();
    await login(storage, userid, {
      tokenHash: brief,
      tokenExpiresAt: start + 50,
      tokenEndsAt: start + 50,
      tokenNetwork: '192.0.2.0/24',
    });
    await storage.sweep(start + 49);
    expect(await storage.tokens.find(brief, start)).not.toBeNull();
    await storage.sweep(start + 50);
    expect(await storage.tokens.find(brief, start)).toBeNull();
    expect((await storage.sweep(start + 50 + 180 * day)).tokens).toBeGreaterThanOrEqual(1);
    expect(await storage.tokens.bearer(brief, start)).toBeNull();
  });

  // SQLite's own shell does not enforce references unless told to, so operators can leave such tokens behind.
  if (database.kind === 'sqlite')
    it('a token whose user an operator deleted by hand says so', async () => {
      const { userid, tokenHash } = await registered(storage);
      const byHand = new DatabaseSync(database.url().slice('sqlite:'.length), { enableForeignKeyConstraints: false });
      byHand.prepare('delete from users where userid = ?').run(userid);
      byHand.close();
      expect(await storage.tokens.find(tokenHash, start)).toMatchObject({ userid, marks: null });
    });
});
