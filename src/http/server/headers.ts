import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';

const processTime = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(4);

const noStore = 'no-store';

/** Sets the headers that many answers share, and `X-Trace-Id` and `X-Process-Time` on every answer. */
export const addAnswerHead = (app: FastifyInstance, headersFor: (request: FastifyRequest) => Headers): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Nearly every answer is about one student; one that may be cached says so itself.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', noStore);
    reply.headers(headersFor(request));
    reply.header('x-trace-id', request.id).header('x-process-time', processTime(request.call.startedAt));
    done();
  });
  app.decorateReply('begin', function begin(this: FastifyReply): ServerResponse {
    const { request, raw } = this;
    this.hijack();
    this.headers(headersFor(request));
    this.header('x-trace-id', request.id).header('x-process-time', processTime(request.call.startedAt));
    raw.writeHead(
      this.statusCode,
      Object.entries(this.getHeaders()).flatMap(([name, value]) => [name, String(value)]),
    );
    // Sent now, the head is held as one text instead of the ninety pieces it was made of, which saves 2 kB.
    raw.flushHeaders();
    return raw;
  });
};

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the head, for text that is written as it comes: `send` would hold 6 kB for as long as a stream is open. */
    begin(): ServerResponse;
  }
}

/** For paths that cannot be decoded: the framework runs no hooks for them. */
export const setBareHead = (reply: FastifyReply): void => {
  const { id, call } = reply.request;
  reply.header('X-Trace-Id', id).header('X-Process-Time', processTime(call.startedAt));
  reply.header('Cache-Control', noStore).header('X-Content-Type-Options', 'nosniff');
};

const preflightSeconds = 600;

const exposedHeaders = [
  'X-Trace-Id',
  'X-Process-Time',
  'Retry-After',
  'Age',
  'Cache-Status',
  'ETag',
  'Vary',
  'X-Kept',
  'X-Ended',
  'X-Poll-After',
];

export type ContentPolicy = Readonly<Record<string, readonly string[]>>;

const apiPolicy: ContentPolicy = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

export type Headers = Readonly<Record<string, string>>;

/** Asks the package once: it would compute the same lines for every answer. */
const securityHeaders = (policy: ContentPolicy): Headers => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const add = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    // Apps of other origins show the images; who may read JSON is CORS's business.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // A sandboxed page has no origin to be keyed by, and browsers warn.
    originAgentCluster: policy.sandbox === undefined,
  });
  add(response.req, response, (error) => {
    if (error !== undefined) throw error;
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
};

/**
 * Nothing that the service answers is to be rendered, framed or guessed at, but for marked routes. `common`: other
 * headers of every answer but those to OPTIONS, and to probes without an origin.
 */
export const prepareSecurityHeaders = (
  app: FastifyInstance,
  common: Headers,
): ((request: FastifyRequest) => Headers) => {
  // No page sends a probe, so its answer needs nothing for browsers.
  const bare = securityHeaders(apiPolicy);
  const usual = { ...bare, ...common };
  const special = new Map<ContentPolicy, Headers>();
  app.addHook('onRoute', ({ config }) => {
    const policy = config?.contentPolicy;
    if (policy && !special.has(policy)) special.set(policy, { ...securityHeaders(policy), ...common });
  });
  return ({ method, headers, call: { config } }) => {
    if (method === 'OPTIONS') return bare;
    if (config.alwaysAnswers === true && headers.origin === undefined) return bare;
    return (config.contentPolicy && special.get(config.contentPolicy)) ?? usual;
  };
};

const corsOptions = {
  methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
  exposedHeaders,
  maxAge: preflightSeconds,
  strictPreflight: false,
  // The next hook ends the call.
  preflightContinue: true,
};

export const isAnyOrigin = (origins: readonly string[]): boolean => origins.length === 0 || origins.includes('*');

/** None where they depend on the caller. */
export const commonCorsHeaders = (origins: readonly string[]): Headers =>
  isAnyOrigin(origins)
    ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposedHeaders.join(', ') }
    : {};

/**
 * Credentials only with a list of origins: with `*` every site could call in the user's name. Requested headers are
 * mirrored, because a literal `*` does not cover `Authorization`.
 */
export const addCors = async (
  app: FastifyInstance,
  origins: readonly string[],
  endOptions: (scope: FastifyInstance) => void,
): Promise<void> => {
  if (isAnyOrigin(origins)) {
    // The package brings the route for OPTIONS; on all others its headers are constant.
    await app.register(async (scope) => {
      await scope.register(cors, { ...corsOptions, origin: '*' });
      endOptions(scope);
    });
    return;
  }
  const listed = new Set(origins);
  // Asked for each request, because the package would allow credentials to every origin, also to one that it refuses.
  await app.register(cors, () => async (request: FastifyRequest) => {
    const { origin } = request.headers;
    return { ...corsOptions, origin: [...listed], credentials: origin !== undefined && listed.has(origin) };
  });
  endOptions(app);
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers pages, with their own content security policy. */
    contentPolicy?: ContentPolicy;
  }
}
