import { silentLog } from '../../src/domain/context.ts';
import { createStorage } from '../support/storage.ts';

/** A process that a test starts: registers a student, says so, and stays until it is killed. */
const [url = ''] = process.argv.slice(2);
const storage = await createStorage({ url, keys: [Buffer.alloc(32, 1)], log: silentLog });
await storage.invites.createCode({ code: 'crash', maxUses: 1, expiresAt: null, now: 1 });
const result = await storage.accounts.register({
  userid: 'survivor',
  pair: { password: 'unified', vpnPassword: 'portal' },
  invite: { hash: 'invite', code: 'crash', expiresAt: 1_000 },
  tokenHash: 'token',
  tokenExpiresAt: 1_000,
  tokenEndsAt: 1_000,
  tokenNetwork: '192.0.2.0/24',
  now: 1,
});
process.stdout.write(typeof result === 'string' ? `${result}\n` : 'created\n');
setInterval(() => {}, 60_000);
