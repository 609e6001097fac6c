import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import { keyA, keyB, login, onBothDatabases, registered, start } from './databases.ts';

onBothDatabases('device trust', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });

  const piece = (system: string, state = 'jar') => ({ system, state });
  const trusted = { ...piece('unified-login'), trust: 'trust' };
  const student = async () => {
    const { userid } = await registered(storage);
    const save = async (...pieces: Parameters<Storage['sessions']['save']>[2]) => {
      const generation = (await storage.sessions.generation(userid)) ?? 0;
      return storage.sessions.save(userid, generation, pieces, start);
    };
    const stored = async () =>
      ((await storage.sessions.load(userid))?.entries ?? []).map(({ system, state, trust }) => [system, state, trust]);
    await save(trusted, piece('jwc'));
    return { userid, save, stored };
  };

  it('stays where its piece is saved without it, and is replaced or ended by one that says so', async () => {
    const { save, stored } = await student();
    await save(piece('unified-login', 'other jar'), piece('jwc', 'other'));
    expect(await stored()).toEqual([
      ['jwc', 'other', undefined],
      ['unified-login', 'other jar', 'trust'],
    ]);
    await save({ ...trusted, trust: 'newer' });
    expect((await stored())[1]).toEqual(['unified-login', 'jar', 'newer']);
    await save({ ...trusted, trust: null });
    expect((await stored())[1]).toEqual(['unified-login', 'jar', undefined]);
  });

  it('stays with the stored pair when its session is replaced, and with no other', async () => {
    const { userid, stored, save } = await student();
    await login(storage, userid, { session: [piece('portal')] });
    expect(await stored()).toEqual([
      ['portal', 'jar', undefined],
      ['unified-login', '', 'trust'],
    ]);
    await storage.sessions.nextGeneration(userid, { pieces: [piece('unified-login')], keepsTrust: true, now: start });
    expect(await stored()).toEqual([['unified-login', 'jar', 'trust']]);
    await login(storage, userid, { session: [{ ...trusted, trust: 'newer' }] });
    expect(await stored()).toEqual([['unified-login', 'jar', 'newer']]);
    const newPair = { password: 'new', vpnPassword: 'new' };
    for (const session of [[piece('unified-login')], null]) {
      await save(trusted);
      await login(storage, userid, { newPair, session });
      expect((await stored()).at(-1)).toEqual(['unified-login', 'jar', undefined]);
    }
    await login(storage, userid, { newPair, session: [trusted] });
    expect((await stored()).at(-1)).toEqual(['unified-login', 'jar', 'trust']);
  });

  it('ends with a session that nothing follows, with a refused pair of its version, and with all tokens', async () => {
    const one = await student();
    await storage.sessions.nextGeneration(one.userid);
    expect(await one.stored()).toEqual([]);
    const other = await student();
    const { version = 0 } = (await storage.accounts.readPair(other.userid)) ?? {};
    await keptIn(storage).accounts.markPairRefused(other.userid, version - 1, 'unified-login');
    expect((await other.stored())[1]).toContain('trust');
    await keptIn(storage).accounts.markPairRefused(other.userid, version, 'unified-login');
    expect((await other.stored())[1]).toEqual(['unified-login', 'jar', undefined]);
    const third = await student();
    await storage.tokens.endAll(third.userid, ['tokens'], start);
    expect((await third.stored())[1]).toEqual(['unified-login', 'jar', undefined]);
  });

  it('is left alone by the saves of a release that does not know it, and ends with the sessions that it replaces', async () => {
    const { userid, stored } = await student();
    const db = await database.raw();
    const put = sql`insert into upstream_sessions (userid, system, revision, updated_at, sealed_state)
      select userid, system, revision + 1, updated_at, sealed_state from upstream_sessions
        where userid = ${userid} and system = 'unified-login'
      on conflict (userid, system) do update set revision = excluded.revision, sealed_state = excluded.sealed_state`;
    await put.execute(db);
    expect((await stored())[1]).toEqual(['unified-login', 'jar', 'trust']);
    await sql`delete from upstream_sessions where userid = ${userid}`.execute(db);
    expect(await stored()).toEqual([]);
  });

  it('is sealed for its student and its place, by the key of the others', async () => {
    const { userid, stored } = await student();
    const db = await database.raw();
    const rows = () =>
      db.selectFrom('upstream_sessions').select(['system', 'sealed_trust']).where('userid', '=', userid).execute();
    const before = (await rows()).find(({ system }) => system === 'unified-login')?.sealed_trust;
    expect(before).toMatch(/^v/);
    await (await database.open([keyB, keyA])).rotate();
    expect((await rows()).find(({ system }) => system === 'unified-login')?.sealed_trust).not.toBe(before);
    const later = await database.open([keyB]);
    expect((await later.sessions.load(userid))?.entries).toMatchObject([{ system: 'jwc' }, { trust: 'trust' }]);
    await sql`update upstream_sessions set sealed_trust = sealed_state where userid = ${userid}`.execute(db);
    expect(await stored()).not.toContainEqual(expect.arrayContaining(['trust']));
  });
});
