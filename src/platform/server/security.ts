import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type PreparedHeaders, prepareHeaders } from './answer-head.ts';

const preflightSeconds = 600;

/** Response headers a browser may show to the page that called. */
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
  'X-Challenge',
];

/** Directives of a content security policy. */
export type ContentPolicy = Readonly<Record<string, readonly string[]>>;

const apiPolicy: ContentPolicy = { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] };

type Headers = Readonly<Record<string, string>>;

/**
 * What a package says on an answer. It would compute the same lines for every one; where they are constant, it is
 * asked once, aside.
 */
const saidBy = async (add: (aside: FastifyInstance) => PromiseLike<unknown>): Promise<Headers> => {
  const aside = Fastify();
  await add(aside);
  let said: Headers = {};
  aside.get('/', async (_request, reply) => {
    said = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
    return '';
  });
  await aside.inject('/');
  await aside.close();
  return said;
};

const securityHeaders = (policy: ContentPolicy): Promise<Headers> => {
  const directives = Object.fromEntries(Object.entries(policy).map(([name, values]) => [name, [...values]]));
  return saidBy((aside) =>
    aside.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives },
      // Apps of other origins show the images; who may read JSON is CORS's business.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
    }),
  );
};

/**
 * Security headers for an API: nothing it answers is to be rendered, framed or guessed at, but for marked routes.
 * `common`: what else is the same on every answer but those to OPTIONS, and to probes without an origin.
 */
export const prepareSecurityHeaders = async (
  app: FastifyInstance,
  common: Headers,
): Promise<(request: FastifyRequest) => PreparedHeaders> => {
  const security = await securityHeaders(apiPolicy);
  // A probe that no page sends has nothing to tell a browser.
  const bare = prepareHeaders(security);
  const usual = prepareHeaders({ ...security, ...common });
  const special = new Map<ContentPolicy, PreparedHeaders>();
  app.addHook('onRoute', ({ config }) => {
    if (config?.contentPolicy) special.set(config.contentPolicy, usual);
  });
  app.addHook('onReady', async () => {
    for (const policy of special.keys()) {
      special.set(policy, prepareHeaders({ ...(await securityHeaders(policy)), ...common }));
    }
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
  // The hook behind ends the call.
  preflightContinue: true,
};

const isAny = (origins: readonly string[]): boolean => origins.length === 0 || origins.includes('*');

/** What CORS says on every answer to another method than OPTIONS; nothing where it depends on the caller. */
export const commonCorsHeaders = async (origins: readonly string[]): Promise<Headers> =>
  isAny(origins) ? saidBy((aside) => aside.register(cors, { ...corsOptions, origin: '*' })) : {};

/**
 * CORS. Credentials only with an explicit list of origins: together with `*` every site could call in the user's name.
 * Requested headers are mirrored, because a literal `*` does not cover `Authorization`. `endOptions` is added behind.
 */
export const addCors = async (
  app: FastifyInstance,
  origins: readonly string[],
  endOptions: (scope: FastifyInstance) => void,
): Promise<void> => {
  if (isAny(origins)) {
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
