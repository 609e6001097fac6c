import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFailure } from '../../domain/errors.ts';
import type { RequestLimits } from '../limits/limits.ts';
import { answerProblem, type Problem, type ProblemShapes } from './problems.ts';

/** Tells a wrong method from an unknown path, which the router answers alike. */
class RouteTable {
  readonly #methods = new Map<string, Set<string>>();

  add(url: string, methods: string | readonly string[]): void {
    if (url.includes('*')) return;
    const allowed = this.#methods.get(url) ?? new Set();
    for (const method of typeof methods === 'string' ? [methods] : methods) allowed.add(method);
    this.#methods.set(url, allowed);
  }

  /** `GET, HEAD`, or null when no route has this path. */
  allow(path: string): string | null {
    const parts = path.split('/');
    const methods = new Set<string>();
    for (const [pattern, allowed] of this.#methods) {
      if (matches(pattern.split('/'), parts)) for (const method of allowed) methods.add(method);
    }
    return methods.size === 0 ? null : [...methods].sort().join(', ');
  }
}

/** `:name`, `:name.ending` or the part itself. */
const fits = (piece: string, part: string): boolean =>
  piece.startsWith(':') ? part.endsWith(/\..*$/.exec(piece)?.[0] ?? '') : piece === part;

const matches = (pattern: readonly string[], parts: readonly string[]): boolean =>
  pattern.length === parts.length && pattern.every((piece, at) => fits(piece, parts[at] ?? ''));

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

export const collectRoutes = (app: FastifyInstance): RouteTable => {
  const table = new RouteTable();
  app.addHook('onRoute', ({ url, method }) => table.add(url, method));
  return table;
};

/**
 * Ends every OPTIONS call. A preflight succeeds for any path, because only then may the page read the answer of the
 * call itself, a 404 included; otherwise OPTIONS tells the methods of a path, or that there is none.
 */
export const addOptions = (app: FastifyInstance, table: RouteTable, shapes: ProblemShapes): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done();
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    const allow = table.allow(pathOf(request.url));
    if (!isPreflight && allow === null) return void answerProblem(reply, shapes(request.url), { kind: 'not-found' });
    if (!isPreflight) reply.header('Allow', allow);
    reply.code(204).header('Content-Length', '0').send();
  });
};

/** Counts a request that no operation answers: 429 where there are too many of them. */
export const answerNoOperation = (
  limits: RequestLimits,
  shapes: ProblemShapes,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply => {
  const { request } = reply;
  try {
    limits.anonymous(request);
    return answerProblem(reply, shapes(request.url), problem);
  } catch (error) {
    if (!isFailure(error, 'rate-limited')) throw error;
    const { retryAfterSeconds = 60 } = error;
    return answerProblem(reply, shapes(request.url), { kind: 'too-many-requests', retryAfterSeconds });
  }
};

/** Answers before a body is looked at: a malformed one must not turn the answer into another. */
export const addNotFound = (
  app: FastifyInstance,
  table: RouteTable,
  limits: RequestLimits,
  shapes: ProblemShapes,
): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const allow = table.allow(pathOf(request.url));
    answerNoOperation(
      limits,
      shapes,
      reply,
      allow === null ? { kind: 'not-found' } : { kind: 'method-not-allowed', allow },
    );
  });
};
