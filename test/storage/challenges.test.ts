import { beforeAll, expect, it } from 'vitest';
import type { ChallengeRow } from '../../src/domain/accounts/challenges/ports.ts';
import { openState } from '../../src/domain/accounts/challenges/state.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keyA, keyB, onBothDatabases, registered, someHash, someStudent, start } from './databases.ts';

const MINUTE = 60_000;

const challengeOf = (userid: string, over: Partial<ChallengeRow> = {}): ChallengeRow => ({
  idHash: someHash(),
  pageName: someHash(),
  userid,
  purpose: 'login',
  revision: 1,
  state: openState('captcha', start),
  half: {
    resume: '{"half":"session"}',
    image: { type: 'image/png', bytes: Buffer.from([1, 2, 3]) },
    targets: ['138****0000', '159****1111'],
    chosen: 1,
  },
  entry: {
    pair: { password: 'marker-password', vpnPassword: 'marker-vpn' },
    keep: ['feeds'],
    invite: { hash: 'h', code: 'c', expiresAt: start },
    booked: { id: 'b', by: 'stranger' },
    stepped: true,
    asker: { at: start, client: 'App', network: '192.0.2.0/24', names: ['n'], token: 't', isHome: true },
    frees: ['n'],
  },
  ...over,
});

onBothDatabases('challenges', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  it('are found by any replica under their id and their page code, as they were stored, until their end', async () => {
    const row = challengeOf(someStudent());
    await storage.challenges.open(row);
    const { idHash, pageName, userid } = row;
    expect(await replica.challenges.find({ idHash }, start)).toEqual(row);
    expect(await replica.challenges.find({ pageNames: [someHash(), pageName] }, start)).toEqual(row);
    expect(await replica.challenges.of(userid, start)).toEqual(row);
    expect(await replica.challenges.find({ idHash: someHash() }, start)).toBeNull();
    expect(await replica.challenges.find({ idHash }, start + 5 * MINUTE)).toBeNull();
    expect(await replica.challenges.of(userid, start + 5 * MINUTE)).toBeNull();
    expect(await storage.challenges.sweep(start + 5 * MINUTE - 1)).toBe(0);
    expect(await storage.challenges.sweep(start + 5 * MINUTE)).toBeGreaterThanOrEqual(1);
  });

  it('what was passed stays beside a newer one until its end', async () => {
    const userid = someStudent();
    const row = challengeOf(userid);
    await storage.challenges.open(row);
    const passed = {
      ...row,
      revision: 2,
      state: { ...row.state, phase: 'passed' as const, expiresAt: start + MINUTE },
    };
    expect(await storage.challenges.change(passed)).toBe(true);
    expect([await replica.challenges.of(userid, start), await replica.challenges.passed(userid, start)]).toEqual([
      null,
      [passed],
    ]);
    const [newer, newest] = [challengeOf(userid), challengeOf(userid)];
    for (const other of [newer, newest]) await storage.challenges.open(other);
    expect(await replica.challenges.of(userid, start)).toEqual(newest);
    expect(await replica.challenges.passed(userid, start)).toEqual([passed]);
    expect(await replica.challenges.passed(userid, start + MINUTE)).toEqual([]);
    expect(await storage.challenges.find(newer, start)).toBeNull();
  });

  it('a newer one of the student takes the place of the older, one of another student does not', async () => {
    const userid = someStudent();
    const [older, newer, other] = [challengeOf(userid), challengeOf(userid), challengeOf(someStudent())];
    for (const row of [older, other, newer]) await storage.challenges.open(row);
    expect(await replica.challenges.find(older, start)).toBeNull();
    expect(await replica.challenges.of(userid, start)).toEqual(newer);
    expect(await replica.challenges.find(other, start)).toEqual(other);
  });

  it('of two that change one revision at once one does, and what was removed is changed by nobody', async () => {
    const row = challengeOf(someStudent());
    await storage.challenges.open(row);
    const next = { ...row, revision: 2, state: { ...row.state, phase: 'answering' as const } };
    const changed = await Promise.all([storage, replica].map(({ challenges }) => challenges.change(next)));
    expect(changed.toSorted()).toEqual([false, true]);
    expect(await replica.challenges.find(row, start)).toEqual(next);
    expect(await storage.challenges.remove(row.idHash, 1)).toBe(false);
    expect(await storage.challenges.remove(row.idHash, 2)).toBe(true);
    expect(await storage.challenges.remove(row.idHash)).toBe(false);
    expect(await storage.challenges.change({ ...next, revision: 3 })).toBe(false);
  });

  it('are sealed anew by a rotation, and are as good as none without their key', async () => {
    const row = challengeOf(someStudent());
    await storage.challenges.open(row);
    const rotating = await database.open([keyB, keyA]);
    expect((await rotating.rotate()).resealed).toBeGreaterThanOrEqual(1);
    const rotated = await database.open([keyB]);
    expect(await rotated.challenges.find(row, start)).toEqual(row);
    expect(await storage.challenges.find(row, start)).toBeNull();
  });

  it('go with the account', async () => {
    const { userid } = await registered(storage);
    const row = challengeOf(userid);
    await storage.challenges.open(row);
    await replica.accounts.deleteUser(userid);
    expect(await storage.challenges.find(row, start)).toBeNull();
  });
});
