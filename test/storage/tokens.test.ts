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
    });
    expect(await storage.tokens.find(hash, start + 999)).toEqual({
      userid,
      expiresAt: start + 1_000,
      endsAt: start + 1_000,
      lastUsedAt: start,
      issuedAt: start,
      personal: null,
      marks: plainMarks({ generation: expect.any(Number) }),
    });
    expect(await storage.tokens.find(hash, start + 1_000)).toBeNull();

    await storage.tokens.slide(hash, { userid, expiresAt: start + 2_000, usedAt: start + 500, network: null });
    expect(await replica.tokens.find(hash, start + 1_000)).toMatchObject({
      expiresAt: start + 2_000,
      lastUsedAt: start + 500,
    });
  });

  it('sliding an ended token does not bring it back', async () => {
    const { userid, tokenHash } = await registered(storage);
    await storage.tokens.end(tokenHash, start);
    await storage.tokens.slide(tokenHash, { userid, expiresAt: start + 1_000, usedAt: start, network: '' });
    expect(await storage.tokens.find(tokenHash, start)).toBeNull();
  });

  it('ending a token counts the live ones that are left', async () => {
    const { userid, tokenHash } = await registered(storage);
    const second = someHash();
    await login(storage, userid, { tokenHash: second });
    await login(storage, userid, { tokenExpiresAt: start + 10 });
    expect(await storage.tokens.end(tokenHash, start)).toBe(2);
    expect(await storage.tokens.end(second, start + 10)).toBe(0);
    expect(await storage.tokens.end(someHash(), start)).toBeNull();
  });

  it('where two replicas end the last two tokens at once, one of them counts none left', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { userid, tokenHash } = await registered(storage);
      const second = someHash();
      await login(storage, userid, { tokenHash: second });
      const left = await Promise.all([storage.tokens.end(tokenHash, start), replica.tokens.end(second, start)]);
      expect(left.toSorted()).toEqual([0, 1]);
    }
  });

  it.each(['endAll', 'revokeAll'] as const)('%s of a student leaves the tokens of others', async (way) => {
    const one = await registered(storage);
    const other = await registered(storage);
    await login(storage, one.userid);
    await storage.tokens[way](one.userid, [], start);
    expect(await storage.tokens.list(one.userid, start)).toEqual([]);
    expect(await storage.tokens.find(one.tokenHash, start)).toBeNull();
    expect(await storage.tokens.find(other.tokenHash, start)).not.toBeNull();
  });

  it('revokeAll says how many were live', async () => {
    const { userid } = await registered(storage);
    await login(storage, userid);
    expect(await storage.tokens.revokeAll(userid, [], start)).toMatchObject({ tokens: 2 });
    expect(await storage.tokens.revokeAll(userid, [], start)).toMatchObject({ tokens: 0 });
  });

  /** For how many days after its end a token identifies its student. */
  const provesFor = async (hash: string, userid: string, end: number): Promise<number> => {
    if ((await replica.tokens.bearer(hash, end + 30 * day - 1)) === userid) {
      expect(await replica.tokens.bearer(hash, end + 30 * day)).toBeNull();
      return 30;
    }
    expect(await replica.tokens.bearer(hash, end)).toBeNull();
    return 0;
  };

  type End = (student: { readonly userid: string; readonly tokenHash: string }, now: number) => Promise<unknown>;
  const ways: ReadonlyArray<readonly [string, number, End]> = [
    ['a sixth login', 30, ({ userid }, now) => login(storage, userid, { now, keep: 1 })],
    [
      'a login that replaces the pair',
      30,
      ({ userid }, now) => login(storage, userid, { now, revokeOthers: { keep: [] } }),
    ],
    ['its logout', 30, ({ tokenHash }, now) => storage.tokens.end(tokenHash, now)],
    [
      'another session',
      30,
      ({ userid, tokenHash }, now) => storage.tokens.endLogin(userid, tokenHash.slice(0, 16), [], now),
    ],
    ['a logout everywhere', 30, ({ userid }, now) => storage.tokens.endAll(userid, ['feeds'], now)],
    ['the operator', 0, ({ userid }, now) => storage.tokens.revokeAll(userid, ['feeds'], now)],
  ];
  it.each(ways)('a token ended by %s identifies its student for %i days', async (_way, days, end) => {
    const student = await registered(storage);
    await end(student, start + 20);
    await storage.sweep(start + 20);
    expect(await replica.tokens.find(student.tokenHash, start + 20)).toBeNull();
    expect(await provesFor(student.tokenHash, student.userid, start + 20)).toBe(days);
  });

  it('an expired token identifies its student for 30 days, before and after a sweep', async () => {
    const { userid, tokenHash } = await registered(storage);
    const end = start + 30 * day;
    expect(await provesFor(tokenHash, userid, end)).toBe(30);
    await storage.sweep(end);
    expect(await provesFor(tokenHash, userid, end)).toBe(30);
  });

  it.each(ways.slice(1))(
    'after %s no earlier token identifies its student for more than %i days',
    async (way, days, end) => {
      if (way === 'its logout' || way === 'another session') return;
      const { userid, tokenHash: pushedOut } = await registered(storage);
      const live = someHash();
      await login(storage, userid, { tokenHash: live, keep: 1 });
      await end({ userid, tokenHash: live }, start);
      expect(await provesFor(pushedOut, userid, start)).toBe(days);
      expect(await provesFor(live, userid, start)).toBe(days);
    },
  );

  it('a student who logs in and out all day leaves the hashes of the last 200 logins', async () => {
    const { userid, tokenHash } = await registered(storage);
    const lasting = someHash();
    await login(storage, userid, { tokenHash: lasting });
    await storage.tokens.end(tokenHash, start);
    for (let at = 0; at < 199; at += 1) {
      const hash = someHash();
      await login(storage, userid, { tokenHash: hash });
      await storage.tokens.end(hash, start);
    }
    await storage.sweep(start);
    expect(await storage.tokens.bearer(tokenHash, start)).toBeNull();
    expect(await storage.tokens.find(lasting, start)).not.toBeNull();
  });

  it('a student sees the valid tokens, the newest first, each with its network and client, and may end one by its id', async () => {
    const one = await registered(storage);
    const other = await registered(storage);
    const second = someHash();
    await login(storage, one.userid, {
      tokenHash: second,
      now: start + 5,
      tokenNetwork: '198.51.100.0/24',
      tokenClient: 'CampusApp',
    });
    const list = await replica.tokens.list(one.userid, start + 5);
    expect(list).toEqual([
      {
        id: second.slice(0, 16),
        createdAt: start + 5,
        lastUsedAt: start + 5,
        network: '198.51.100.0/24',
        client: 'CampusApp',
      },
      { id: one.tokenHash.slice(0, 16), createdAt: start, lastUsedAt: start, network: '192.0.2.0/24', client: null },
    ]);
    await storage.tokens.slide(second, { userid: one.userid, expiresAt: start + day, usedAt: start + 9, network: 'n' });
    expect(await replica.tokens.list(one.userid, start)).toMatchObject([
      { lastUsedAt: start + 9, network: 'n', client: 'CampusApp' },
      {},
    ]);

    expect(await storage.tokens.endLogin(other.userid, second.slice(0, 16), [], start)).toBeNull();
    expect(await storage.tokens.endLogin(one.userid, '%', [], start)).toBeNull();
    expect(await storage.tokens.endLogin(one.userid, second.slice(0, 16), [], start)).toMatchObject({ left: 1 });
    expect(await storage.tokens.find(second, start)).toBeNull();
    expect(await storage.tokens.endLogin(one.userid, second.slice(0, 16), [], start)).toBeNull();
  });

  it('a sweep removes tokens that no longer identify their student', async () => {
    const { userid } = await registered(storage);
    const brief = someHash();
    await login(storage, userid, {
      tokenHash: brief,
      tokenExpiresAt: start + 50,
    });
    await storage.sweep(start + 49);
    expect(await storage.tokens.find(brief, start)).not.toBeNull();
    await storage.sweep(start + 50);
    expect(await storage.tokens.find(brief, start)).toBeNull();
    expect((await storage.sweep(start + 50 + 30 * day)).tokens).toBeGreaterThanOrEqual(1);
    expect(await storage.tokens.bearer(brief, start)).toBeNull();
  });

  if (database.kind === 'sqlite')
    it('the network and client of an ended token are dropped', async () => {
      const { userid } = await registered(storage);
      for (const [, , end] of ways.slice(0, -1)) {
        const tokenHash = someHash();
        await login(storage, userid, { tokenHash, tokenClient: 'CampusApp' });
        await end({ userid, tokenHash }, start);
      }
      const reader = new DatabaseSync(database.url().slice('sqlite:'.length), { readOnly: true });
      const rows = reader
        .prepare('select ended_at, sealed_network, sealed_client from tokens where userid = ?')
        .all(userid);
      reader.close();
      expect(rows.filter((row) => row.ended_at !== null)).toHaveLength(rows.length);
      expect(rows.filter((row) => row.sealed_network !== null || row.sealed_client !== null)).toEqual([]);
    });

  // SQLite's own shell does not enforce references unless told to, so operators can leave such tokens behind.
  if (database.kind === 'sqlite')
    it('a token whose user an operator deleted by hand has no marks', async () => {
      const { userid, tokenHash } = await registered(storage);
      const byHand = new DatabaseSync(database.url().slice('sqlite:'.length), { enableForeignKeyConstraints: false });
      byHand.prepare('delete from users where userid = ?').run(userid);
      byHand.close();
      expect(await storage.tokens.find(tokenHash, start)).toMatchObject({ userid, marks: null });
    });
});
