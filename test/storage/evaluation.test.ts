import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { EvaluationStore, TaskWrite } from '../../src/domain/evaluation/types.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { day, onBothDatabases, registered, someHash, start } from './databases.ts';

const LIFE_MS = 10_000;
/** More than statements take on a busy machine: the time of PostgreSQL goes on. */
const A_WHILE_MS = 5_000;

onBothDatabases('evaluation tasks', (database) => {
  let storage: Storage;
  let here: EvaluationStore;
  let there: EvaluationStore;
  let userid: string;
  let owner: string;
  beforeAll(async () => {
    storage = await database.open();
    here = storage.evaluation;
    there = (await database.open()).evaluation;
  });
  beforeEach(async () => {
    ({ userid } = await registered(storage));
    owner = someHash();
  });

  const lease = (of: string) => ({ owner: of, now: database.now(), lifeMs: LIFE_MS });
  const entry = (change: Partial<TaskWrite> = {}): TaskWrite => ({
    userid,
    revision: null,
    snapshot: '{"任务":1}',
    active: true,
    lease: lease(owner),
    expiresAt: null,
    ...change,
  });
  /** What `claim` takes among the tasks of this test: others of the database may be free as well. */
  const claimed = async (by: string): Promise<string[]> =>
    (await there.claim(lease(by), 1_000)).map((task) => task.userid).filter((each) => each === userid);

  it('a task is read by every replica as it was written', async () => {
    expect(await here.read(userid)).toBeNull();
    expect(await here.write(entry())).toBe(1);
    expect(await there.read(userid)).toEqual({ userid, revision: 1, snapshot: '{"任务":1}', owner, expiresAt: null });
  });

  it('a write replaces the revision it names and no other', async () => {
    await here.write(entry());
    expect(await there.write(entry({ revision: 1, snapshot: 'two', lease: 'keep' }))).toBe(2);
    expect(await here.write(entry({ revision: 1, snapshot: 'late' }))).toBeNull();
    expect(await here.write(entry({ snapshot: 'once more the first' }))).toBeNull();
    expect(await here.read(userid)).toMatchObject({ revision: 2, snapshot: 'two', owner });
  });

  it('of many first writes at once, and of many changes of one revision, one is stored', async () => {
    const stores = Array.from({ length: 10 }, (_, at) => (at % 2 ? here : there));
    const first = await Promise.all(stores.map((store, at) => store.write(entry({ snapshot: `first ${at}` }))));
    expect(first.filter((revision) => revision !== null)).toEqual([1]);
    const next = await Promise.all(stores.map((store, at) => store.write(entry({ revision: 1, snapshot: `${at}` }))));
    expect(next.filter((revision) => revision !== null)).toEqual([2]);
  });

  it('nothing is written for an account that does not exist, and a task goes with its account', async () => {
    expect(await here.write(entry({ userid: 'nobody' }))).toBeNull();
    await here.write(entry());
    await storage.accounts.deleteUser(userid);
    expect(await there.read(userid)).toBeNull();
    expect(await here.write(entry({ revision: 1 }))).toBeNull();
  });

  it('an active task is claimed when its lease has ended, by one replica only, with a new revision', async () => {
    await here.write(entry());
    await database.pass(LIFE_MS - A_WHILE_MS);
    expect(await claimed('early')).toEqual([]);
    await database.pass(A_WHILE_MS);
    const got = await Promise.all(
      Array.from({ length: 6 }, (_, at) => (at % 2 ? here : there).claim(lease(`claimer ${at}`), 1_000)),
    );
    const mine = got.flat().filter((task) => task.userid === userid);
    expect(mine).toHaveLength(1);
    expect(mine[0]).toMatchObject({ revision: 2 });
    expect(await here.read(userid)).toEqual(mine[0]);
  });

  it('a renewed lease is not claimed, also when it is renewed late; one that was claimed is not renewed', async () => {
    await here.write(entry());
    await database.pass(LIFE_MS + 1);
    const renew = () => here.renew(lease(owner), [userid, 'nobody']);
    expect(await renew()).toEqual([{ userid, revision: 1 }]);
    await database.pass(LIFE_MS - A_WHILE_MS);
    expect(await claimed('two')).toEqual([]);
    await database.pass(A_WHILE_MS);
    expect(await claimed('two')).toEqual([userid]);
    expect(await renew()).toEqual([]);
    await database.pass(LIFE_MS);
    expect(await claimed('three')).toEqual([userid]);
  });

  it('a task is claimed whose lease was taken while the clock was two days ahead', async () => {
    await here.write(entry());
    await database.pass(-2 * day);
    expect(await claimed('after the correction')).toEqual([userid]);
  });

  it('a released task may be claimed at once, and a claim takes no more than its limit', async () => {
    await here.write(entry());
    await here.release(owner);
    const { userid: other } = await registered(storage);
    await here.write(entry({ userid: other, lease: null }));
    const taken = await there.claim(lease('one'), 1);
    expect(taken).toHaveLength(1);
    const left = (await there.claim(lease('two'), 100)).map((task) => task.userid);
    expect([...taken.map((task) => task.userid), ...left]).toEqual(expect.arrayContaining([userid, other]));
  });

  it('an inactive task is never claimed, and its owner holds it no longer', async () => {
    await here.write(entry());
    expect(await here.held(owner)).toEqual([{ userid, revision: 1 }]);
    await here.write(entry({ revision: 1, active: false, lease: null, expiresAt: start + 1_000 }));
    expect(await here.held(owner)).toEqual([]);
    await database.pass(100_000);
    expect(await claimed('two')).toEqual([]);
  });

  it('a sweep forgets what has expired and nothing else', async () => {
    await here.write(entry({ active: false, lease: null, expiresAt: start + 1_000 }));
    const { userid: running } = await registered(storage);
    await here.write(entry({ userid: running }));
    await there.sweep(start + 999);
    expect(await here.read(userid)).not.toBeNull();
    expect(await there.sweep(start + 1_000)).toBeGreaterThanOrEqual(1);
    expect(await here.read(userid)).toBeNull();
    expect(await here.read(running)).not.toBeNull();
  });
});
