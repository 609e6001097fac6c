import type { Server } from 'node:http';
import sensible from '@fastify/sensible';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { Config } from '../config/config.ts';
import { offeredParts } from '../domain/calendar/kinds.ts';
import type { Services } from '../domain/services.ts';
import { addCallContext, Call, createAddressOf } from '../http/call/call-context.ts';
import { addOpenApi } from '../http/docs/openapi.ts';
import { ByteBudget } from '../http/limits/byte-budget.ts';
import { FairShare } from '../http/limits/fair-share.ts';
import { LargeBodies } from '../http/limits/large-bodies.ts';
import { type LimitSettings, limitHook, RequestLimits } from '../http/limits/limits.ts';
import { addRequestLog, createLogger, logRequest, type OnRequestEnd, quietController } from '../http/logs/logger.ts';
import {
  addOverloadGuard,
  addShutdown,
  defaultPressure,
  type PressureSettings,
  type ShutdownSettings,
} from '../http/server/availability.ts';
import {
  addConnectionShares,
  addDelayedClose,
  addFraming,
  type ConnectionTimes,
  defaultTimes,
  isAmbiguous,
  lateSerializers,
  loopback,
  publicUrlOf,
  refuseFraming,
  serverOptions,
} from '../http/server/connections.ts';
import {
  addAnswerHead,
  addCors,
  commonCorsHeaders,
  isAnyOrigin,
  prepareSecurityHeaders,
  setBareHead,
} from '../http/server/headers.ts';
import { addNotFound, addOptions, answerNoOperation, collectRoutes } from '../http/server/not-found.ts';
import { addPipelineBound, isBeyondPipeline, refusePipeline } from '../http/server/pipelines.ts';
import { shapesByPrefix } from '../http/server/problems.ts';
import { addressList } from '../lib/address.ts';
import { type Build, buildOf } from '../lib/build.ts';
import { addStudentPage } from '../pages/app/student-page.ts';
import { pageUrlOf, registerChallengePage } from '../pages/challenge/index.ts';
import { addDocs, type DemoAccess } from '../pages/docs/docs.ts';
import { addPrivacy, addSecurityTxt } from '../pages/privacy/privacy.ts';
import { renderStatus, statusPolicy } from '../pages/status/status.ts';
import { problemShapeA } from '../surfaces/a/error-handler.ts';
import { registerSurfaceA, surfaceAPrefix, tagsA } from '../surfaces/a/index.ts';
import { Envelopes, problemShapeB } from '../surfaces/b/envelope.ts';
import { createErrorHandler } from '../surfaces/b/error-handler.ts';
import { registerSurfaceB, tagsB } from '../surfaces/b/index.ts';

export type AppConfig = Pick<Config, 'server' | 'docs' | 'pages' | 'metrics' | 'log'> & {
  readonly campus: Pick<Config['campus'], 'timeZone'>;
  readonly accounts: Pick<Config['accounts'], 'tokenTtlMs' | 'tokenMaxMs'>;
  readonly reads: Pick<Config['reads'], 'copyMaxMs'>;
};

export interface AppOptions {
  /** Log lines that could not be written. */
  readonly droppedLines?: () => number;
  /** By default one of the configured level, to standard output. */
  readonly logger?: FastifyBaseLogger;
  readonly build?: Build;
  readonly limits?: Partial<LimitSettings>;
  readonly demo?: DemoAccess | null;
  readonly pressure?: Partial<PressureSettings>;
  readonly shutdown?: Partial<ShutdownSettings>;
  readonly connections?: Partial<ConnectionTimes>;
  /** Addresses that many callers share besides the proxies; by default those of this machine. */
  readonly sharedAddresses?: readonly string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Serves the metrics at a separate port once it listens; closes with the application. */
    readonly metricsServer: Server | null;
  }
}

const defaultShutdown: ShutdownSettings = { drainMs: 0, graceMs: 35_000 };

