import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

const preflightSeconds = 600;

/** Response headers a browser may show to the page that called. */
const exposedHeaders = ['X-Trace-Id', 'X-Process-Time', 'Retry-After', 'Age', 'Cache-Status', 'ETag', 'Vary'];

/** Directives of a content security policy. */
export type ContentPolicy = Readonly<Record<string, readonly string[]>>;

const apiPolicy: ContentPolicy = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

/**
 * What helmet says for a policy. It would work the same lines out anew for every answer; they are constant, so it is
 * asked once, aside.
 */
const headersFor = async (policy: ContentPolicy): Promise<Readonly<Record<string, string>>> => {
  const aside = Fastify();
  const directives = Object.fromEntries(Object.entries(policy).map(([name, values]) => [name, [...values]]));
  await aside.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives },
    // Apps of other origins show the images; who may read JSON is CORS's business.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  let said: Readonly<Record<string, string>> = {};
  aside.get('/', async (_request, reply) => {
    said = Object.fromEntries(Object.entries(reply.raw.getHeaders()).map(([name, value]) => [name, String(value)]));
    return '';
  });
  await aside.inject('/');
  await aside.close();
  return said;
};

/** Security headers for an API: nothing it answers is to be rendered, framed or guessed at, but for marked routes. */
export const addSecurityHeaders = async (app: FastifyInstance): Promise<void> => {
  const usual = await headersFor(apiPolicy);
  const special = new Map<ContentPolicy, Readonly<Record<string, string>>>();
  app.addHook('onRoute', ({ config }) => {
    if (config?.contentPolicy) special.set(config.contentPolicy, {});
  });
  app.addHook('onReady', async () => {
    for (const policy of special.keys()) special.set(policy, await headersFor(policy));
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { contentPolicy } = request.routeOptions.config;
    reply.headers((contentPolicy && special.get(contentPolicy)) ?? usual);
    done();
  });
};

/**
 * CORS. Credentials only with an explicit list of origins: together with `*` every site could call in the user's name.
 * Requested headers are mirrored, because a literal `*` does not cover `Authorization`.
 */
export const addCors = async (app: FastifyInstance, origins: readonly string[]): Promise<void> => {
  const any = origins.length === 0 || origins.includes('*');
  const options = {
    methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    exposedHeaders,
    maxAge: preflightSeconds,
    strictPreflight: false,
    // The hook behind ends the call.
    preflightContinue: true,
  };
  if (any) {
    await app.register(cors, { ...options, origin: '*' });
    return;
  }
  const listed = new Set(origins);
  // Asked for each request, because the package would allow credentials to every origin, also to one that it refuses.
  await app.register(cors, () => async (request: FastifyRequest) => {
    const { origin } = request.headers;
    return { ...options, origin: [...listed], credentials: origin !== undefined && listed.has(origin) };
  });
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers pages, with a content security policy of their own. */
    contentPolicy?: ContentPolicy;
  }
}
