import type { Server } from 'node:http';
import sensible from '@fastify/sensible';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import type { Config } from './config/config.ts';
import { isFailure } from './domain/errors.ts';
import { addressList } from './lib/address.ts';
import { type Build, buildOf } from './lib/build.ts';
import { addCallContext, type Call, createAddressOf } from './platform/call/call-context.ts';
import { addDocs } from './platform/docs/docs.ts';
import { addOpenApi } from './platform/docs/openapi.ts';
import { addPrivacy, addSecurityTxt, privacyFacts } from './platform/docs/privacy.ts';
import type { DemoAccess } from './platform/docs/start-page.ts';
import { createByteBudget } from './platform/limits/byte-budget.ts';
import { FairShare } from './platform/limits/fair-share.ts';
import { createLargeBodies } from './platform/limits/large-bodies.ts';
import { createLimits, type LimitSettings, limiting } from './platform/limits/limits.ts';
import { createLogger } from './platform/logs/logger.ts';
import { addRequestLog, logRequest, type OnRequestEnd, quietController } from './platform/logs/request-log.ts';
import { addAnswerHead, setBareHead } from './platform/server/answer-head.ts';
import {
  addConnectionShares,
  addDelayedClose,
  addFraming,
  isAmbiguous,
  loopback,
  refuseFraming,
} from './platform/server/connections.ts';
import { addNotFound, addOptions, collectRoutes } from './platform/server/not-found.ts';
import { addOverloadGuard, defaultPressure, type PressureSettings } from './platform/server/overload.ts';
import { answerProblem, shapesByPrefix } from './platform/server/problems.ts';
import { publicUrlOf } from './platform/server/public-url.ts';
import { addCors, commonCorsHeaders, prepareSecurityHeaders } from './platform/server/security.ts';
import { lateSerializers } from './platform/server/serializers.ts';
import { type ConnectionTimes, defaultTimes, serverOptions } from './platform/server/server-options.ts';
import { addShutdown, type ShutdownSettings } from './platform/server/shutdown.ts';
import type { Services } from './services.ts';
import { problemShapeA } from './surfaces/a/error-handler.ts';
import { registerSurfaceA, surfaceAPrefix, tagsA } from './surfaces/a/index.ts';
import { createEnvelopes, problemShapeB } from './surfaces/b/envelope.ts';
import { createErrorHandler } from './surfaces/b/error-handler.ts';
import { registerSurfaceB, tagsB } from './surfaces/b/index.ts';
import { pageUrlOf, registerChallengePage } from './surfaces/challenge-page/index.ts';

/** The settings the application needs; a full Config is one. */
export type AppConfig = Pick<Config, 'server' | 'docs' | 'metrics' | 'log'> & {
  readonly campus: Pick<Config['campus'], 'timeZone'>;
  /** Left out: the documents do not say how long a token lives. */
  readonly accounts?: Pick<Config['accounts'], 'tokenTtlMs' | 'tokenMaxMs'>;
  /** Left out, or without `accounts`: there is no page that says what is stored. */
  readonly reads?: Pick<Config['reads'], 'copyMaxMs'>;
};

export interface AppOptions {
  /** Left out: a logger of the configured level, to standard output. */
  readonly logger?: FastifyBaseLogger;
  /** For the metrics; left out: that of the clone. */
  readonly build?: Build;
  readonly limits?: Partial<LimitSettings>;
  /** How visitors may try the service; left out: not without an account. */
  readonly demo?: DemoAccess | null;
  readonly pressure?: Partial<PressureSettings>;
  readonly shutdown?: Partial<ShutdownSettings>;
  readonly connections?: Partial<ConnectionTimes>;
  /** Addresses that many callers share besides the proxies; left out: those of this machine. */
  readonly sharedAddresses?: readonly string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Serves the metrics at a separate port, once told to listen; closed with the application. */
    readonly metricsServer: Server | null;
  }
}

const defaultShutdown: ShutdownSettings = { drainMs: 0, graceMs: 35_000 };

/**
 * The whole application: platform first, in the order in which a request meets it, then the two surfaces. It does not
 * listen, and closing it leaves the services open.
 */
