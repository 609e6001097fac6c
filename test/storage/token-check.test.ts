import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { day, login, onBothDatabases, type Registered, registered, start } from './databases.ts';

onBothDatabases('a look for a token', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
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
  it.each(ends)('finds nothing from the moment on when %s, here or on another replica', async (_name, change) => {
    for (const at of [storage, replica]) {
      const student = await registered(storage);
      await change(at, student);
      expect(await storage.tokens.find(student.tokenHash, start)).toBeNull();
    }
  });

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
  it.each(marks)('finds the change from the moment on when %s, here or on another replica', async (_name, change) => {
    for (const at of [storage, replica]) {
      const student = await registered(storage);
      const before = await storage.tokens.find(student.tokenHash, start);
      await change(at, student);
      expect(await storage.tokens.find(student.tokenHash, start)).not.toEqual(before);
    }
  });
});
