import type { FastifyRequest, onRequestHookHandler } from 'fastify';
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
  anonymous(request: FastifyRequest): void;
  /**
   * Counts a call for the documentation, whose answers are the largest that anybody can have.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  documents(request: FastifyRequest): void;
  /**
   * Counts a call with a token that was found good. Never before that: made-up tokens would each get a share of
   * their own. `key`: the hash of the token.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  known(key: string): void;
  /**
   * Before a body is read whose token is inside: an address that is over its limit may still send small ones, because
   * one of its neighbours may hold a valid token. Counts nothing.
   * @throws Failure `rate-limited` {retryAfterSeconds}
   */
  beforeBody(request: FastifyRequest): void;
  /**
   * Looks a token up; for an address that is over its limit a few at a time, so that a flood of bad ones does not fill
   * the line to storage.
   * @throws Failure `rate-limited` when too many of that address wait, and what `work` throws
   */
  lookUp<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
}

const WINDOW_MS = 60_000;
/** Callers counted at once; the one not seen for longest is forgotten. */
const COUNTED = 20_000;
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

/**
 * Counts by key, in windows of a minute that begin with the first call of a key. The library for this makes three promises
 * and an object of each call.
 *
 * @returns what counts a call: 0, or the milliseconds left of a window in which there are too many
 */
const createCounter = (most: number): ((key: string) => number) => {
  const windows = new LRUCache<string, { calls: number; readonly endsAt: number }>(bounded(COUNTED));
  return (key) => {
    const now = performance.now();
    let window = windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { calls: 0, endsAt: now + WINDOW_MS };
      windows.set(key, window);
    }
    window.calls += 1;
    return window.calls > most ? window.endsAt - now : 0;
  };
};

const refusal = (ms: number): Failure =>
  new Failure('rate-limited', { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)), reason: 'G8' });

/** Counters live in this process and are bounded; several replicas allow accordingly more. */
export const createLimits = (settings: LimitSettings): RequestLimits => {
  const { isTrustedCaller = () => false } = settings;
  /** Addresses over their limit: until when, by the monotonic clock, and the line of their look-ups. */
  const exhausted = new LRUCache<string, { until: number; line: Semaphore }>(bounded(COUNTED));
  const countAddress = createCounter(settings.anonymousPerMinute);
  const countDocuments = createCounter(settings.documentsPerMinute ?? DOCUMENTS_PER_MINUTE);
  const countToken = createCounter(settings.knownPerMinute);
  const overLimit = (request: FastifyRequest): { until: number; line: Semaphore } | null => {
    if (exhausted.size === 0) return null;
    const found = exhausted.get(callerUnit(request.ip));
    return found !== undefined && found.until > performance.now() ? found : null;
  };
  const msLeft = ({ until }: { until: number }): number => until - performance.now();
  return {
    anonymous({ ip }) {
      if (isTrustedCaller(ip)) return;
      const unit = callerUnit(ip);
      const ms = countAddress(unit);
      if (ms === 0) return;
      const line = exhausted.get(unit)?.line ?? new Semaphore(LOOK_UPS_AT_ONCE, LOOK_UPS_WAITING);
      exhausted.set(unit, { until: performance.now() + ms, line });
      throw refusal(ms);
    },
    documents({ ip }) {
      const ms = isTrustedCaller(ip) ? 0 : countDocuments(callerUnit(ip));
      if (ms > 0) throw refusal(ms);
    },
    known(key) {
      const ms = countToken(key);
      if (ms > 0) throw refusal(ms);
    },
    beforeBody(request) {
      const over = overLimit(request);
      if (over && announced(request) > SMALL_BODY) throw refusal(msLeft(over));
    },
    async lookUp(request, work) {
      const over = overLimit(request);
      if (!over) return work();
      try {
        return await over.line.run(contextOf(request).signal, work);
      } catch (error) {
        throw error instanceof LineFull ? refusal(msLeft(over)) : error;
      }
    },
  };
};

/** As a hook. */
export const limiting =
  (count: (request: FastifyRequest) => void): onRequestHookHandler =>
  (request, _reply, done) => {
    count(request);
    done();
  };
