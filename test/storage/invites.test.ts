import type { Kysely } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Tables } from '../../src/storage/schema.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { codeFor, inviteToken, onBothDatabases, registered, someHash, start } from './databases.ts';

onBothDatabases('invitations', (database) => {
  let storage: Storage;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    storage = await database.open();
    db = await database.raw();
  });

  it('a code is created once; a second creation changes nothing', async () => {
    const code = `code-${someHash()}`;
    expect(await storage.invites.findCode(code)).toBeNull();
    expect(await storage.invites.createCode({ code, maxUses: 3, expiresAt: start + 9, now: start })).toBe(true);
    expect(await storage.invites.createCode({ code, maxUses: null, expiresAt: null, now: start + 1 })).toBe(false);
    expect(await storage.invites.findCode(code)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      code,
      maxUses: 3,
      used: 0,
      createdAt: start,
      expiresAt: start + 9,
      revokedAt: null,
    });
  });

  it('replicas that seed the same code at once create it once', async () => {
    const code = `seed-${someHash()}`;
    const replica = await database.open();
    const created = await Promise.all(
      [storage, replica, storage, replica].map((each) =>
        each.invites.createCode({ code, maxUses: 1, expiresAt: null, now: start }),
      ),
    );
    expect(created.filter((is) => is)).toHaveLength(1);
  });

  it('codes are listed in the order of their creation, those of one moment by name', async () => {
    const mark = someHash();
    for (const [code, now] of [
      ['b', 2],
      ['a', 3],
      ['d', 1],
      ['c', 1],
    ] as const)
      await storage.invites.createCode({ code: `${mark}-${code}`, maxUses: null, expiresAt: null, now });
    const listed = (await storage.invites.listCodes()).filter(({ code }) => code.startsWith(mark));
    expect(listed.map(({ code }) => code)).toEqual(['c', 'd', 'b', 'a'].map((code) => `${mark}-${code}`));
  });

  it('a code is revoked once, and the moment is stored', async () => {
    const code = `code-${someHash()}`;
    expect(await storage.invites.revokeCode(code, start)).toBe(false);
    await storage.invites.createCode({ code, maxUses: null, expiresAt: null, now: start });
    expect(await storage.invites.revokeCode(code, start + 1)).toBe(true);
    expect(await storage.invites.revokeCode(code, start + 2)).toBe(false);
    expect(await storage.invites.findCode(code)).toMatchObject({ revokedAt: start + 1 });
  });

  it('a token is usable while it and its code are', async () => {
    const code = `code-${someHash()}`;
    const invite = await inviteToken(storage, code);
    expect(await codeFor(storage, { ...invite, code: someHash() })).toBeNull();
    expect(await codeFor(storage, invite)).toBe(code);
    await storage.invites.revokeCode(code, start);
    expect(await codeFor(storage, invite)).toBeNull();

    const brief = `code-${someHash()}`;
    await storage.invites.createCode({ code: brief, maxUses: null, expiresAt: start + 10, now: start });
    const ofBrief = await inviteToken(storage, brief);
    expect(await codeFor(storage, ofBrief, start + 9)).toBe(brief);
    expect(await codeFor(storage, ofBrief, start + 10)).toBeNull();
  });

  it('a token is stored when it is used, and forgotten when it has ended', async () => {
    const invite = await inviteToken(storage);
    const rows = () => db.selectFrom('invite_tokens').selectAll().where('hash', '=', invite.hash).execute();
    expect(await rows()).toEqual([]);
    const { userid } = await registered(storage, { invite });
    expect(await rows()).toMatchObject([{ code: invite.code, used_at: start, expires_at: start + 1_800_000 }]);
    expect(await codeFor(storage, invite)).toBeNull();
    expect((await storage.sweep(start + 1_800_000)).invite_tokens).toBeGreaterThanOrEqual(1);
    expect(await rows()).toEqual([]);
    expect(await storage.accounts.findUser(userid)).not.toBeNull();
    expect(await storage.invites.findCode(invite.code)).toMatchObject({ used: 1 });
  });

  it('a token that the version before has stored is good until it ends, once, and while its code is', async () => {
    const stored = async () => {
      const { hash, code, expiresAt } = await inviteToken(storage);
      const row = { hash, code, created_at: start, expires_at: expiresAt, used_at: null };
      await db.insertInto('invite_tokens').values(row).execute();
      return { hash, code, expiresAt };
    };
    const invite = await stored();
    expect(await storage.invites.storedInvite(someHash(), start)).toBeNull();
    expect(await storage.invites.storedInvite(invite.hash, start + 1_799_999)).toEqual(invite);
    expect(await storage.invites.storedInvite(invite.hash, start + 1_800_000)).toBeNull();
    await registered(storage, { invite });
    expect(await storage.invites.storedInvite(invite.hash, start)).toBeNull();
    await expect(registered(storage, { invite })).rejects.toThrow('invite-token-invalid');

    const revoked = await stored();
    await storage.invites.revokeCode(revoked.code, start);
    expect(await storage.invites.storedInvite(revoked.hash, start)).toBeNull();
  });

  it('a code of the version before gets one id, also when several replicas ask for it first', async () => {
    const code = `code-${someHash()}`;
    const row = { id: null, code, max_uses: null, used: 0, created_at: start, expires_at: null, revoked_at: null };
    await db.insertInto('invite_codes').values(row).execute();
    const replica = await database.open();
    const found = await Promise.all([storage, replica, storage, replica].map((each) => each.invites.findCode(code)));
    expect(new Set(found.map((each) => each?.id))).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{16}$/)]));
  });
});