export const buildApp = async (
  config: AppConfig,
  services: Services,
  options: AppOptions = {},
): Promise<FastifyInstance> => {
  const { server, docs, campus } = config;
  const envelopes = createEnvelopes(services.clock, campus.timeZone);
  const place = { pageUrl: pageUrlOf(server.publicUrl), timeZone: campus.timeZone };
  // The package takes 15 ms of startup, and metrics are off by default.
  const measuring = config.metrics.enabled ? await import('./platform/logs/metrics.ts') : null;
  const metrics = measuring?.createMetrics(services.watch, surfaceAPrefix, options.build ?? (await buildOf({})));
  const shapes = shapesByPrefix(surfaceAPrefix, problemShapeA, problemShapeB(envelopes));

  const logger = options.logger ?? createLogger(config.log.level);
  const onEnd: OnRequestEnd = (request, status, milliseconds) => {
    const call: Call | undefined = request.call;
    // How long a client listens says nothing about the service.
    if (call?.config.stream !== true || status >= 400) metrics?.request(request, status, milliseconds);
  };
  const addressOf = createAddressOf(server.trustedProxies);
  const times = { ...defaultTimes, ...options.connections };
  const app: FastifyInstance = Fastify({
    ...serverOptions(server, times),
    loggerInstance: logger,
    schemaController: { compilersFactory: { buildSerializer: lateSerializers } },
    logController: quietController(),
    // Paths that cannot be decoded or carry an over-long value: no hook runs for them.
    frameworkErrors: async (_error, request, reply) => {
      const startedAt = performance.now();
      setBareHead(reply, startedAt);
      logRequest(request, reply, startedAt, onEnd);
      if (isAmbiguous(request.raw)) return refuseFraming(reply);
      try {
        limits.anonymous({ address: addressOf(request.raw) });
        await answerProblem(reply, shapes(request.url), { kind: 'not-found' });
      } catch (error) {
        const retryAfterSeconds = isFailure(error, 'rate-limited') ? (error.retryAfterSeconds ?? 60) : 60;
        await answerProblem(reply, shapes(request.url), { kind: 'too-many-requests', retryAfterSeconds });
      }
    },
  });
  const shared = [...(options.sharedAddresses ?? loopback), ...server.trustedProxies];
  addConnectionShares(app, { most: server.maxConnections, shared });
  app.setErrorHandler(createErrorHandler(envelopes, place));

  // `reply.cacheControl`, `request.is` and `httpErrors` for everything at the HTTP edge.
  await app.register(sensible);
  addCallContext(app, server.requestTimeoutMs, server.trustedProxies);
  addRequestLog(app, onEnd);
  addFraming(app);
  const routes = collectRoutes(app);
  addAnswerHead(app, prepareSecurityHeaders(app, commonCorsHeaders(server.corsOrigins)));
  await addCors(app, server.corsOrigins, (scope) => addOptions(scope, routes, shapes));
  addDelayedClose(app, times.closeDelayMs);
  // Streams end before the rest, which waits for calls to be over.
  app.addHook('preClose', async () => services.changeEvents.close());
  const shutdown = addShutdown(app, { ...defaultShutdown, ...options.shutdown }, shapes);
  const allowance = { mostCalls: Number.POSITIVE_INFINITY };
  const shares = new FairShare(allowance);
  const pressure = { ...defaultPressure(), ...options.pressure };
  await addOverloadGuard(app, { settings: pressure, shapes, allowance, greatest: () => shares.greatest });
  const isTrustedCaller = addressList(server.trustedCallers);
  const limits = createLimits({
    anonymousPerMinute: server.limits.callsPerAddress,
    knownPerMinute: server.limits.callsPerToken,
    isTrustedCaller,
    shares,
    ...options.limits,
  });
  addNotFound(app, routes, limits, shapes);

  await addOpenApi(app, {
    publicUrl: server.publicUrl,
    tags: [...tagsB, ...tagsA],
    tokens: config.accounts,
    limits: server.limits,
    operator: server.operator,
    docsUrl: docs.enabled ? `${server.publicUrl ?? ''}/docs` : null,
  });
  if (docs.enabled) {
    const { hasPortal } = services.campus;
    addDocs(app, { limits, demo: options.demo ?? null, hasPortal, operator: server.operator });
  }
  if (config.accounts && config.reads)
    addPrivacy(app, limits, privacyFacts(config.accounts, config.reads, server.operator));
  addSecurityTxt(app, limits, server, services.clock);
  const ownServer = config.metrics.port !== null && metrics ? measuring?.createMetricsServer(metrics) : undefined;
  app.decorate('metricsServer', ownServer ?? null);
  if (metrics && !ownServer) measuring?.addMetrics(app, metrics);
  app.addHook('onClose', async () => {
    ownServer?.close();
    ownServer?.closeAllConnections();
  });

  const { timeZone } = campus;
  const answers = createByteBudget();
  // Each surface has its own budget of bodies: anyone may send one to `/api/v1`.
  const http = () => ({ limits, answers, bodies: createLargeBodies(services.clock) });
  await registerSurfaceB(app, {
    services,
    http: http(),
    timeZone,
    publicUrl: publicUrlOf(app, server.publicUrl),
    place,
    envelopes,
    docsUrl: { en: docs.url, zh: docs.enabled && docs.url === '/docs' ? '/docs/zh' : docs.url },
    closing: () => shutdown.closing,
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', limiting(limits.beforeBody));
    await registerSurfaceA(scope, { services, http: http(), timeZone, place, isTrustedCaller });
  });
  await registerChallengePage(app, limits);
  return app;
};
