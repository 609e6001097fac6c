import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '../../src/composition/app.ts';
import type { RunningServices } from '../../src/composition/services.ts';
import type { Config } from '../../src/config/config.ts';
import { createLogger } from '../../src/http/logs/logger.ts';
import { standIns } from './stand-ins.ts';

/** The services behind an application for a while. */
export interface Behind {
  readonly services: RunningServices;
  log(line: string): void;
}

/** A listening application. */
export interface ListeningApp {
  readonly app: FastifyInstance;
  readonly url: string;
  /** The end of its use: it is closed, or kept for the next test that needs one like it. */
  release(): Promise<void>;
}

const most = Number.MAX_SAFE_INTEGER;
/** Tests share their cores with other work: a lagging event loop is no overload, and 0 means not to measure it. */
const pressure = { maxEventLoopDelay: 0, maxHeapUsedBytes: 0 };
/** Those who use an application one after the other count together, which none of them means. */
const limits = { anonymousPerMinute: most, knownPerMinute: most, personalPerMinute: most };

class PooledApp {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly #serve: (behind: Behind) => void;
  #isClosed = false;

  private constructor(app: FastifyInstance, url: string, serve: (behind: Behind) => void) {
    this.app = app;
    this.url = url;
    this.#serve = serve;
    app.server.once('close', () => {
      this.#isClosed = true;
    });
  }

  get isClosed(): boolean {
    return this.#isClosed || !this.app.server.listening;
  }

  static async start(config: Config, level: 'debug' | 'silent', first: Behind): Promise<PooledApp> {
    let current = first;
    const logger = createLogger(level, { write: (line: string) => current.log(line) });
    const services = standIns(() => current.services);
    const app = await buildApp(config, services, { logger, limits, pressure });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    // It is never closed; a user outside of the tests, as the bench, ends all the same.
    app.server.unref();
    return new PooledApp(app, url, (behind) => {
      current = behind;
    });
  }

  /** From now on in front of these. */
  serve(behind: Behind): void {
    this.#serve(behind);
  }
}

const idle = new Map<string, PooledApp[]>();

/** Everything of a configuration and a campus that an application is built of. */
const keyOf = ({ server, docs, log, campus }: Config, { services }: Behind, level: string): string => {
  const { capabilities, ...facts } = services.campus;
  return JSON.stringify([server, docs, log, campus.timeZone, level, facts, [...capabilities]]);
};

const pooled = async (config: Config, level: 'debug' | 'silent', behind: Behind): Promise<ListeningApp> => {
  const key = keyOf(config, behind, level);
  const waiting = idle.get(key) ?? [];
  idle.set(key, waiting);
  const kept = waiting.pop();
  kept?.serve(behind);
  const taken = kept ?? (await PooledApp.start(config, level, behind));
  return {
    app: taken.app,
    url: taken.url,
    release: async () => {
      // A test that closed it by hand meant to.
      if (!taken.isClosed) waiting.push(taken);
    },
  };
};

const own = async (config: Config, level: 'debug' | 'silent', behind: Behind, options: AppOptions) => {
  const logger = createLogger(level, { write: (line: string) => behind.log(line) });
  const given = { logger, ...options, pressure: { maxEventLoopDelay: 0, ...options.pressure } };
  const app = await buildApp(config, behind.services, given);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, url, release: () => app.close() };
};

/**
 * A listening application in front of these services. Building one takes longer than most tests, so it outlives the
 * services behind it and serves the next that are configured alike; with special options, or with metrics, which
 * count, a test has it for itself.
 */
export const listeningApp = (
  config: Config,
  level: 'debug' | 'silent',
  behind: Behind,
  options?: AppOptions,
): Promise<ListeningApp> =>
  options === undefined && !config.metrics.enabled
    ? pooled(config, level, behind)
    : own(config, level, behind, options ?? {});
