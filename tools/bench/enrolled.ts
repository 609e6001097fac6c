import { silentLog } from '../../src/domain/context.ts';
import { sha256 } from '../../src/lib/hash.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createStorage } from '../../test/support/storage.ts';

export const secretKey = Buffer.alloc(32, 3);

export const useridOf = (student: number): string => `night${student}`;
export const tokenOf = (student: number): string => Buffer.alloc(32, `night${student} `).toString('base64url');

/** An account with a token, without a request at the campus; `code` is a code of invitation. */
export const enroll = async (
  { accounts }: Pick<Storage, 'accounts'>,
  userid: string,
  code: string,
  more: Partial<Parameters<Storage['accounts']['register']>[0]> = {},
): Promise<void> => {
  const now = Date.now();
  const later = now + 86_400_000;
  await accounts.register({
    userid,
    pair: { password: 'bench', vpnPassword: 'bench' },
    invite: { hash: sha256(`invite-${userid}`), code, expiresAt: later },
    tokenHash: sha256(userid),
    tokenExpiresAt: later,
    tokenEndsAt: later,
    tokenNetwork: '192.0.2.0/24',
    now,
    ...more,
  });
};

/** Accounts of that many students, each with a token, without a request at the campus. */
export const enrollAll = async (url: string, students: number): Promise<void> => {
  const storage = await createStorage({ url, keys: [secretKey], log: silentLog });
  await storage.invites.createCode({ code: 'night', maxUses: null, expiresAt: null, now: Date.now() });
  for (let at = 0; at < students; at += 1) {
    await enroll(storage, useridOf(at), 'night', { tokenHash: sha256(tokenOf(at)) });
  }
  await storage.close();
};
