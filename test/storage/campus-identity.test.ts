import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { demoIdentity } from '../../src/lib/campus-identity.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { onBothDatabases, registered, start } from './databases.ts';

const here = { CAMPUS_VPN_URL: 'https://vpn.here.edu', CAMPUS_CAS_URL: 'https://cas.here.edu' };
const moved = { ...here, CAMPUS_CAS_URL: 'https://sso.here.edu' };
const code = 'DEMO-2026';
const room = { roomCode: '1', roomName: 'room', displayText: 'room' };

const seedDemoCode = (storage: Storage): Promise<boolean> =>
  storage.invites.createCode({ code, maxUses: null, expiresAt: null, now: start });

onBothDatabases('the campus of a database', (database) => {
  it('is that of the first start, and later ones are told', async () => {
    const storage = await database.openFresh();
    expect(await storage.campusIdentity.owner(code)).toBeNull();
    expect(await storage.campusIdentity.claim(here, code)).toEqual(here);
    expect(await storage.campusIdentity.claim(moved, code)).toEqual(here);
    expect(await storage.campusIdentity.claim(demoIdentity, code)).toEqual(here);
    expect(await storage.campusIdentity.owner(code)).toEqual(here);
  });

  it('is the demo where a former version left the demo code, whichever campus starts first', async () => {
    const storage = await database.openFresh();
    await seedDemoCode(storage);
    expect(await storage.campusIdentity.owner(code)).toEqual(demoIdentity);
    expect(await storage.campusIdentity.claim(here, code)).toEqual(demoIdentity);
  });

  it('is not made the demo by an operator’s code of the same name', async () => {
    const storage = await database.openFresh();
    await storage.campusIdentity.claim(here, code);
    await seedDemoCode(storage);
    expect(await storage.campusIdentity.claim(here, code)).toEqual(here);
  });

  it('is decided once among processes that start at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const storage = await database.openFresh();
      const replicas = [storage, ...(await Promise.all([1, 2, 3].map(() => storage.again())))];
      const wishes = [here, demoIdentity, moved, { CAMPUS_VPN_URL: `https://${randomBytes(4).toString('hex')}.edu` }];
      const told = await Promise.all(
        replicas.map((each, at) => each.campusIdentity.claim(wishes[at] ?? demoIdentity, code)),
      );
      expect(new Set(told.map((identity) => JSON.stringify(identity))).size).toBe(1);
      expect(wishes).toContainEqual(told[0]);
    }
  });

  it('learns an address that an earlier version did not ask for, and holds on to it', async () => {
    const storage = await database.openFresh();
    await storage.campusIdentity.claim(here, code);
    const more = { ...here, CAMPUS_ISIM_URL: 'https://power.here.edu' };
    await storage.campusIdentity.claim(more, code);
    expect(await storage.campusIdentity.owner(code)).toEqual(more);
  });

  it('may change its addresses: accounts, tokens and rooms stay, campus sessions end', async () => {
    const storage = await database.openFresh();
    await storage.campusIdentity.claim(here, code);
    const { userid, tokenHash } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'cookies of the old address' }], start);
    await storage.roomTree.replace({ readAt: start, buildings: '[]' });
    await storage.roomBindings.bind(userid, room, start);

    expect((await storage.accounts.readPair(userid))?.refusedStep).toBeNull();
    expect(await storage.campusIdentity.move(moved, ['unified-login'])).toBe(1);
    expect(await storage.campusIdentity.claim(moved, code)).toEqual(moved);
    // The pair was meant for the former place, and is asked there no more.
    expect((await storage.accounts.readPair(userid))?.refusedStep).toBe('unified-login');
    expect(await storage.tokens.find(tokenHash, start)).not.toBeNull();
    expect(await storage.roomTree.revision()).not.toBeNull();
    expect(await storage.roomBindings.find(userid)).not.toBeNull();
    expect((await storage.sessions.load(userid))?.entries).toEqual([]);
    expect(await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'late' }], start)).toBeNull();
  });
});
