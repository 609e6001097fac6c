import { beforeAll, expect, it } from 'vitest';
import type { ChallengeRow } from '../../src/domain/accounts/ports.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { keyB, onBothDatabases, someHash, someStudent, start } from './databases.ts';

const MINUTE = 60_000;

const challengeOf = (userid: string, over: Partial<ChallengeRow> = {}): ChallengeRow => ({
  idHash: someHash(),
  userid,
  purpose: 'login',
  revision: 1,
  left: 3,
  expiresAt: start + 5 * MINUTE,
  phase: 'open',
  step: 'portal',
  asked: { kind: 'captcha', image: { type: 'image/png', base64: 'AQID' } },
  resume: { half: 'session' },
  last: 'none',
  guarded: false,
  imagesLeft: 2,
  resendAt: start,
  chosen: null,
  pair: { password: 'marker-password', vpnPassword: 'marker-vpn' },
  keep: ['feeds'],
  invite: { hash: 'h', code: 'c', expiresAt: start },
  opener: { kind: 'token', names: ['n'] },
  ...over,
});

onBothDatabases('challenges', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  it('are found by any replica under their id, as they were stored, until their end', async () => {
    const row = challengeOf(someStudent());
    await storage.challenges.open(row);
    const { idHash, userid } = row;
    expect(await replica.challenges.find(idHash, start)).toEqual(row);
    expect(await replica.challenges.of(userid, start)).toEqual(row);
    expect(await replica.challenges.find(someHash(), start)).toBeNull();
    expect(await replica.challenges.find(idHash, start + 5 * MINUTE)).toBeNull();
    expect(await replica.challenges.of(userid, start + 5 * MINUTE)).toBeNull();
    expect((await storage.sweep(start + 5 * MINUTE - 1)).login_challenges).toBe(0);
    expect((await storage.sweep(start + 5 * MINUTE)).login_challenges).toBeGreaterThanOrEqual(1);
  });

  it('a newer one replaces the older one of its student alone', async () => {
    const userid = someStudent();
    const [older, newer, other] = [challengeOf(userid), challengeOf(userid), challengeOf(someStudent())];
    for (const row of [older, other, newer]) await storage.challenges.open(row);
    expect(await replica.challenges.find(older.idHash, start)).toBeNull();
    expect(await replica.challenges.of(userid, start)).toEqual(newer);
    expect(await replica.challenges.find(other.idHash, start)).toEqual(other);
  });

  it('of two changes of one revision at once one is made, and a removed challenge takes none', async () => {
    const row = challengeOf(someStudent());
    await storage.challenges.open(row);
    const next = { ...row, revision: 2, left: 2, phase: 'answering' as const };
    const changed = await Promise.all([storage, replica].map(({ challenges }) => challenges.change(next)));
    expect(changed.toSorted()).toEqual([false, true]);
    expect(await replica.challenges.find(row.idHash, start)).toEqual(next);
    expect(await storage.challenges.remove(row.idHash)).toBe(true);
    expect(await storage.challenges.remove(row.idHash)).toBe(false);
    expect(await storage.challenges.change({ ...next, revision: 3 })).toBe(false);
  });

  it('are absent where a former release wrote how they go on', async () => {
    const row = Object.assign(challengeOf(someStudent()), { resume: '{"half":"session"}' });
    await storage.challenges.open(row);
    expect(await replica.challenges.find(row.idHash, start)).toBeNull();
    expect(await replica.challenges.of(row.userid, start)).toBeNull();
  });

  it('are absent without their key', async () => {
    const row = challengeOf(someStudent());
    await storage.challenges.open(row);
    const stranger = await database.open([keyB]);
    expect(await stranger.challenges.find(row.idHash, start)).toBeNull();
  });
});
