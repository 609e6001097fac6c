import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { keptIn } from '../support/kept.ts';
import {
  codeFor,
  day,
  inviteToken,
  keyB,
  login,
  onBothDatabases,
  openStorage,
  registered,
  registration,
  someHash,
  someStudent,
  start,
} from './databases.ts';

onBothDatabases('accounts', (database) => {
  let storage: Storage;
  let replica: Storage;
  beforeAll(async () => {
    storage = await database.open();
    replica = await database.open();
  });

  const outcomeOf = (registered: object | string): string => (typeof registered === 'string' ? registered : 'created');
  it('a registered student is found, with the pair, a live token and a consumed invite token', async () => {
    const userid = someStudent();
    const invite = await inviteToken(storage);
    const entry = registration(userid, invite);
    expect(await storage.accounts.findUser(userid)).toBeNull();
    expect(await storage.accounts.readPair(userid)).toBeNull();

    expect(outcomeOf(await storage.accounts.register(entry))).toBe('created');

    expect(await storage.accounts.findUser(userid)).toEqual({ userid, createdAt: start, lastLoginAt: start });
    expect(await storage.accounts.readPair(userid)).toEqual({
      pair: { password: 'first-unified', vpnPassword: 'first-portal' },
      version: expect.any(Number),
      refusedStep: null,
    });
    expect(await storage.tokens.find(entry.tokenHash, start)).toEqual({
      userid,
      expiresAt: start + 30 * day,
      endsAt: start + 30 * day,
      lastUsedAt: start,
      issuedAt: start,
      personal: null,
      marks: expect.objectContaining({ generation: expect.any(Number) }),
    });
    expect(await codeFor(storage, invite)).toBeNull();
  });

  it('a refused registration changes nothing: the invite token stays usable and no code use is counted', async () => {
    const { userid } = await registered(storage);
    const code = `code-${someHash()}`;
    const invite = await inviteToken(storage, code);
    const entry = registration(userid, invite);

    expect(await storage.accounts.register(entry)).toBe('userid-taken');

    expect(await codeFor(storage, invite)).toBe(code);
    expect(await storage.invites.findCode(code)).toMatchObject({ used: 0 });
    expect(await storage.tokens.find(entry.tokenHash, start)).toBeNull();
    expect((await storage.accounts.readPair(userid))?.pair.password).toBe('first-unified');
  });

  it('an unknown, used or expired invite token is refused and registers no student', async () => {
    const invite = await inviteToken(storage);
    const userid = someStudent();
    expect(await storage.accounts.register(registration(userid, { ...invite, code: someHash() }))).toBe(
      'invite-token-invalid',
    );
    expect(await storage.accounts.register({ ...registration(userid, invite), now: start + 1_800_000 })).toBe(
      'invite-token-invalid',
    );
    expect(outcomeOf(await storage.accounts.register(registration(someStudent(), invite)))).toBe('created');
    expect(await storage.accounts.register(registration(userid, invite))).toBe('invite-token-invalid');
    expect(await storage.accounts.findUser(userid)).toBeNull();
  });

  it('an invite token is worth nothing once its code is revoked, expired or used up', async () => {
    const codes = {
      revoked: { maxUses: null, expiresAt: null },
      expired: { maxUses: null, expiresAt: start + 1 },
      spent: { maxUses: 1, expiresAt: null },
    };
    for (const [name, limits] of Object.entries(codes)) {
      const code = `${name}-${someHash()}`;
      await storage.invites.createCode({ code, ...limits, now: start });
      const invite = await inviteToken(storage, code);
      const rival = await inviteToken(storage, code);
      if (name === 'revoked') await storage.invites.revokeCode(code, start);
      if (name === 'spent') await storage.accounts.register(registration(someStudent(), rival));
      const userid = someStudent();
      expect(await storage.accounts.register({ ...registration(userid, invite), now: start + 1 })).toBe(
        'invite-token-invalid',
      );
      expect(await storage.accounts.findUser(userid)).toBeNull();
    }
  });

  it('parallel registrations with one invite token create one user', async () => {
    const invite = await inviteToken(storage);
    const ids = Array.from({ length: 8 }, someStudent);
    const results = await Promise.all(
      ids.map((userid, at) => (at % 2 ? replica : storage).accounts.register(registration(userid, invite))),
    );
    expect(results.map(outcomeOf).toSorted()).toEqual(['created', ...Array(7).fill('invite-token-invalid')]);
    const users = await Promise.all(ids.map((userid) => storage.accounts.findUser(userid)));
    expect(users.filter((user) => user !== null)).toHaveLength(1);
  });

  it('parallel registrations of one student id create one user and consume one invite token', async () => {
    const userid = someStudent();
    const invites = await Promise.all(Array.from({ length: 8 }, () => inviteToken(storage)));
    const results = await Promise.all(
      invites.map((invite, at) => (at % 2 ? replica : storage).accounts.register(registration(userid, invite))),
    );
    expect(results.map(outcomeOf).toSorted()).toEqual(['created', ...Array(7).fill('userid-taken')]);
    const usable = await Promise.all(invites.map((invite) => codeFor(storage, invite)));
    expect(usable.filter((code) => code === null)).toHaveLength(1);
  });

  it('parallel registrations for the last use of a code create one user', async () => {
    const code = `last-${someHash()}`;
    await storage.invites.createCode({ code, maxUses: 1, expiresAt: null, now: start });
    const invites = await Promise.all(Array.from({ length: 8 }, () => inviteToken(storage, code)));
    const results = await Promise.all(
      invites.map((invite, at) => (at % 2 ? replica : storage).accounts.register(registration(someStudent(), invite))),
    );
    expect(results.map(outcomeOf).toSorted()).toEqual(['created', ...Array(7).fill('invite-token-invalid')]);
    expect(await storage.invites.findCode(code)).toMatchObject({ used: 1 });
  });

  it('after a login exactly the five newest tokens live, by order of insertion and not by the clock', async () => {
    const { userid, tokenHash } = await registered(storage);
    const hashes = [tokenHash];
    for (let at = 1; at <= 7; at += 1) {
      const hash = someHash();
      hashes.push(hash);
      await login(at % 2 ? storage : replica, userid, { tokenHash: hash, now: start - at });
    }
    const live = await Promise.all(hashes.map(async (hash) => (await storage.tokens.find(hash, start)) !== null));
    expect(live).toEqual([false, false, false, true, true, true, true, true]);
  });

  it('expired tokens do not push live ones out', async () => {
    const { userid, tokenHash } = await registered(storage);
    for (let at = 0; at < 4; at += 1)
      await login(storage, userid, {
        tokenExpiresAt: start + 10,
      });
    await login(storage, userid, { now: start + 20 });
    await login(storage, userid, { now: start + 20 });
    expect(await storage.tokens.find(tokenHash, start + 20)).not.toBeNull();
  });

  it('parallel logins leave five tokens', async () => {
    const { userid } = await registered(storage);
    const hashes = Array.from({ length: 12 }, someHash);
    await Promise.all(hashes.map((tokenHash, at) => login(at % 2 ? storage : replica, userid, { tokenHash })));
    const found = await Promise.all(hashes.map((hash) => storage.tokens.find(hash, start)));
    expect(found.filter((token) => token !== null)).toHaveLength(5);
    const [user] = await storage.accounts
      .listUsers({ after: userid.slice(0, -1), limit: 1_000 })
      .then((all) => all.filter((each) => each.userid === userid));
    expect(user?.tokens).toBe(5);
  });

  it('a late refusal of an old pair does not mark the new one', async () => {
    const { userid } = await registered(storage);
    const old = await storage.accounts.readPair(userid);
    await keptIn(storage).accounts.markPairRefused(userid, old!.version, 'portal');
    expect((await storage.accounts.readPair(userid))?.refusedStep).toBe('portal');

    await login(storage, userid, { newPair: { password: 'second-unified', vpnPassword: 'second-portal' } });
    await keptIn(storage).accounts.markPairRefused(userid, old!.version, 'unified-login');

    expect(await storage.accounts.readPair(userid)).toEqual({
      pair: { password: 'second-unified', vpnPassword: 'second-portal' },
      version: old!.version + 1,
      refusedStep: null,
    });
  });

  it('a student id that is registered again does not meet its old generation or pair version', async () => {
    const { userid } = await registered(storage);
    const { generation } = (await storage.sessions.load(userid))!;
    const { version } = (await storage.accounts.readPair(userid))!;
    await storage.accounts.deleteUser(userid);
    await registered(storage, { userid, now: start + 1_000 });

    expect(await storage.sessions.save(userid, generation, [{ system: 'jwc', state: 'late state' }], start)).toBeNull();
    await keptIn(storage).accounts.markPairRefused(userid, version, 'portal');
    expect((await storage.accounts.readPair(userid))?.refusedStep).toBeNull();
    expect((await storage.sessions.load(userid))?.entries).toEqual([]);
  });

  it('a login beside the erasure of the account leaves no token behind', async () => {
    const { userid } = await registered(storage);
    const hashes = Array.from({ length: 6 }, someHash);
    await Promise.all([
      ...hashes.map((tokenHash) => login(replica, userid, { tokenHash })),
      storage.accounts.deleteUser(userid),
    ]);
    expect(await login(storage, userid, { tokenHash: hashes[0] })).toBe('user-gone');
    for (const hash of hashes) expect(await storage.tokens.find(hash, start)).toBeNull();
    expect(await storage.accounts.findUser(userid)).toBeNull();
  });

  it('users are listed in pages with their number of tokens', async () => {
    const ids = ['page-1', 'page-2', 'page-3'];
    for (const userid of ids) await registered(storage, { userid });
    await login(storage, 'page-2', { now: start + 5 });
    const first = await storage.accounts.listUsers({ after: 'page-', limit: 2 });
    expect(first).toEqual([
      { userid: 'page-1', createdAt: start, lastLoginAt: start, tokens: 1 },
      { userid: 'page-2', createdAt: start, lastLoginAt: start + 5, tokens: 2 },
    ]);
    const rest = await storage.accounts.listUsers({ after: 'page-2', limit: 2 });
    expect(rest.map((user) => user.userid)).toEqual(['page-3']);
  });

  it('a pair whose key is gone is unreadable and counted, until its student logs in with another one', async () => {
    const fresh = await database.openFresh();
    const { userid } = await registered(fresh);
    await registered(fresh);
    const stranger = await openStorage(fresh.url, { keys: [keyB] });
    await expect(stranger.accounts.readPair(userid)).rejects.toMatchObject({ kind: 'stored-credentials-unreadable' });
    expect([await fresh.accounts.foreignSeals(), await stranger.accounts.foreignSeals()]).toEqual([0, 2]);
    await login(stranger, userid, { newPair: { password: 'new-unified', vpnPassword: 'new-portal' } });
    expect(await stranger.accounts.foreignSeals()).toBe(1);
  });
});
