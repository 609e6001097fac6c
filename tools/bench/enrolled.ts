import { silentLog } from '../../src/domain/context.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { createStorage } from '../../src/storage/storage.ts';

export const secretKey = Buffer.alloc(32, 3);

export const useridOf = (student: number): string => `night${student}`;
export const tokenOf = (student: number): string => Buffer.alloc(32, `night${student} `).toString('base64url');

/** Accounts of that many students, each with a token, without a request at the campus. */
export const enrollAll = async (url: string, students: number): Promise<void> => {
  const storage = await createStorage({ url, keys: [secretKey], log: silentLog });
  const now = Date.now();
  const later = now + 86_400_000;
  await storage.invites.createCode({ code: 'night', maxUses: null, expiresAt: null, now });
  for (let at = 0; at < students; at += 1) {
    await storage.accounts.register({
      userid: useridOf(at),
      pair: { password: 'bench', vpnPassword: 'bench' },
      invite: { hash: sha256(`invite-${at}`), code: 'night', expiresAt: later },
      tokenHash: sha256(tokenOf(at)),
      tokenExpiresAt: later,
      tokenEndsAt: later,
      tokenNetwork: '192.0.2.0/24',
      now,
    });
  }
  await storage.close();
};
