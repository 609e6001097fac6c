import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { Guard } from '../../src/domain/accounts/guard/guard.ts';
import { emptyStudent, type StudentRow } from '../../src/domain/accounts/guard/row.ts';
import { wantsLogin } from '../../src/domain/accounts/guard/stored-pair.ts';
import { erasureOf, isUnreadable } from '../../src/domain/accounts/guard/stored-rows.ts';
import { silentLog } from '../../src/domain/context.ts';
import { KeyedNames } from '../../src/lib/hash.ts';
import { takeOverGuard } from '../../src/storage/migrations/guard-rows.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { readGuard, remember } from '../support/guard-rows.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { foreign, stranger } from '../unit/domain/accounts/guard/support.ts';
import { day, keyA, keyB, onBothDatabases, openRaw, registered, someStudent, start } from './databases.ts';

const home = { at: start, network: 'home' };
const ask = { id: 'a', at: start, kind: 'stranger', by: '', state: 'refused', endedAt: start, stored: false } as const;

onBothDatabases('the rows of the login guard', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const put = (userid: string, student: Partial<StudentRow>, at = storage) => remember(at, userid, () => student);
  const studentOf = async (userid: string, at = storage) => (await readGuard(at, userid)).student;

  it('are the same for every replica, under a student id in any spelling', async () => {
    const userid = `Aa${someStudent()}`.slice(0, 20);
    expect(await studentOf(userid)).toEqual(emptyStudent);
    // The second ask is of a process that died while it asked.
    const asks = [ask, { ...ask, id: 'b', state: 'open' }] as const;
    await put(userid, { networks: [home], asks });
    expect(await studentOf(userid.toUpperCase(), replica)).toEqual({ ...emptyStudent, networks: [home], asks });
  });

  it('name no student', async () => {
    const userid = someStudent();
    await put(userid, { networks: [home] });
    const db = await database.raw();
    const names = (await db.selectFrom('guard_rows').select('name').execute()).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => name !== 'gateway' && !/^[0-9a-f]{32}$/.test(name))).toEqual([]);
  });

  it('lose nothing when two replicas change them at once', async () => {
    const userid = someStudent();
    const add = (at: Storage, id: string) => remember(at, userid, ({ asks }) => ({ asks: [...asks, { ...ask, id }] }));
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(i % 2 ? storage : replica, `${i}`)));
    expect((await studentOf(userid)).asks).toHaveLength(20);
  });

  it('of a version that lacked a member are completed and not spent, and keep what only a later one knows', async () => {
    const userid = someStudent();
    await put(userid, { networks: [home] });
    const db = await database.raw();
    const name = new KeyedNames([keyA]).one('asked', userid);
    const memory = async (): Promise<string> =>
      (await db.selectFrom('guard_rows').select('memory').where('name', '=', name).executeTakeFirstOrThrow()).memory;
    const { mark: _, ...lacking } = JSON.parse(await memory());
    const older = JSON.stringify({ ...lacking, later: [1] });
    await db.updateTable('guard_rows').set({ memory: older }).where('name', '=', name).execute();
    expect(await studentOf(userid)).toMatchObject({ networks: [home], mark: null, spentUntil: 0 });
    await put(userid, { acceptedAt: start });
    expect(JSON.parse(await memory())).toMatchObject({ mark: null, acceptedAt: start, later: [1] });
  });

  it('count an unreadable student row as spent for a day, for that student alone', async () => {
    const [broken, other] = [someStudent(), someStudent()];
    await remember(storage, broken, () => ({ rights: [{ at: Date.now() }] }), Date.now());
    const db = await database.raw();
    const name = new KeyedNames([keyA]).one('asked', broken);
    await db.updateTable('guard_rows').set({ memory: '{"no' }).where('name', '=', name).execute();
    const clock = new ManualClock(Date.now());
    const guard = new Guard({ guards: storage.guards, clock, log: silentLog, perDay: 4 });
    const login = (userid: string) =>
      guard.decide(userid, (draft, at) =>
        wantsLogin(draft, { caller: stranger(), pair: foreign(), tag: '', answeredMs: 0 }, at),
      );
    expect(await login(broken)).toMatchObject({ type: 'wait', limit: 'compare-limit' });
    expect(await login(other)).toMatchObject({ type: 'go' });
    clock.advance(day);
    expect(await login(broken)).toMatchObject({ type: 'go' });
    expect(await storage.guards.forget(name)).toBe(true);
  });

  it('let one sign-in through at a time while the gateway row is unreadable', async () => {
    await storage.guards.change('x', ['gateway'], start, () => ({ result: null, write: {} }));
    const db = await database.raw();
    await db.updateTable('guard_rows').set({ memory: 'nonsense' }).where('name', '=', 'gateway').execute();
    expect((await readGuard(storage, 'x')).gateway.stored.open).not.toBeNull();
    expect(await storage.guards.unreadable(isUnreadable)).toEqual(['gateway']);
    await storage.guards.forget('gateway');
  });

  it('are found under a rotated key and written under the new one', async () => {
    const userid = someStudent();
    await put(userid, { networks: [home] });
    const rotated = await database.open([keyB, keyA]);
    expect((await studentOf(userid, rotated)).networks).toEqual([home]);
    await put(userid, { asks: [ask] }, rotated);
    expect(await studentOf(userid, rotated)).toMatchObject({ networks: [home], asks: [ask] });
    // A replica that still has the old key alone writes beside it.
    await put(userid, { acceptedAt: start + 5, restsSince: start + 3 }, rotated);
    await put(userid, { acceptedAt: start + 2, restsSince: start + 7 });
    expect(await studentOf(userid, rotated)).toMatchObject({ acceptedAt: start + 5, restsSince: start + 7 });
  });

  it('keep asks and refused secrets of an erased account for a day, and no home', async () => {
    const { userid } = await registered(storage);
    const refused = [{ at: start, step: 'portal', print: 'p' } as const];
    await put(userid, { networks: [home], asks: [ask], refused, mark: { at: start, wanted: 'sms', step: 'portal' } });
    await storage.accounts.deleteUser(userid, erasureOf(userid, start));
    expect(await studentOf(userid)).toEqual({ ...emptyStudent, asks: [ask], refused });
    const { userid: trusted } = await registered(storage);
    await put(trusted, { networks: [home] });
    await storage.accounts.deleteUser(trusted, erasureOf(trusted, start));
    expect(await studentOf(trusted)).toEqual(emptyStudent);
  });

  it('take over homes, mark, and recent asks and refusals from the previous release, and drop the rest', async () => {
    const { url } = await database.openFresh();
    const names = new KeyedNames([keyA]);
    const { db } = await openRaw(url);
    const write = (name: string, memory: object) =>
      sql`insert into guard_memory values (${name}, ${JSON.stringify(memory)}, 0)`.execute(db);
    const old = { id: 'b', at: start - day, by: 'stranger', network: 'n', state: 'refused', endedAt: start - day };
    const late = { ...old, id: 'a', at: start - 1, state: 'marker', endedAt: start - 1, setAside: true };
    const print = { print: 'p', step: 'portal', at: start - 1, replaced: false };
    await write('student:Ab1', {
      networks: [
        { network: 'home', at: start - day, login: true },
        { network: 'seen', at: start - 1, login: false },
      ],
      person: { wanted: 'sms', at: start, liftedUntil: 0 },
      mismatches: [{ at: start }],
      provenAt: 5,
    });
    await write(`asked:${names.one('asked', 'ab1')}`, { asks: [old, late], refusedSecrets: [print] });
    await write('gateway', { refused: [] });
    await write('code:X', {});
    await takeOverGuard(db, names, start);
    const storage = await database.openAt(url);
    expect(await studentOf('AB1', storage)).toEqual({
      ...emptyStudent,
      networks: [{ network: 'home', at: start - day }],
      mark: { at: start, wanted: 'sms', step: 'portal' },
      asks: [{ id: 'a', at: start - 1, kind: 'stranger', by: '', state: 'refused', endedAt: start - 1, stored: true }],
      refused: [{ at: start - 1, step: 'portal', print: 'p' }],
      acceptedAt: 5,
    });
    expect(await storage.guards.unreadable(isUnreadable)).toEqual([]);
    // A replica of that release may still write rows, which age.
    await write('student:Ab2', {});
    expect((await storage.sweep(start)).guard_memory).toBe(1);
  });
});
