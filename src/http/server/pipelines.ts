import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerProblem, type ProblemShapes } from './problems.ts';

/** Requests of one connection that may wait for their answers. Browsers and proxies send the next one after an answer. */
const MOST_UNANSWERED = 4;
const RETRY_AFTER_SECONDS = 1;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Counts the requests of each connection within one turn of the event loop. */
const countInTurn = () => {
  const counts = new Map<Socket, number>();
  return (socket: Socket): number => {
    if (counts.size === 0) setImmediate(() => counts.clear());
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    return count;
  };
};

/**
 * Hands requests on, also the first beyond the bound, whose connection is marked as refused. What follows is neither worked
 * on nor read any further: all requests of one packet are parsed in one turn, and each that waits takes kilobytes. A request
 * that was answered within the turn counts too, because its client cannot have seen the answer.
 */
const boundHandler = (handle: Handler): Handler => {
  const countOf = countInTurn();
  return (request, response) => {
    const { socket } = request;
    const isBehindRefusal = socket.refused === true;
    const count = countOf(socket);
    if (Math.max(count, (socket.calls?.size ?? 0) + 1) > MOST_UNANSWERED) socket.refused = true;
    // In the next turn: the HTTP server has scheduled for this one that reading goes on. An answer may begin it again.
    if (socket.refused === true && count <= MOST_UNANSWERED + 1) setImmediate(() => socket.pause());
    if (!isBehindRefusal) handle(request, response);
  };
};

interface Times {
  readonly http: ServerOptions;
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
  readonly keepAliveTimeout: number;
}

/** The HTTP server as the framework would make it, with bounded pipelines. */
export const createBoundedServer = (
  handle: Handler,
  { http, requestTimeout, connectionTimeout, keepAliveTimeout }: Times,
): Server => {
  const server = createServer(http, boundHandler(handle));
  Object.assign(server, { keepAliveTimeout, requestTimeout });
  return server.setTimeout(connectionTimeout);
};

/** It is the first request beyond the bound of its connection. */
export const isBeyondPipeline = ({ socket }: IncomingMessage): boolean =>
  socket instanceof Socket && socket.refused === true;

export const refusePipeline = (shapes: ProblemShapes, reply: FastifyReply): FastifyReply => {
  reply.header('Connection', 'close');
  const { url } = reply.request;
  return answerProblem(reply, shapes(url), { kind: 'too-many-requests', retryAfterSeconds: RETRY_AFTER_SECONDS });
};

/** Answers the request that has filled the pipeline of its connection, which then ends. */
export const addPipelineBound = (app: FastifyInstance, shapes: ProblemShapes): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isBeyondPipeline(request.raw)) return done();
    refusePipeline(shapes, reply);
  });
};