const openMetrics = async (
  { metrics: settings }: AppConfig,
  { watch }: Services,
  { build, droppedLines = () => 0 }: AppOptions,
) => {
  // The package takes 15 ms of startup, and metrics are off by default.
  const measuring = settings.enabled ? await import('../http/logs/metrics.ts') : null;
  const metrics = measuring && new measuring.Metrics(watch, surfaceAPrefix, build ?? (await buildOf({})));
  metrics?.countDroppedLines(droppedLines);
  return {
    onEnd: ((request, status, milliseconds) => {
      // How long a client listens says nothing about the service.
      if (request.call.config.stream !== true || status >= 400) metrics?.request(request, status, milliseconds);
    }) satisfies OnRequestEnd,
    /** Serves them at a separate port, or beside everything else. */
    serve(app: FastifyInstance): void {
      const ownServer = settings.port !== null && metrics ? measuring?.createMetricsServer(metrics) : undefined;
      app.decorate('metricsServer', ownServer ?? null);
      if (metrics && !ownServer) measuring?.addMetrics(app, metrics);
      app.addHook('onClose', async () => {
        ownServer?.close();
        ownServer?.closeAllConnections();
      });
    },
  };
};

const openLimits = ({ server }: AppConfig, given: Partial<LimitSettings> | undefined) => {
  const shares = new FairShare();
  const isTrustedCaller = addressList(server.trustedCallers);
  const limits = new RequestLimits({
    anonymousPerMinute: server.limits.callsPerAddress,
    knownPerMinute: server.limits.callsPerToken,
    isTrustedCaller,
    shares,
    ...given,
  });
  return { limits, shares, isTrustedCaller };
};

interface AppParts extends ReturnType<typeof openLimits> {
  readonly config: AppConfig;
  readonly services: Services;
  readonly options: AppOptions;
  readonly envelopes: Envelopes;
  readonly shapes: ReturnType<typeof shapesByPrefix>;
  readonly place: { readonly pageUrl: string | null; readonly timeZone: string };
  readonly times: ConnectionTimes;
  readonly onEnd: OnRequestEnd;
}

/** Answers paths that cannot be decoded or carry an over-long value, for which Fastify runs no hook. */
const frameworkErrorsOf = ({ config, limits, shapes, onEnd }: AppParts) => {
  const { trustedProxies, requestTimeoutMs } = config.server;
  const addressOf = createAddressOf(trustedProxies);
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    request.call = new Call(request, reply, addressOf(request.raw), requestTimeoutMs);
    setBareHead(reply);
    logRequest(request, reply, onEnd);
    if (isAmbiguous(request.raw)) return refuseFraming(reply);
    if (isBeyondPipeline(request.raw)) return refusePipeline(shapes, reply);
    return answerNoOperation(limits, shapes, reply, { kind: 'not-found' });
  };
};

/** Adds what every request meets, in the order in which it does. */
const addPlatform = async (app: FastifyInstance, parts: AppParts) => {
  const { config, services, options, shapes, times, limits, shares } = parts;
  const { server } = config;
  const shared = [...(options.sharedAddresses ?? loopback), ...server.trustedProxies];
  addConnectionShares(app, { most: server.maxConnections, shared });
  app.setErrorHandler(createErrorHandler(parts.envelopes, parts.place, services.campus));
  // `reply.cacheControl`, `request.is` and `httpErrors` for everything at the HTTP edge.
  await app.register(sensible);
  addCallContext(app, server.requestTimeoutMs, server.trustedProxies);
  addRequestLog(app, parts.onEnd);
  addFraming(app);
  const routes = collectRoutes(app);
  addAnswerHead(app, prepareSecurityHeaders(app, commonCorsHeaders(server.corsOrigins)));
  await addCors(app, server.corsOrigins, (scope) => addOptions(scope, routes, shapes));
  addDelayedClose(app, times.closeDelayMs);
  addPipelineBound(app, shapes);
  // Streams end before the rest, which waits for calls to be over.
  app.addHook('preClose', async () => services.changeEvents.close());
  const shutdown = addShutdown(app, { ...defaultShutdown, ...options.shutdown }, shapes);
  const pressure = { ...defaultPressure(), ...options.pressure };
  await addOverloadGuard(app, { settings: pressure, shapes, shares });
  addNotFound(app, routes, limits, shapes);
  return shutdown;
};

