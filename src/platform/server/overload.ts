import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Allowance } from '../limits/fair-share.ts';
import { answerProblem, type ProblemShapes } from './problems.ts';

export interface PressureSettings {
  /** The event loop may lag this many milliseconds. */
  readonly maxEventLoopDelay: number;
  /** Milliseconds of lag after which callers with half as many calls at work are turned away as well. */
  readonly narrowEveryMs: number;
  readonly maxHeapUsedBytes: number;
  /**
   * How long after listening began no call is turned away. Starting blocks the event loop for longer than any load does,
   * and the readings of the first two seconds still tell of that.
   */
  readonly graceMs: number;
  /** Asked for every call: another sign that the event loop lags. */
  readonly lagging?: () => boolean;
}

export const defaultPressure = (): PressureSettings => ({
  maxEventLoopDelay: 1_000,
  narrowEveryMs: 1_000,
  graceMs: 2_500,
  maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
});

const retryAfterSeconds = 10;

/**
 * How many calls at once a student may have next, while the event loop lags on: half of the most that any has, then half
 * of that, then one, and none in the end. Who has most is turned away first, who has a single call last.
 */
export const narrowed = (mostCalls: number, greatest: number): number =>
  mostCalls === Number.POSITIVE_INFINITY
    ? Math.max(1, Math.floor(greatest / 2))
    : Math.floor(Math.min(mostCalls, Math.max(1, greatest)) / 2);

interface OverloadGuard {
  readonly settings: PressureSettings;
  readonly shapes: ProblemShapes;
  /** Set here and obeyed where the student of a call is known. */
  readonly allowance: { -readonly [Member in keyof Allowance]: Allowance[Member] };
  /** Returns the most calls that any student has at work. */
  readonly greatest: () => number;
}

/**
 * While overloaded, everything but the marked probes is answered 503 before any work is done for it. Where it is the event
 * loop that lags, calls whose student becomes known go on to where the callers with most calls are turned away first.
 */
export const addOverloadGuard = async (
  app: FastifyInstance,
  { settings, shapes, allowance, greatest }: OverloadGuard,
): Promise<void> => {
  const { maxEventLoopDelay, narrowEveryMs, maxHeapUsedBytes, graceMs, lagging = () => false } = settings;
  // The plugin only measures, in a scope without routes: its own answer knows neither surface, and its hook takes every
  // route's description apart.
  let isUnderPressure = (): boolean => false;
  let lags = (): boolean => false;
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay, maxHeapUsedBytes });
    isUnderPressure = () => scope.isUnderPressure() || lagging();
    lags = () => {
      const { eventLoopDelay, heapUsed } = scope.memoryUsage();
      const isFull = maxHeapUsedBytes > 0 && heapUsed > maxHeapUsedBytes;
      return !isFull && (lagging() || (maxEventLoopDelay > 0 && eventLoopDelay > maxEventLoopDelay));
    };
  });
  let narrowAt = 0;
  const narrow = (): void => {
    const now = performance.now();
    if (now < narrowAt) return;
    narrowAt = now + narrowEveryMs;
    allowance.mostCalls = narrowed(allowance.mostCalls, greatest());
  };
  let guardedFrom = 0;
  app.addHook('onListen', async () => {
    guardedFrom = performance.now() + graceMs;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnderPressure() || performance.now() < guardedFrom) {
      allowance.mostCalls = Number.POSITIVE_INFINITY;
      narrowAt = 0;
      return done();
    }
    const { alwaysAnswers, findsStudent, slowBody } = request.call.config;
    if (alwaysAnswers === true) return done();
    if (lags()) {
      narrow();
      // The body of a large call would be read before its student is known.
      if (findsStudent === true && slowBody !== true && allowance.mostCalls > 0) return done();
    }
    answerProblem(reply, shapes(request.url), { kind: 'unavailable', retryAfterSeconds });
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered while the service is overloaded or closing. */
    alwaysAnswers?: boolean;
    /** Its student becomes known, by token or by address, and gets turns from then on. */
    findsStudent?: boolean;
  }
}
