import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { answerProblem, type ProblemShapes } from './problems.ts';

export interface ShutdownSettings {
  /** How long the service goes on answering after `/ready` has begun to fail, so that a balancer can turn away. */
  readonly drainMs: number;
  /** How long requests in flight may take to finish before their connections are cut. */
  readonly graceMs: number;
}

export interface Shutdown {
  /** True from the first moment of closing. */
  readonly closing: boolean;
}

const retryAfterSeconds = 5;

/** How long connections that are open when the port closes may still bring a request, where there is draining. */
const lastArrivalsMs = 1_000;

const quietTurnMs = 0.3;
const turnsAtMost = 200;

/**
 * Lets the event loop turn until a turn brought nothing. Connections that the system has accepted and the process has
 * not taken yet are reset when the port closes; right after a quiet turn there are none.
 */
const untilQuiet = async (): Promise<void> => {
  for (let turn = 0; turn < turnsAtMost; turn += 1) {
    const began = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - began < quietTurnMs) return;
  }
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Closes the port and no connection. The HTTP server's own `close` would also end connections that have just been
 * accepted, with their requests on the way. `all`: when the last connection has ended.
 */
const closePort = (server: HttpServer): { readonly all: Promise<void> } => ({
  all: new Promise((resolve) => void Server.prototype.close.call(server, () => resolve())),
});

/** Answers for the drain time, closes the port, and lets connections that have arrived by then bring a request. */
const closeGently = async (server: HttpServer, drainMs: number): Promise<{ readonly all: Promise<void> }> => {
  await wait(drainMs);
  await untilQuiet();
  const closed = closePort(server);
  await Promise.race([closed.all, wait(lastArrivalsMs)]);
  return closed;
};

/**
 * Closing in order: `/ready` fails, calls are answered for the drain time, the port closes, and a moment later idle
 * connections do; from then on late calls on open connections get 503 while those in flight finish. Every answer from
 * the first moment on closes its connection; a keep-alive connection that goes idle only after closing began would
 * otherwise hold the server for its whole idle time.
 */
export const addShutdown = (
  app: FastifyInstance,
  { drainMs, graceMs }: ShutdownSettings,
  shapes: ProblemShapes,
): Shutdown => {
  const state = { closing: false, refusing: false };
  app.addHook('preClose', async () => {
    state.closing = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), drainMs + graceMs);
    const closed = drainMs > 0 ? await closeGently(app.server, drainMs) : closePort(app.server);
    state.refusing = true;
    app.server.closeIdleConnections();
    // The framework, which closes after this hook, would not wait for a port that is closed already.
    await closed.all;
    clearTimeout(cut);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!state.refusing || request.call.config.alwaysAnswers === true) return done();
    answerProblem(reply, shapes(request.url), { kind: 'unavailable', retryAfterSeconds });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.closing) reply.header('Connection', 'close');
    done();
  });
  return state;
};
