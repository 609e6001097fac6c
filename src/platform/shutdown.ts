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

/**
 * Closing in order: `/ready` fails, calls are answered for the drain time, then late calls on open connections get
 * 503 while those in flight finish. Every answer from the first moment on closes its connection; a keep-alive
 * connection that goes idle only after closing began would otherwise hold the server for its whole idle time.
 */
export const addShutdown = (
  app: FastifyInstance,
  { drainMs, graceMs }: ShutdownSettings,
  shapes: ProblemShapes,
): Shutdown => {
  const state = { closing: false, refusing: false };
  app.addHook('preClose', async () => {
    state.closing = true;
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
    state.refusing = true;
    const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
    cut.unref();
    app.server.once('close', () => clearTimeout(cut));
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!state.refusing || request.routeOptions.config.alwaysAnswers === true) return done();
    answerProblem(reply, shapes(request.url), { kind: 'unavailable', retryAfterSeconds });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.closing) reply.header('Connection', 'close');
    done();
  });
  return state;
};
