import { expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { keyA, keyB, login, onBothDatabases, registered, start } from './databases.ts';

const keyC = Buffer.alloc(32, 3);
const fresh = (name: string) => ({ password: `${name}-unified`, vpnPassword: `${name}-portal` });

onBothDatabases('key rotation', (database) => {
  /** Registers a student whose pair and one session are sealed with the first key of `storage`. */
  const sealedStudent = async (storage: Storage) => {
    const { userid } = await registered(storage);
    const generation = await storage.sessions.generation(userid);
    if (generation === null) throw new Error('not registered');
    await storage.sessions.save(userid, generation, 'jwc', `jar of ${userid}`, start);
    await storage.sessions.save(userid, generation, 'portal', `cookie of ${userid}`, start);
    return { userid, generation };
  };

  it('after a rotation the new key alone opens everything, and another run finds nothing to do', async () => {
    const old = await database.open([keyA]);
    const students = [];
    for (let at = 0; at < 7; at += 1) students.push(await sealedStudent(old));
    const before = await old.sessions.load(students[0]!.userid);
    const rotating = await database.open([keyB, keyA]);

    expect(await rotating.rotate({ batchSize: 2 })).toEqual({ resealed: 21, unreadable: 0, unsettled: 0 });
    expect(await rotating.rotate({ batchSize: 2 })).toEqual({ resealed: 0, unreadable: 0, unsettled: 0 });

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
    await old.accounts.markPairRefused(userid, version, 'unified-login');
    const rotating = await database.open([keyB, keyA]);
    await rotating.rotate();
    expect(await rotating.accounts.readPair(userid)).toMatchObject({ version, refusedStep: 'unified-login' });
    await old.accounts.deleteUser(userid);
  });

  it('rows of an unknown key are counted and left as they are', async () => {
    const foreign = await database.open([keyC]);
    const { userid } = await sealedStudent(foreign);
    const rotating = await database.open([keyB, keyA]);
    expect(await rotating.rotate({ batchSize: 1 })).toEqual({ resealed: 0, unreadable: 3, unsettled: 0 });
    expect((await foreign.accounts.readPair(userid))?.pair).toEqual(fresh('first'));
    await foreign.accounts.deleteUser(userid);
  });

  it('logins and session saves beside a rotation are not lost, whichever key their replica uses', async () => {
    const old = await database.open([keyA]);
    const rotating = await database.open([keyB, keyA]);
    const replica = await database.open([keyA, keyB]);
    const students = [];
    for (let at = 0; at < 24; at += 1) students.push(await sealedStudent(old));

    const writes = students.flatMap(({ userid, generation }, at) => {
      const writer = at % 2 ? replica : rotating;
      return [
        login(writer, userid, { newPair: fresh(`new-${userid}`) }),
        writer.sessions.save(userid, generation, 'jwc', `new jar of ${userid}`, start),
      ];
    });
    await Promise.all([rotating.rotate({ batchSize: 5 }), ...writes]);
    expect(await rotating.rotate()).toMatchObject({ unreadable: 0, unsettled: 0 });

    const after = await database.open([keyB]);
    for (const { userid } of students) {
      expect((await after.accounts.readPair(userid))?.pair).toEqual(fresh(`new-${userid}`));
      expect((await after.sessions.load(userid))?.entries.map((entry) => entry.state)).toEqual([
        `new jar of ${userid}`,
        `cookie of ${userid}`,
      ]);
    }
  });
});
