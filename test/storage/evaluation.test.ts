import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { EvaluationStore, TaskWrite } from '../../src/domain/evaluation/types.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, onBothDatabases, registered, start } from './databases.ts';

const owner = 'process one';

onBothDatabases('evaluation tasks', (database) => {
  let storage: Storage;
  let here: EvaluationStore;
  let there: EvaluationStore;
  let userid: string;
  beforeAll(async () => {
    storage = await database.open();
    here = storage.evaluation;
    there = (await database.open()).evaluation;
  });
  beforeEach(async () => {
    ({ userid } = await registered(storage));
  });

  const entry = (more: Partial<TaskWrite> = {}): TaskWrite => ({
    ...{ userid, revision: null, snapshot: '{}', owner, lives: true, now: start, expiresAt: null },
    ...more,
  });

  it('a task is there on every replica, with its revision, and goes with the account', async () => {
    expect(await here.write(entry())).toBe(1);
    expect(await there.read(userid, start)).toMatchObject({
      userid,
      revision: 1,
      snapshot: '{}',
      owner,
      expiresAt: null,
    });
    expect(await there.write(entry({ revision: 1, snapshot: '{"a":1}' }))).toBe(2);
    expect(await here.read(userid, start)).toMatchObject({ revision: 2, snapshot: '{"a":1}' });
    await storage.accounts.deleteUser(userid);
    expect(await here.read(userid, start)).toBeNull();
    expect(await here.write(entry())).toBeNull();
  });

  it('of two writes of one revision one succeeds, also of two first ones', async () => {
    const first = await Promise.all([here.write(entry()), there.write(entry())]);
    expect(first.toSorted()).toEqual([1, null]);
    const second = await Promise.all([here.write(entry({ revision: 1 })), there.write(entry({ revision: 1 }))]);
    expect(second.toSorted()).toEqual([2, null]);
  });

  it('a task has lost its process a minute after its last sign of life, which only that process gives', async () => {
    await here.write(entry());
    const hasDiedAt = async (ms: number) => (await there.read(userid, start + ms))?.hasDied;
    expect(await hasDiedAt(59_999)).toBe(false);
    await there.write(entry({ revision: 1, lives: false, now: start + 60_000 }));
    expect(await here.beat('another', [userid], start + 60_000)).toEqual([]);
    if (database.kind === 'sqlite') expect(await hasDiedAt(60_000)).toBe(true);
    expect(await here.beat(owner, [userid], start + 60_000)).toEqual([{ userid, revision: 2 }]);
    expect(await hasDiedAt(119_999)).toBe(false);
  });

  it('a sign of life holds for the named students alone', async () => {
    await here.write(entry());
    const other = await registered(storage);
    await here.write(entry({ userid: other.userid }));
    expect(await here.beat(owner, [other.userid], start)).toEqual([{ userid: other.userid, revision: 1 }]);
  });

  it('a sweep drops expired tasks, and those of a process that died a day ago', async () => {
    const now = database.kind === 'sqlite' ? start : Date.now();
    await here.write(entry({ owner: null, lives: false, expiresAt: now + 1_000 }));
    const { userid: running } = await registered(storage);
    await here.write(entry({ userid: running }));
    await storage.sweep(now + 999);
    expect(await here.read(userid, now)).not.toBeNull();
    expect((await storage.sweep(now + 1_000)).evaluation_tasks).toBeGreaterThanOrEqual(1);
    expect([await here.read(userid, now), (await here.read(running, now))?.owner]).toEqual([null, owner]);
    await storage.sweep(now + day + 120_000);
    expect(await here.read(running, now)).toBeNull();
  });
});
