import { beforeAll, expect, it } from 'vitest';
import type { GrantKind, SettledGrants } from '../../src/domain/accounts/tokens/personal-tokens.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { hookWish, login, onBothDatabases, registered, someHash, start } from './databases.ts';

onBothDatabases('feeds, hooks and personal tokens', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });

  /** A student with two of each; one hook was made by the session of the student's login. */
  const student = async () => {
    const { userid, tokenHash } = await registered(storage);
    const session = tokenHash.slice(0, 16);
    for (const madeBy of [session, 'another']) {
      const id = someHash();
      const feed = { id, name: 'x', parts: ['exams'] as const, alarmMinutes: null, createdAt: start, polledAt: null };
      await storage.feeds.create({ ...feed, userid, secretHash: someHash() }, 10);
      await storage.hooks.make(userid, { ...hookWish, id, now: start, secret: 's', madeBy }, 5);
      const token = { hash: someHash(), now: start, expiresAt: start + 9, network: null };
      const grant = { name: 'x', scopes: ['exams:read'] as const, copiesOnly: false };
      await storage.tokens.personal.make(userid, { ...token, grant }, 20);
    }
    const left = async () => ({
      feeds: (await storage.feeds.list(userid)).length,
      hooks: (await storage.hooks.list(userid)).length,
      tokens: (await storage.tokens.personal.list(userid, start)).length,
    });
    return { userid, tokenHash, session, left };
  };
  const all = { feeds: 2, hooks: 2, tokens: 2 };

  type End = (userid: string, keep: readonly GrantKind[]) => Promise<SettledGrants | 'user-gone'>;
  const ways: ReadonlyArray<readonly [string, End]> = [
    ['a logout everywhere', (userid, keep) => storage.tokens.endAll(userid, keep, start)],
    ['the operator', async (userid, keep) => (await storage.tokens.revokeAll(userid, keep, start)).grants],
    ['a login that replaces the pair', (userid, keep) => login(storage, userid, { revokeOthers: { keep } })],
  ];
  it.each(ways)('%s ends those that the student does not keep, and says how many', async (_way, end) => {
    const [one, other] = [await student(), await student()];
    expect(await end(one.userid, ['feeds', 'hooks', 'tokens'])).toEqual({ kept: all, ended: {} });
    expect(await end(one.userid, ['tokens', 'hooks'])).toEqual({ kept: { hooks: 2, tokens: 2 }, ended: { feeds: 2 } });
    expect(await end(one.userid, ['tokens'])).toEqual({ kept: { tokens: 2 }, ended: { hooks: 2 } });
    expect(await end(one.userid, [])).toEqual({ kept: {}, ended: { tokens: 2 } });
    expect(await end(one.userid, [])).toEqual({ kept: {}, ended: {} });
    expect([await one.left(), await other.left()]).toEqual([{ feeds: 0, hooks: 0, tokens: 0 }, all]);
  });

  it('the end of one session ends the hooks that it made, unless they are kept, and nothing else', async () => {
    const one = await student();
    const again = await student();
    const kept = await storage.tokens.endLogin(one.userid, one.session, ['hooks'], start);
    expect([kept?.grants, await one.left()]).toEqual([{ kept: { hooks: 1 }, ended: {} }, all]);
    const ended = await storage.tokens.endLogin(again.userid, again.session, [], start);
    expect([ended?.grants, await again.left()]).toEqual([
      { kept: {}, ended: { hooks: 1 } },
      { ...all, hooks: 1 },
    ]);
  });

  it('a login with the stored pair and a logout end none', async () => {
    const { userid, tokenHash, left } = await student();
    expect(await login(storage, userid)).toEqual({ kept: {}, ended: {} });
    await storage.tokens.end(tokenHash, start);
    expect(await left()).toEqual(all);
  });
});
