import sensible from '@fastify/sensible';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';
import { isFailure } from './domain/errors.ts';
import { addressList } from './lib/address.ts';
import { addAnswerHead, setBareHead } from './platform/answer-head.ts';
import { createByteBudget } from './platform/byte-budget.ts';
import { addCallContext } from './platform/call-context.ts';
import { addDelayedClose } from './platform/delayed-close.ts';
import { addDocs } from './platform/docs.ts';
import { createLargeBodies } from './platform/large-bodies.ts';
import { createLimits, type LimitSettings, limiting } from './platform/limits.ts';
import { createLogger, lateLogger } from './platform/logger.ts';
import { addMissing, addOptions, collectRoutes } from './platform/missing.ts';
import { addOpenApi } from './platform/openapi.ts';
import { addOverloadGuard, defaultPressure, type PressureSettings } from './platform/overload.ts';
import { answerProblem, shapesByPrefix } from './platform/problems.ts';
import { publicUrlOf } from './platform/public-url.ts';
import { addRequestLog, createRequestWatch, quietController } from './platform/request-log.ts';
import { addCors, commonCorsHeaders, prepareSecurityHeaders } from './platform/security.ts';
import { lateSerializers } from './platform/serializers.ts';
import { type ConnectionTimes, defaultTimes, serverOptions } from './platform/server-options.ts';
import { addShutdown, type ShutdownSettings } from './platform/shutdown.ts';
import type { Services } from './services.ts';
import { registerSurfaceA, surfaceAPrefix, tagsA } from './surfaces/a/index.ts';
import { problemShapeA } from './surfaces/a/problem.ts';
import { createEnvelopes, problemShapeB } from './surfaces/b/envelope.ts';
import { createErrorHandler } from './surfaces/b/error-handler.ts';
import { registerSurfaceB } from './surfaces/b/index.ts';
import { tagsB } from './surfaces/b/tags.ts';

/** The settings the application needs; a full Config is one. */
export type AppConfig = Pick<Config, 'server' | 'docs' | 'metrics' | 'log'> & {
  readonly campus: Pick<Config['campus'], 'timeZone'>;
  /** Left out: the documents do not say how long a token lives. */
  readonly accounts?: Pick<Config['accounts'], 'tokenTtlMs' | 'tokenMaxMs'>;
};

export interface AppOptions {
  /** Left out: a logger of the configured level, to standard output. */
  readonly logger?: FastifyBaseLogger;
  readonly limits?: Partial<LimitSettings>;
  readonly pressure?: Partial<PressureSettings>;
  readonly shutdown?: Partial<ShutdownSettings>;
  readonly connections?: Partial<ConnectionTimes>;
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
  // The package takes 15 ms of a start, and metrics are off unless somebody wants them.
  const measuring = config.metrics.enabled ? await import('./platform/metrics.ts') : null;
  const metrics = measuring?.createMetrics(services.watch);
  const shapes = shapesByPrefix(surfaceAPrefix, problemShapeA, problemShapeB(envelopes));

  const logger = options.logger ?? createLogger(config.log.level);
  const watch = createRequestWatch(logger, metrics?.request);
  const times = { ...defaultTimes, ...options.connections };
  const app: FastifyInstance = Fastify({
    ...serverOptions(server, times),
    loggerInstance: logger,
    childLoggerFactory: lateLogger,
    schemaController: { compilersFactory: { buildSerializer: lateSerializers } },
    logController: quietController(),
    // Paths that cannot be decoded or carry an over-long value: no hook runs for them.
    frameworkErrors: async (_error, request, reply) => {
      const startedAt = performance.now();
      setBareHead(reply, startedAt);
      watch(request, reply, startedAt);
      try {
        limits.anonymous(request);
        await answerProblem(reply, shapes(request.url), { kind: 'not-found' });
      } catch (error) {
        const retryAfterSeconds = isFailure(error, 'rate-limited') ? (error.retryAfterSeconds ?? 60) : 60;
        await answerProblem(reply, shapes(request.url), { kind: 'too-many-requests', retryAfterSeconds });
      }
    },
  });
  app.server.maxConnections = server.maxConnections;
  app.setErrorHandler(createErrorHandler(envelopes));

  // `reply.cacheControl`, `request.is` and `httpErrors` for everything at the HTTP edge.
  await app.register(sensible);
  addCallContext(app, server.requestTimeoutMs);
  addRequestLog(app, watch);
  const routes = collectRoutes(app);
  addAnswerHead(app, await prepareSecurityHeaders(app, await commonCorsHeaders(server.corsOrigins)));
  await addCors(app, server.corsOrigins, (scope) => addOptions(scope, routes, shapes));
  addDelayedClose(app, times.closeDelayMs);
  const shutdown = addShutdown(app, { ...defaultShutdown, ...options.shutdown }, shapes);
  await addOverloadGuard(app, { ...defaultPressure(), ...options.pressure }, shapes);
  const isTrustedCaller = addressList(server.trustedCallers);
  const limits = createLimits({
    anonymousPerMinute: server.limits.callsPerAddress,
    knownPerMinute: server.limits.callsPerToken,
    isTrustedCaller,
    ...options.limits,
  });
  addMissing(app, routes, limits, shapes);

  await addOpenApi(app, {
    publicUrl: server.publicUrl,
    tags: [...tagsB, ...tagsA],
    tokens: config.accounts,
    limits: server.limits,
  });
  if (docs.enabled) addDocs(app, limits);
  if (metrics) measuring?.addMetrics(app, metrics);

  const { accounts, academics, competitions, activityScore, electricity, laborClub, evaluation, profiles, clock } =
    services;
  const { timeZone } = campus;
  const answers = createByteBudget();
  await registerSurfaceB(app, {
    accounts,
    academics,
    competitions,
    activityScore,
    electricity,
    laborClub,
    evaluation,
    timeZone,
    profiles,
    calendarFeeds: services.calendarFeeds,
    fileTickets: services.fileTickets,
    entityTags: services.entityTags,
    publicUrl: publicUrlOf(app, server.publicUrl),
    limits,
    // Each surface has its own: a body of `/api/v1` may come from anybody.
    bodies: createLargeBodies(clock),
    answers,
    envelopes,
    clock,
    docsUrl: docs.url,
    ready: () => services.ready(),
    closing: () => shutdown.closing,
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', limiting(limits.beforeBody));
    await registerSurfaceA(scope, {
      accounts,
      academics,
      activityScore,
      evaluation,
      profiles,
      clock,
      timeZone,
      limits,
      answers,
      bodies: createLargeBodies(clock),
      isTrustedCaller,
    });
  });
  return app;
};
