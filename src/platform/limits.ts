import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../domain/errors.ts';
import { sha256 } from '../lib/hash.ts';

export interface LimitSettings {
  /** Calls per minute of one address with a bad token or path; high, because a campus shares one address. */
  readonly anonymousPerMinute: number;
  /** Calls per minute of one token. */
  readonly knownPerMinute: number;
  /**
   * Calls per minute of one address where the token is in the body and so not yet known, or none is needed; a whole
   * campus at its peak.
   */
  readonly sharedPerMinute: number;
}

export const defaultLimits: LimitSettings = { anonymousPerMinute: 300, knownPerMinute: 600, sharedPerMinute: 6_000 };

export interface RequestLimits {
  /**
   * Counts a call without a known token against its address (IPv6 by /64).
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  anonymous(request: FastifyRequest): Promise<void>;
  /**
   * Counts a call with a token that was found good. Never before that: made-up tokens would each get a share of
   * their own.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  known(request: FastifyRequest, token: string): Promise<void>;
  /**
   * Counts a call against its address before anything is known about it.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  shared(request: FastifyRequest): Promise<void>;
}

const tokenKey = 'limitKey';

/** Counters live in this process and are bounded; several replicas allow accordingly more. */
export const createLimits = async (app: FastifyInstance, settings: LimitSettings): Promise<RequestLimits> => {
  app.decorateRequest(tokenKey, '');
  await app.register(rateLimit, { global: false, cache: 20_000 });
  const byAddress = app.createRateLimit({ max: settings.anonymousPerMinute, timeWindow: 60_000 });
  const byAddressTotal = app.createRateLimit({ max: settings.sharedPerMinute, timeWindow: 60_000 });
  const byToken = app.createRateLimit({
    max: settings.knownPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => request.getDecorator<string>(tokenKey),
  });
  const check = async (count: typeof byAddress, request: FastifyRequest): Promise<void> => {
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) {
      throw new Failure('rate-limited', { retryAfterSeconds: Math.max(1, result.ttlInSeconds) });
    }
  };
  return {
    anonymous: (request) => check(byAddress, request),
    shared: (request) => check(byAddressTotal, request),
    known: (request, token) => {
      request.setDecorator(tokenKey, sha256(`limit:${token}`));
      return check(byToken, request);
    },
  };
};
