import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Failure } from '../domain/errors.ts';
import { callerUnit } from '../lib/address.ts';
import { bounded } from '../lib/bounded.ts';
import { LineFull, Semaphore } from '../lib/semaphore.ts';
import { contextOf } from './call-context.ts';

export interface LimitSettings {
  /** Calls per minute of one address without a valid token; high, because a campus shares one address. */
  readonly anonymousPerMinute: number;
  /** Calls per minute of one valid token. */
  readonly knownPerMinute: number;
  /** Calls per minute of one address for the documentation, of which one page takes five. */
  readonly documentsPerMinute?: number;
  /** Own backends, for which no limit per address applies. */
  readonly isTrustedCaller?: (address: string) => boolean;
}

export interface RequestLimits {
  /**
   * Counts a call without a valid token against its address (IPv6 by /64).
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  anonymous(request: FastifyRequest): Promise<void>;
  /**
   * Counts a call for the documentation, whose answers are the largest that anybody can have.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  documents(request: FastifyRequest): Promise<void>;
  /**
   * Counts a call with a token that was found good. Never before that: made-up tokens would each get a share of
   * their own. `key`: the hash of the token.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  known(request: FastifyRequest, key: string): Promise<void>;
  /**
   * Before a body is read whose token is inside: an address that is over its limit may still send small ones, because
   * one of its neighbours may hold a valid token. Counts nothing.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  beforeBody(request: FastifyRequest): Promise<void>;
  /**
   * Looks a token up; for an address that is over its limit a few at a time, so that a flood of bad ones does not fill
   * the line to storage.
   * @throws Failure `rate-limited` when too many of that address wait, and what `work` throws
   */
  lookUp<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
}

const tokenKey = 'limitKey';
const WINDOW_MS = 60_000;
/** Bodies that an address over its limit may still send. */
const SMALL_BODY = 64 * 1024;
const LOOK_UPS_AT_ONCE = 8;
const LOOK_UPS_WAITING = 1_000;
const DOCUMENTS_PER_MINUTE = 120;

/** Length of the body as announced; one that is sent in pieces may be of any length. */
const announced = ({ headers }: FastifyRequest): number => {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
};

/** Counters live in this process and are bounded; several replicas allow accordingly more. */
export const createLimits = async (app: FastifyInstance, settings: LimitSettings): Promise<RequestLimits> => {
  const { isTrustedCaller = () => false } = settings;
  /** Addresses over their limit: until when, by the monotonic clock, and the line of their look-ups. */
  const exhausted = new LRUCache<string, { until: number; line: Semaphore }>(bounded(20_000));
  app.decorateRequest(tokenKey, '');
  await app.register(rateLimit, { global: false, cache: 20_000 });
  const byAddress = app.createRateLimit({
    max: settings.anonymousPerMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => callerUnit(request.ip),
  });
  const documentsByAddress = app.createRateLimit({
    max: settings.documentsPerMinute ?? DOCUMENTS_PER_MINUTE,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => callerUnit(request.ip),
  });
  const byToken = app.createRateLimit({
    max: settings.knownPerMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => request.getDecorator<string>(tokenKey),
  });
  const refusal = (seconds: number): Failure =>
    new Failure('rate-limited', { retryAfterSeconds: Math.max(1, Math.ceil(seconds)), reason: 'G8' });
  const overLimit = (request: FastifyRequest): { until: number; line: Semaphore } | null => {
    if (exhausted.size === 0) return null;
    const found = exhausted.get(callerUnit(request.ip));
    return found !== undefined && found.until > performance.now() ? found : null;
  };
  const secondsLeft = ({ until }: { until: number }): number => (until - performance.now()) / 1000;
  return {
    async anonymous(request) {
      if (isTrustedCaller(request.ip)) return;
      const result = await byAddress(request);
      if (result.isAllowed || !result.isExceeded) return;
      const unit = callerUnit(request.ip);
      const line = exhausted.get(unit)?.line ?? new Semaphore(LOOK_UPS_AT_ONCE, LOOK_UPS_WAITING);
      exhausted.set(unit, { until: performance.now() + result.ttl, line });
      throw refusal(result.ttlInSeconds);
    },
    async documents(request) {
      if (isTrustedCaller(request.ip)) return;
      const result = await documentsByAddress(request);
      if (!result.isAllowed && result.isExceeded) throw refusal(result.ttlInSeconds);
    },
    async known(request, key) {
      request.setDecorator(tokenKey, key);
      const result = await byToken(request);
      if (!result.isAllowed && result.isExceeded) throw refusal(result.ttlInSeconds);
    },
    async beforeBody(request) {
      const over = overLimit(request);
      if (over && announced(request) > SMALL_BODY) throw refusal(secondsLeft(over));
    },
    async lookUp(request, work) {
      const over = overLimit(request);
      if (!over) return work();
      try {
        return await over.line.run(contextOf(request).signal, work);
      } catch (error) {
        throw error instanceof LineFull ? refusal(secondsLeft(over)) : error;
      }
    },
  };
};
