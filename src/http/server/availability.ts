import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { FairShare } from '../limits/fair-share.ts';
import { answerProblem, type ProblemShapes } from './problems.ts';

export interface PressureSettings {
  readonly maxEventLoopDelay: number;
  /** Milliseconds of lag after which callers with half as many calls at work are turned away as well. */
  readonly narrowEveryMs: number;
  readonly maxHeapUsedBytes: number;
  /**
   * How long after listening began no call is turned away: starting blocks the event loop, and the readings of the
   * first two seconds still tell of that.
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

const overloadedSeconds = 10;

interface OverloadGuard {
  readonly settings: PressureSettings;
  readonly shapes: ProblemShapes;
  readonly shares: FairShare;
}

/**
 * While overloaded, everything but the marked probes is answered 503 before any work is done for it. Where the event
 * loop lags, calls whose student becomes known go on to `FairShare`, which turns away the callers with most calls
 * first.
 */
export const addOverloadGuard = async (
  app: FastifyInstance,
  { settings, shapes, shares }: OverloadGuard,
): Promise<void> => {
  const { maxEventLoopDelay, narrowEveryMs, maxHeapUsedBytes, graceMs, lagging = () => false } = settings;
  // The plugin only measures, in a scope without routes: its own answer knows neither surface, and its hook takes every
  // route's description apart.
  let measured = app;
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay, maxHeapUsedBytes });
    measured = scope;
  });
  const isUnderPressure = (): boolean => measured.isUnderPressure() || lagging();
  const lags = (): boolean => {
    const { eventLoopDelay, heapUsed } = measured.memoryUsage();
    const isFull = maxHeapUsedBytes > 0 && heapUsed > maxHeapUsedBytes;
    return !isFull && (lagging() || (maxEventLoopDelay > 0 && eventLoopDelay > maxEventLoopDelay));
  };
  let narrowAt = 0;
  const narrow = (): void => {
    const now = performance.now();
    if (now < narrowAt) return;
    narrowAt = now + narrowEveryMs;
    shares.narrow();
  };
  let guardedFrom = 0;
  app.addHook('onListen', async () => {
    guardedFrom = performance.now() + graceMs;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnderPressure() || performance.now() < guardedFrom) {
      shares.widen();
      narrowAt = 0;
      return done();
    }
    const { alwaysAnswers, findsStudent, slowBody } = request.call.config;
    if (alwaysAnswers === true) return done();
    if (lags()) {
      narrow();
      // The body of a large call would be read before its student is known.
      if (findsStudent === true && slowBody !== true && !shares.isClosed) return done();
    }
    answerProblem(reply, shapes(request.url), { kind: 'unavailable', retryAfterSeconds: overloadedSeconds });
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

export interface ShutdownSettings {
  /** How long the service still answers after `/ready` has begun to fail, so that a balancer can turn away. */
  readonly drainMs: number;
  /** How long requests in flight may take to finish before their connections are cut. */
  readonly graceMs: number;
}

export interface Shutdown {
  readonly closing: boolean;
}

const closingSeconds = 5;

/** How long connections that are open when the port closes may still bring a request, where there is draining. */
const lastArrivalsMs = 1_000;

const quietTurnMs = 0.3;
const turnsAtMost = 200;

/**
 * Connections that the system has accepted and the process has not taken yet are reset when the port closes; right
 * after a turn of the event loop that brought nothing there are none.
 */
const untilQuiet = async (): Promise<void> => {
  for (let turn = 0; turn < turnsAtMost; turn += 1) {
    const began = performance.now();
    await nextTurn();
    if (performance.now() - began < quietTurnMs) return;
  }
};

/**
 * Closes in order: `/ready` fails, calls are answered for the drain time, the port closes, a moment later idle
 * connections do, also those that never brought anything, and late calls get 503 while those in flight finish. Every
 * answer closes its connection: one that goes idle after closing began would hold the server for its whole idle time.
 */
export const addShutdown = (
  app: FastifyInstance,
  { drainMs, graceMs }: ShutdownSettings,
  shapes: ProblemShapes,
): Shutdown => {
  const state = { closing: false, refusing: false };
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    state.closing = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), drainMs + graceMs);
    if (drainMs > 0) {
      await wait(drainMs);
      await untilQuiet();
    }
    // `close` of the HTTP server would also end connections that have just been accepted, with their requests on the way.
    const ended = new Promise((resolve) => Server.prototype.close.call(app.server, resolve));
    if (drainMs > 0) await Promise.race([ended, wait(lastArrivalsMs)]);
    state.refusing = true;
    app.server.closeIdleConnections();
    // One that was opened ahead of a request, as browsers and some clients do, counts as busy there.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    // The framework, which closes after this hook, would not wait for a port that is closed already.
    await ended;
    clearTimeout(cut);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!state.refusing || request.call.config.alwaysAnswers === true) return done();
    answerProblem(reply, shapes(request.url), { kind: 'unavailable', retryAfterSeconds: closingSeconds });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.closing) reply.header('Connection', 'close');
    done();
  });
  return state;
};
