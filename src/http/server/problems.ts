import type { FastifyReply, FastifyRequest } from 'fastify';

/** Failures that the platform itself answers, before or beside any operation. */
export type ProblemKind = 'not-found' | 'method-not-allowed' | 'too-many-requests' | 'unavailable' | 'internal';

export interface Problem {
  readonly kind: ProblemKind;
  /** Whole seconds; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly allow?: string;
}

const problemStatus: Readonly<Record<ProblemKind, number>> = {
  'not-found': 404,
  'method-not-allowed': 405,
  'too-many-requests': 429,
  unavailable: 503,
  internal: 500,
};

/** Words a problem as one surface does, as the JSON body of its status. */
export type ProblemShape = (problem: Problem, request: FastifyRequest) => object;

export type ProblemShapes = (url: string) => ProblemShape;

/** The shape of the surface below `prefix` for its paths, the other one elsewhere. */
export const shapesByPrefix =
  (prefix: string, below: ProblemShape, elsewhere: ProblemShape): ProblemShapes =>
  (url) =>
    url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`) ? below : elsewhere;

/** Sends the body as text: the response schema of a route would drop members of what the platform says. */
export const answerProblem = (reply: FastifyReply, shape: ProblemShape, problem: Problem): FastifyReply => {
  if (problem.retryAfterSeconds !== undefined) reply.header('Retry-After', String(problem.retryAfterSeconds));
  if (problem.allow !== undefined) reply.header('Allow', problem.allow);
  const status = problemStatus[problem.kind];
  return reply
    .code(reply.request.routeOptions.config?.statusInstead?.[status] ?? status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(shape(problem, reply.request)));
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maps a status that the operation may not answer to the one it answers instead. */
    statusInstead?: Readonly<Record<number, number>>;
  }
}
