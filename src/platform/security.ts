import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const preflightSeconds = 600;

/** Response headers a browser may show to the page that called. */
const exposedHeaders = ['X-Trace-Id', 'X-Process-Time', 'Retry-After'];

/** Security headers for an API: nothing it answers is to be rendered, framed or guessed at. */
export const addSecurityHeaders = async (app: FastifyInstance): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Apps of other origins show the images; who may read JSON is CORS's business.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
};

/**
 * CORS. Credentials only with an explicit list of origins: together with `*` every site could call in the user's name.
 * Requested headers are mirrored, because a literal `*` does not cover `Authorization`.
 */
export const addCors = async (app: FastifyInstance, origins: readonly string[]): Promise<void> => {
  const any = origins.length === 0 || origins.includes('*');
  await app.register(cors, {
    origin: any ? '*' : [...origins],
    credentials: !any,
    methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    exposedHeaders,
    maxAge: preflightSeconds,
    strictPreflight: false,
  });
};
