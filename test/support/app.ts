import type { FastifyInstance } from 'fastify';
import { type AppConfig, type AppOptions, buildApp } from '../../src/app.ts';
import { type FakeServices, fakeServices } from './fake-services.ts';

export const testConfig: AppConfig = {
  server: {
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    trustedProxies: [],
    trustedCallers: [],
    maxConnections: 10_000,
    corsOrigins: ['*'],
    requestTimeoutMs: 10_000,
  },
  docs: { enabled: true, url: '/docs' },
  metrics: { enabled: false },
  log: { level: 'silent' },
  campus: { timeZone: 'Asia/Shanghai' },
};

export interface AppUnderTest {
  readonly app: FastifyInstance;
  readonly services: FakeServices;
}

/** The whole application over fake services; it listens only when a test tells it to. */
export const appUnderTest = async (
  options: AppOptions = {},
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
  // A test machine that is busy with other things is no overload of the service: the delay of the loop does not count.
  const pressure = { maxEventLoopDelay: 0, ...options.pressure };
  const app = await buildApp(config, services, { ...options, pressure });
  await app.ready();
  return { app, services };
};

/** Port the application listens on. */
export const portOf = (app: FastifyInstance): number => {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the application does not listen');
  return address.port;
};
