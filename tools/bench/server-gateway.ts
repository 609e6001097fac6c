import { mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/composition/app.ts';
import { createServices } from '../../src/composition/services.ts';
import { loadConfig } from '../../src/config/config.ts';
import { LogOutput } from '../../src/http/logs/log-output.ts';
import { createLogger } from '../../src/http/logs/logger.ts';
import { addMeter } from './meter.ts';

/** The real service in front of the campus that its environment names; only the limits are out of the way. */
const folder = mkdtempSync(join(tmpdir(), 'campus-bench-'));
const DATABASE_URL = process.env.BENCH_DATABASE_URL ?? `sqlite:${join(folder, 'campus.db')}`;
const env = { ...process.env, DATABASE_URL };
const config = loadConfig(env, {
  read: () => null,
  exists: () => false,
  createOnce: (_path, text) => text,
  freshKey: () => '',
});
const logger = createLogger('info', new LogOutput(openSync('/dev/null', 'w')));
export const services = await createServices(config, { log: logger });
const limits = process.env.BENCH_LIMITS === 'on' ? {} : { anonymousPerMinute: 1e9, knownPerMinute: 1e9 };
const app = await buildApp(config, services, { logger, limits });
addMeter();
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
