import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { type AppConfig, type AppOptions, buildApp } from '../../src/composition/app.ts';
import { type FakeServices, fakeServices } from './fake-services.ts';
import { standIns } from './stand-ins.ts';

const DAY_MS = 86_400_000;

export const testConfig: AppConfig = {
  server: {
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    operator: { name: null, contact: null },
    trustedProxies: [],
    trustedCallers: [],
    maxConnections: 10_000,
    limits: { callsPerToken: 600, callsPerAddress: 6_000 },
    corsOrigins: ['*'],
    requestTimeoutMs: 10_000,
  },
  docs: { enabled: true, url: '/docs' },
  pages: { enabled: true },
  metrics: { enabled: false, port: null },
  log: { level: 'silent' },
  campus: { timeZone: 'Asia/Shanghai' },
  accounts: { tokenTtlMs: 30 * DAY_MS, tokenMaxMs: 180 * DAY_MS },
  reads: { copyMaxMs: 30 * DAY_MS },
};

export interface AppUnderTest {
  readonly app: FastifyInstance;
  readonly services: FakeServices;
}

/** A test machine that is busy with other things is no overload of the service: the delay of the loop does not count. */
const patience = { maxEventLoopDelay: 0 };

const ownApp = async (
  options: AppOptions,
  server: Partial<AppConfig['server']> = {},
  docs: Partial<AppConfig['docs']> = {},
  metrics: AppConfig['metrics'] = testConfig.metrics,
): Promise<AppUnderTest> => {
  const services = fakeServices();
  const config = {
    ...testConfig,
    server: { ...testConfig.server, ...server },
    docs: { ...testConfig.docs, ...docs },
    metrics,
  };
  const pressure = { ...patience, ...options.pressure };
  const app = await buildApp(config, services, { ...options, pressure });
  await app.ready();
  return { app, services };
};

const most = Number.MAX_SAFE_INTEGER;
/** Tests of one file count together, which none of them means. */
const limits = { anonymousPerMinute: most, knownPerMinute: most };

let shared: Promise<FastifyInstance> | null = null;
let current: FakeServices;

const sharedApp = async (): Promise<AppUnderTest> => {
  current = fakeServices();
  shared ??= buildApp(
    testConfig,
    standIns(() => current),
    { limits, pressure: patience },
  );
  const app = await shared;
  await app.ready();
  return { app, services: current };
};

/**
 * The whole application over fake services of the test's own; it listens only when a test tells it to. To build it takes
 * longer than most tests, so those of one file share it; with options, even empty ones, a test has its own to listen with
 * and to close.
 */
export const appUnderTest = (...options: [] | Parameters<typeof ownApp>): Promise<AppUnderTest> =>
  options.length === 0 ? sharedApp() : ownApp(...options);

/** An application of the test's own whose heap is over its limit, as the first look at the memory has found already. */
export const overloadedApp = async (
  { graceMs = 0 } = {},
  metrics: AppConfig['metrics'] = testConfig.metrics,
): Promise<AppUnderTest> => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const built = await ownApp({ pressure: { maxHeapUsedBytes: 1, graceMs } }, {}, {}, metrics);
    vi.advanceTimersByTime(1_000);
    return built;
  } finally {
    vi.useRealTimers();
  }
};

/** Port the application listens on. */
export const portOf = (app: FastifyInstance): number => {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the application does not listen');
  return address.port;
};
