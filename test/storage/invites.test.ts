import { beforeAll, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/storage.ts';
import { inviteToken, onBothDatabases, someHash, start } from './databases.ts';

onBothDatabases('invitations', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });

  it('a code is created once; a second creation changes nothing', async () => {
    const code = `code-${someHash()}`;
    expect(await storage.invites.findCode(code)).toBeNull();
    expect(await storage.invites.createCode({ code, maxUses: 3, expiresAt: start + 9, now: start })).toBe(true);
    expect(await storage.invites.createCode({ code, maxUses: null, expiresAt: null, now: start + 1 })).toBe(false);
    expect(await storage.invites.findCode(code)).toEqual({
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

  it('codes are listed in the order of their creation', async () => {
    const mark = someHash();
    for (const [code, now] of [
      ['b', 2],
      ['a', 3],
      ['c', 1],
    ] as const)
      await storage.invites.createCode({ code: `${mark}-${code}`, maxUses: null, expiresAt: null, now });
    const listed = (await storage.invites.listCodes()).filter(({ code }) => code.startsWith(mark));
    expect(listed.map(({ code }) => code)).toEqual([`${mark}-c`, `${mark}-b`, `${mark}-a`]);
  });

  it('a code is revoked once and keeps the time of it', async () => {
    const code = `code-${someHash()}`;
    expect(await storage.invites.revokeCode(code, start)).toBe(false);
    await storage.invites.createCode({ code, maxUses: null, expiresAt: null, now: start });
    expect(await storage.invites.revokeCode(code, start + 1)).toBe(true);
    expect(await storage.invites.revokeCode(code, start + 2)).toBe(false);
    expect(await storage.invites.findCode(code)).toMatchObject({ revokedAt: start + 1 });
  });

  it('a token is usable while it and its code are', async () => {
    const code = `code-${someHash()}`;
    const hash = await inviteToken(storage, code);
    expect(await storage.invites.codeOf(someHash(), start)).toBeNull();
    expect(await storage.invites.codeOf(hash, start + 1_799_999)).toBe(code);
    expect(await storage.invites.codeOf(hash, start + 1_800_000)).toBeNull();
    await storage.invites.revokeCode(code, start);
    expect(await storage.invites.codeOf(hash, start)).toBeNull();

    const brief = `code-${someHash()}`;
    await storage.invites.createCode({ code: brief, maxUses: null, expiresAt: start + 10, now: start });
    const ofBrief = await inviteToken(storage, brief);
    expect(await storage.invites.codeOf(ofBrief, start + 9)).toBe(brief);
    expect(await storage.invites.codeOf(ofBrief, start + 10)).toBeNull();
  });

  it('a token of a code that does not exist is a storage failure', async () => {
    const orphan = { hash: someHash(), code: someHash(), expiresAt: start + 1, now: start };
    await expect(storage.invites.insertToken(orphan)).rejects.toMatchObject({ kind: 'storage-failed' });
  });

  it('a sweep removes expired tokens and keeps the code', async () => {
    const code = `code-${someHash()}`;
    await inviteToken(storage, code, start - 1_800_000);
    const fresh = await inviteToken(storage, code);
    expect((await storage.sweep(start)).inviteTokens).toBeGreaterThanOrEqual(1);
    expect(await storage.invites.codeOf(fresh, start)).toBe(code);
    expect(await storage.invites.findCode(code)).not.toBeNull();
  });
});
