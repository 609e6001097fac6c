import { expect, it } from 'vitest';
import { Runner } from '../../src/storage/database/run.ts';
import { Sealer, sealedPlaces } from '../../src/storage/seal.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { rotateSeals } from '../../src/storage/upkeep/rotate.ts';
import { keptIn } from '../support/kept.ts';
import { keyA, keyB, login, onBothDatabases, openRaw, registered, start } from './databases.ts';

const keyC = Buffer.alloc(32, 3);
const fresh = (name: string) => ({ password: `${name}-unified`, vpnPassword: `${name}-portal` });

/** Lets another process write between the moment a rotation reads a row and the moment it replaces it. */
class InterruptedRunner extends Runner {
  interrupt: (operation: string) => Promise<void> = async () => {};

  override async run<T>(operation: string, work: (db: Runner['db']) => Promise<T>): Promise<T> {
    await this.interrupt(operation);
    return super.run(operation, work);
  }
}

onBothDatabases('key rotation', (database) => {
  const interrupted = async () => new InterruptedRunner(await openRaw(database.url()));

  /** Registers a student whose pair and one session are sealed with the first key of `storage`. */
  const sealedStudent = async (storage: Storage) => {
    const { userid } = await registered(storage);
    const generation = await storage.sessions.generation(userid);
    if (generation === null) throw new Error('not registered');
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: `jar of ${userid}` }], start);
    await storage.sessions.save(userid, generation, [{ system: 'portal', state: `cookie of ${userid}` }], start);
    return { userid, generation };
  };

  it('after a rotation the new key alone opens everything, and another run finds nothing to do', async () => {
    const old = await database.open([keyA]);
    const students = [];
    // More sessions than one page holds.
    for (let at = 0; at < 17; at += 1) students.push(await sealedStudent(old));
    const before = await old.sessions.load(students[0]!.userid);
    const rotating = await database.open([keyB, keyA]);

    expect(await rotating.rotate()).toEqual({ resealed: 68, unreadable: 0, unsettled: 0 });
    expect(await rotating.rotate()).toEqual({ resealed: 0, unreadable: 0, unsettled: 0 });

    const after = await database.open([keyB]);
    for (const { userid } of students) {
      expect((await after.accounts.readPair(userid))?.pair).toEqual(fresh('first'));
      expect((await after.sessions.load(userid))?.entries.map((entry) => entry.state)).toEqual([
        `jar of ${userid}`,
        `cookie of ${userid}`,
      ]);
    }
    expect(await after.sessions.load(students[0]!.userid)).toEqual(before);
    for (const { userid } of students) await after.accounts.deleteUser(userid);
  });

  it('a refused mark and the version of a pair survive', async () => {
    const old = await database.open([keyA]);
    const { userid } = await sealedStudent(old);
    const { version } = (await old.accounts.readPair(userid))!;
    await keptIn(old).accounts.markPairRefused(userid, version, 'unified-login');
    const rotating = await database.open([keyB, keyA]);
    await rotating.rotate();
    expect(await rotating.accounts.readPair(userid)).toMatchObject({ version, refusedStep: 'unified-login' });
    await old.accounts.deleteUser(userid);
  });

  it('rows of an unknown key are counted and left as they are', async () => {
    const foreign = await database.open([keyC]);
    const { userid } = await sealedStudent(foreign);
    const rotating = await database.open([keyB, keyA]);
    expect(await rotating.rotate()).toEqual({ resealed: 0, unreadable: 4, unsettled: 0 });
    expect((await foreign.accounts.readPair(userid))?.pair).toEqual(fresh('first'));
    await foreign.accounts.deleteUser(userid);
  });

  it('a row of which only one column holds a value is resealed', async () => {
    const old = await database.open([keyA]);
    const { userid } = await sealedStudent(old);
    const db = await database.raw();
    const place = sealedPlaces.client({ userid });
    const half = { sealed_network: null, sealed_client: new Sealer([keyA]).seal('CampusApp', place) };
    await db.updateTable('tokens').set(half).where('userid', '=', userid).execute();

    const rotating = await database.open([keyB, keyA]);
    expect(await rotating.rotate()).toMatchObject({ unreadable: 0, unsettled: 0 });

    const { sealed_client, sealed_network } = await db
      .selectFrom('tokens')
      .select(['sealed_client', 'sealed_network'])
      .where('userid', '=', userid)
      .executeTakeFirstOrThrow();
    expect(new Sealer([keyB]).open(String(sealed_client), place)).toBe('CampusApp');
    expect(sealed_network).toBeNull();
    await rotating.accounts.deleteUser(userid);
  });

  it('a pair or session that is replaced after the rotation has read it stays the new one', async () => {
    const replica = await database.open([keyA, keyB]);
    const { userid, generation } = await sealedStudent(replica);
    const runner = await interrupted();
    let logins = 0;
    runner.interrupt = async (operation) => {
      if (operation === 'reseal credentials' && logins++ === 0)
        await login(replica, userid, { newPair: fresh('newer') });
      if (operation === 'reseal upstream_sessions')
        await replica.sessions.save(userid, generation, [{ system: 'portal', state: 'newer cookie' }], start);
    };

    const report = await rotateSeals({ runner, sealer: new Sealer([keyB, keyA]) });

    // The replica still seals with the old key: its pair is resealed in a later round, its session changes in every round.
    expect(report).toEqual({ resealed: 4, unreadable: 0, unsettled: 1 });
    const after = await database.open([keyB, keyA]);
    expect((await after.accounts.readPair(userid))?.pair).toEqual(fresh('newer'));
    expect((await after.sessions.load(userid))?.entries.map((entry) => entry.state)).toEqual([
      `jar of ${userid}`,
      'newer cookie',
    ]);
    await after.accounts.deleteUser(userid);
  });
});