const addDocuments = async (app: FastifyInstance, { config, services, options, limits }: AppParts): Promise<void> => {
  const { server, docs, pages } = config;
  await addOpenApi(app, {
    ...server,
    tags: [...tagsB, ...tagsA],
    tokens: config.accounts,
    build: options.build ?? null,
    docsUrl: docs.enabled ? `${server.publicUrl ?? ''}/docs` : null,
  });
  if (docs.enabled) {
    const { hasPortal } = services.campus;
    const { demo = null } = options;
    const { operator, corsOrigins } = server;
    const allowsAnyOrigin = isAnyOrigin(corsOrigins);
    addDocs(app, { limits, demo, hasPortal, hasStudentPage: pages.enabled, operator, allowsAnyOrigin });
  }
  if (pages.enabled)
    addStudentPage(app, { limits, publicUrl: server.publicUrl, calendars: offeredParts(services.campus) });
  addPrivacy(app, limits, config);
  addSecurityTxt(app, limits, server, services.clock);
};

const addSurfaces = async (app: FastifyInstance, parts: AppParts, closing: () => boolean): Promise<void> => {
  const { config, services, limits, place, envelopes, isTrustedCaller } = parts;
  const { docs, pages, server } = config;
  const { timeZone } = config.campus;
  const answers = new ByteBudget();
  // Each surface has its own budget of bodies: anyone may send one to `/api/v1`.
  const http = () => ({ limits, answers, bodies: new LargeBodies(services.clock) });
  const docsUrl = { en: docs.url, zh: docs.enabled && docs.url === '/docs' ? '/docs/zh' : docs.url };
  const statusPlace = { campus: services.campus.name, docsUrl, hasStudentPage: pages.enabled, ...place };
  await registerSurfaceB(app, {
    services,
    http: http(),
    timeZone,
    publicUrl: publicUrlOf(app, server.publicUrl),
    place,
    envelopes,
    docsUrl,
    statusPage: { policy: statusPolicy, render: (language, shown) => renderStatus(language, statusPlace, shown) },
    closing,
  });
  await app.register(async (scope) => {
    scope.addHook('onRequest', limitHook(limits, 'beforeBody'));
    await registerSurfaceA(scope, { services, http: http(), timeZone, pageUrl: place.pageUrl, isTrustedCaller });
  });
  await registerChallengePage(app, limits, pages.enabled);
};

/** Builds the whole application. It does not listen, and closing it leaves the services open. */
export const buildApp = async (
  config: AppConfig,
  services: Services,
  options: AppOptions = {},
): Promise<FastifyInstance> => {
  const { server, campus } = config;
  const envelopes = new Envelopes(services.clock, campus.timeZone, services.campus.ownLogin);
  const metrics = await openMetrics(config, services, options);
  const parts: AppParts = {
    config,
    services,
    options,
    envelopes,
    ...openLimits(config, options.limits),
    shapes: shapesByPrefix(surfaceAPrefix, problemShapeA, problemShapeB(envelopes)),
    place: { pageUrl: pageUrlOf(server.publicUrl), timeZone: campus.timeZone },
    times: { ...defaultTimes, ...options.connections },
    onEnd: metrics.onEnd,
  };
  const app: FastifyInstance = Fastify({
    ...serverOptions(server, parts.times),
    loggerInstance: options.logger ?? createLogger(config.log.level),
    schemaController: { compilersFactory: { buildSerializer: lateSerializers } },
    logController: quietController(),
    frameworkErrors: frameworkErrorsOf(parts),
  });
  const shutdown = await addPlatform(app, parts);
  await addDocuments(app, parts);
  metrics.serve(app);
  await addSurfaces(app, parts, () => shutdown.closing);
  return app;
};
