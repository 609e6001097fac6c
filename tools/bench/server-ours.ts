import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { batched, createLogger } from '../../src/platform/logs/logger.ts';
import { createServices } from '../../src/services.ts';
import { benchPair, benchTokenHash, benchUserid, scoreRows } from './load.ts';
import { addMeter } from './meter.ts';

/** The real application over a database file and the demo campus; only the reading of the score page is left out. */
const folder = mkdtempSync(join(tmpdir(), 'campus-bench-'));
const env = {
  DATABASE_URL: `sqlite:${join(folder, 'campus.db')}`,
  SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
  EVALUATION_WAIT_SECONDS: '140',
  FRESH_SECONDS: '0',
};
const config = loadConfig(env, {
  read: () => null,
  exists: () => false,
  createOnce: (_path, text) => text,
  freshKey: () => '',
});
const logger = createLogger('info', batched('/dev/null'));
const services = await createServices(config, { log: logger });
services.demo?.addStudent({ userid: benchUserid, ...benchPair });
const { accounts, invites } = services.storage;
const now = services.clock.now();
await invites.createCode({ code: 'bench', maxUses: null, expiresAt: null, now });
await accounts.register({
  userid: benchUserid,
  pair: benchPair,
  invite: { hash: sha256('bench'), code: 'bench', expiresAt: now + 60_000 },
  tokenHash: benchTokenHash,
  tokenExpiresAt: now + 30 * 86_400_000,
  tokenEndsAt: now + 30 * 86_400_000,
  tokenNetwork: '192.0.2.0/24',
  now,
});
Object.assign(services.academics, { allScores: async () => scoreRows });
const generous = { anonymousPerMinute: 1e9, knownPerMinute: 1e9 };
const pressure = { maxEventLoopDelay: 0, maxEventLoopUtilization: 0 };
const app = await buildApp(config, services, { logger, limits: generous, pressure });
addMeter();
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
