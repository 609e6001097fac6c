import { beforeAll, expect, it, vi } from 'vitest';
import { silentLog } from '../../src/domain/context.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, keyA, keyB, login, onBothDatabases, registered, someStudent, start } from './databases.ts';

onBothDatabases('sealed sessions', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const student = async () => {
    const { userid } = await registered(storage);
    const generation = await storage.sessions.generation(userid);
    if (generation === null) throw new Error('not registered');
    return { userid, generation };
  };

  it('a student who is not registered has no sessions', async () => {
    const userid = someStudent();
    expect(await storage.sessions.generation(userid)).toBeNull();
    expect(await storage.sessions.load(userid)).toBeNull();
    expect(await storage.sessions.save(userid, 0, [{ system: 'jwc', state: 'state' }], start)).toBeNull();
    expect(await storage.sessions.nextGeneration(userid)).toBeNull();
  });

  it('one replica loads the entries that another saved, with growing revisions', async () => {
    const { userid, generation } = await student();
    expect(await storage.sessions.load(userid)).toEqual({ generation, entries: [] });
    const first = await storage.sessions.save(userid, generation, [{ system: 'portal', state: 'cookie=一' }], start);
    const second = await replica.sessions.save(userid, generation, [{ system: 'jwc', state: 'jar' }], start);
    const third = await storage.sessions.save(userid, generation, [{ system: 'portal', state: 'cookie=二' }], start);
    expect(second).toBeGreaterThan(first!);
    expect(third).toBeGreaterThan(second!);
    expect(await replica.sessions.load(userid)).toEqual({
      generation,
      entries: [
        { system: 'jwc', state: 'jar', revision: second },
        { system: 'portal', state: 'cookie=二', revision: third },
      ],
    });
  });

  it('a new generation drops all entries and refuses what the old one still delivers', async () => {
    const { userid, generation } = await student();
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'old' }], start);
    const next = (await replica.sessions.nextGeneration(userid))?.generation;
    expect(next).toBe(generation + 1);
    expect(await storage.sessions.generation(userid)).toBe(next);
    expect(await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'late' }], start)).toBeNull();
    expect(await storage.sessions.load(userid)).toEqual({ generation: next, entries: [] });
  });

  it('a login with a session begins the next generation, and one without leaves the old one', async () => {
    const { userid, generation } = await student();
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'old' }], start);
    await login(replica, userid);
    expect(await storage.sessions.load(userid)).toMatchObject({ generation, entries: [{ state: 'old' }] });
    const session = ['jwc', 'portal'].map((system) => ({ system, state: 'new' }));
    await login(replica, userid, { session });
    const loaded = await storage.sessions.load(userid);
    expect(loaded).toMatchObject({ generation: generation + 1, entries: session });
    expect(await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'late' }], start)).toBeNull();
    expect(await storage.sessions.load(userid)).toEqual(loaded);
  });

  it('a sweep removes those of a student whose last token expired, a day after they were stored', async () => {
    const later = start + 40 * day;
    const [gone, young, live] = [await student(), await student(), await student()];
    const save = ({ userid, generation }: typeof gone, now: number) =>
      storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'jar' }], now);
    await Promise.all([save(gone, start), save(live, start), save(young, later - day + 1)]);
    await login(storage, live.userid, { now: later, tokenExpiresAt: later + day });
    expect((await storage.sweep(later)).upstream_sessions).toBeGreaterThanOrEqual(1);
    const left = await Promise.all([gone, young, live].map(({ userid }) => storage.sessions.load(userid)));
    expect(left.map((loaded) => loaded?.entries.length)).toEqual([0, 1, 1]);
  });

  it('saves that race with a new generation leave nothing behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { userid, generation } = await student();
      const saves = Array.from({ length: 6 }, (_, at) =>
        (at % 2 ? storage : replica).sessions.save(
          userid,
          generation,
          [{ system: `system ${at % 3}`, state: 'old' }],
          start,
        ),
      );
      const [next] = await Promise.all([replica.sessions.nextGeneration(userid), ...saves]);
      expect(await storage.sessions.load(userid)).toEqual({ generation: next?.generation, entries: [] });
    }
  });

  it('parallel saves of one entry get different revisions, and the highest stays', async () => {
    const { userid, generation } = await student();
    const revisions = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? storage : replica).sessions.save(
          userid,
          generation,
          [{ system: 'jwc', state: `state ${at}` }],
          start,
        ),
      ),
    );
    expect(new Set(revisions).size).toBe(10);
    const highest = Math.max(...revisions.map(Number));
    expect((await storage.sessions.load(userid))?.entries).toEqual([
      { system: 'jwc', state: `state ${revisions.indexOf(highest)}`, revision: highest },
    ]);
  });

  it('entries of an unknown key are left out and noted without naming the student', async () => {
    const { userid, generation } = await student();
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'sealed by the first key' }], start);
    const warn = vi.fn();
    const newcomer = await database.open([keyB], { ...silentLog, warn });
    await newcomer.sessions.save(userid, generation, [{ system: 'aac', state: 'sealed by another key' }], start);

    expect((await newcomer.sessions.load(userid))?.entries).toMatchObject([{ system: 'aac' }]);
    expect(warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(warn.mock.calls)).not.toContain(userid);

    const both = await database.open([keyB, keyA]);
    expect((await both.sessions.load(userid))?.entries).toMatchObject([{ system: 'aac' }, { system: 'jwc' }]);
  });
});
