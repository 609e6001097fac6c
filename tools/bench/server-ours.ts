import { mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/composition/app.ts';
import { createServices } from '../../src/composition/services.ts';
import { loadConfig } from '../../src/config/config.ts';
import { LogOutput } from '../../src/http/logs/log-output.ts';
import { createLogger } from '../../src/http/logs/logger.ts';
import { enroll } from './enrolled.ts';
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
const logger = createLogger('info', new LogOutput(openSync('/dev/null', 'w')));
const services = await createServices(config, { log: logger });
services.demo?.addStudent({ userid: benchUserid, ...benchPair });
await services.storage.invites.createCode({ code: 'bench', maxUses: null, expiresAt: null, now: Date.now() });
const tokenEnds = Date.now() + 30 * 86_400_000;
await enroll(services.storage, benchUserid, 'bench', {
  pair: benchPair,
  tokenHash: benchTokenHash,
  tokenExpiresAt: tokenEnds,
  tokenEndsAt: tokenEnds,
});
Object.assign(services.academics, { allScores: async () => scoreRows });
const generous = { anonymousPerMinute: 1e9, knownPerMinute: 1e9 };
const pressure = { maxEventLoopDelay: 0, maxEventLoopUtilization: 0 };
const app = await buildApp(config, services, { logger, limits: generous, pressure });
addMeter();
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
