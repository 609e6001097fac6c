import { beforeAll, expect, it } from 'vitest';
import { changesTokens } from '../../src/storage/database/exact-memory.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, login, onBothDatabases, type Registered, registered, someHash, start } from './databases.ts';

onBothDatabases('what a look for a token remembers', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const isAtOnce = (hash: string): boolean => storage.tokens.known(hash, start) !== null;
  const held = async (): Promise<Registered> => {
    const student = await registered(storage);
    // What another replica has changed before is found by the look after the first.
    await storage.tokens.find(student.tokenHash, start);
    await storage.tokens.find(student.tokenHash, start);
    expect(await storage.tokens.find(student.tokenHash, start)).toMatchObject({ userid: student.userid });
    return student;
  };

  it('is asked of the database again only where somebody else could have changed it without a sign', async () => {
    const { tokenHash } = await held();
    expect(isAtOnce(tokenHash)).toBe(database.kind === 'sqlite');
    expect(await storage.tokens.find(tokenHash, start + 365 * day)).toBeNull();
    expect(await storage.tokens.find(tokenHash, start)).not.toBeNull();
  });

  type Change = (at: Storage, student: Registered) => Promise<unknown>;
  const ends: ReadonlyArray<readonly [string, Change]> = [
    ['the token is ended', (at, { tokenHash }) => at.tokens.end(tokenHash, start)],
    [
      'its session is ended',
      (at, { userid, tokenHash }) => at.tokens.endLogin(userid, tokenHash.slice(0, 16), [], start),
    ],
    ['all tokens are ended', (at, { userid }) => at.tokens.endAll(userid, [], start)],
    ['all tokens are revoked', (at, { userid }) => at.tokens.revokeAll(userid, [], start)],
    ['others are revoked by a login', (at, { userid }) => login(at, userid, { revokeOthers: { keep: ['feeds'] } })],
    ['the account is erased', (at, { userid }) => at.accounts.deleteUser(userid)],
  ];
  it.each(ends)(
    'is gone with the next look when %s, and on another replica in the next turn',
    async (_name, change) => {
      for (const at of [storage, replica]) {
        const student = await held();
        await change(at, student);
        if (at === replica) await nextTurn();
        expect(await storage.tokens.find(student.tokenHash, start)).toBeNull();
      }
    },
  );

  const marks: ReadonlyArray<readonly [string, Change]> = [
    [
      'a write is announced',
      (at, { userid }) => at.marks.announceWrite(userid, 'academics', { now: start, until: start + 9 }),
    ],
    ['a new generation begins', (at, { userid }) => at.sessions.nextGeneration(userid)],
    [
      'a room is chosen',
      (at, { userid }) =>
        at.roomBindings.bind(userid, { roomCode: '010101', roomName: '1-101', displayText: '1-101' }, start),
    ],
    [
      'the pair is set aside',
      async (at, { userid }) =>
        at.accounts.markPairRefused(userid, (await at.accounts.readPair(userid))?.version ?? 0, 'portal'),
    ],
    [
      'the token slides',
      (at, { userid, tokenHash }) =>
        at.tokens.slide(tokenHash, { userid, expiresAt: start + 2 * day, usedAt: start + 1, network: null }),
    ],
  ];
  it.each(marks)(
    'is another value with the next look when %s, and on another replica in the next turn',
    async (_name, change) => {
      for (const at of [storage, replica]) {
        const student = await held();
        const before = await storage.tokens.find(student.tokenHash, start);
        await change(at, student);
        if (at === replica) await nextTurn();
        expect(await storage.tokens.find(student.tokenHash, start)).not.toEqual(before);
      }
    },
  );

  it('does not come back when something else is looked up after a change', async () => {
    for (const at of [storage, replica]) {
      const [other, student] = [await held(), await held()];
      await at.tokens.end(student.tokenHash, start);
      if (at === replica) await nextTurn();
      expect(isAtOnce(other.tokenHash)).toBe(false);
      expect(await storage.tokens.find(other.tokenHash, start)).not.toBeNull();
      expect(await storage.tokens.find(student.tokenHash, start)).toBeNull();
    }
  });

  it('does not outlive a change that comes between the reading and its end', async () => {
    const { tokenHash } = await registered(storage);
    const [, left] = await Promise.all([storage.tokens.find(tokenHash, start), storage.tokens.end(tokenHash, start)]);
    expect(left).toBe(0);
    expect(await storage.tokens.find(tokenHash, start)).toBeNull();
  });

  it('stays while sessions and copies are written, or nothing can come of what is', async () => {
    const { userid, tokenHash } = await held();
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'state' }], start);
    const copy = { read: 'terms', params: '[]', shape: 1, text: '[]', writes: 0, readAt: start };
    await storage.copies.keep(userid, generation, [copy]);
    expect(isAtOnce(tokenHash)).toBe(database.kind === 'sqlite');
    await storage.tokens.end(someHash(), start);
    expect(await storage.tokens.find(tokenHash, start)).not.toBeNull();
  });
});

it.each([
  ['select * from "tokens"', false],
  ['pragma data_version', false],
  ['insert into "copies" ("userid") values (?)', false],
  [
    'update "users" set "session_revision" = "session_revision" + ? where "userid" = ? and "session_generation" = ?',
    false,
  ],
  ['update "users" set "created_at" = "created_at" where "userid" = ?', false],
  ['update "users" set "session_generation" = ? where "userid" = ?', true],
  ['update "users" set "created_at" = "created_at", "academics_writes" = ? where "userid" = ?', true],
  ['update "users" set "session_revision" = 1', true],
  ['delete from "users" where "userid" = ?', true],
  ['insert into "tokens" ("hash") values (?)', true],
  ['rollback', true],
  ['with "gone" as (select 1) delete from "copies"', true],
  ['vacuum', true],
])('%s: may change what a look for a token gives: %s', (sql, expected) => {
  expect(changesTokens(sql)).toBe(expected);
});
