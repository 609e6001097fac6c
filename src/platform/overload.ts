import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { answerProblem, type ProblemShapes } from './problems.ts';

export interface PressureSettings {
  /** Milliseconds the event loop may lag. */
  readonly maxEventLoopDelay: number;
  readonly maxHeapUsedBytes: number;
  /**
   * How long after listening began nobody is turned away. Starting blocks the event loop for longer than any load does,
   * and the readings of the first two seconds still tell of that.
   */
  readonly graceMs: number;
  /** Any further sign of overload; asked every second. */
  readonly healthy?: () => Promise<boolean>;
}

export const defaultPressure = (): PressureSettings => ({
  maxEventLoopDelay: 1_000,
  graceMs: 2_500,
  maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
});

const retryAfterSeconds = 10;

/** While overloaded, everything but the marked probes is answered 503 before any work is done for it. */
export const addOverloadGuard = async (
  app: FastifyInstance,
  settings: PressureSettings,
  shapes: ProblemShapes,
): Promise<void> => {
  const { maxEventLoopDelay, maxHeapUsedBytes, graceMs, healthy } = settings;
  // The plugin only measures, in a scope without routes: its own answer knows neither surface, and its hook takes every
  // route's description apart.
  let isUnderPressure = (): boolean => false;
  await app.register(async (scope) => {
    await scope.register(underPressure, {
      maxEventLoopDelay,
      maxHeapUsedBytes,
      ...(healthy ? { healthCheck: healthy, healthCheckInterval: 1_000 } : {}),
    });
    isUnderPressure = () => scope.isUnderPressure();
  });
  let guardedFrom = 0;
  app.addHook('onListen', async () => {
    guardedFrom = performance.now() + graceMs;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnderPressure() || request.call.config.alwaysAnswers === true) return done();
    if (performance.now() < guardedFrom) return done();
    answerProblem(reply, shapes(request.url), { kind: 'unavailable', retryAfterSeconds });
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered while the service is overloaded or closing. */
    alwaysAnswers?: boolean;
  }
}
