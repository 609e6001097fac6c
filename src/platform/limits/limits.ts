import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { permit } from '../../domain/accounts/personal-tokens.ts';
import type { Student } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import { callerUnit } from '../../lib/address.ts';
import { sha256 } from '../../lib/hash.ts';
import { LineFull, Semaphore } from '../../lib/queues.ts';
import { bounded } from '../../lib/text.ts';
import type { ByteBudget } from './byte-budget.ts';
import { FairShare, type KnownCaller } from './fair-share.ts';
import type { LargeBodies } from './large-bodies.ts';

export interface LimitSettings {
  /** Calls per minute of one address without a valid token; high, because a campus shares one address. */
  readonly anonymousPerMinute: number;
  /** Calls per minute of one valid token. */
  readonly knownPerMinute: number;
  /** Calls per minute of one student over all tokens; left out: half as many again as of one. */
  readonly studentPerMinute?: number;
  /** Calls per minute of one personal token; all those of a student together have two and a half times as many. */
  readonly personalPerMinute?: number;
  /** Calls per minute of one address for the documentation, of which one page takes five. */
  readonly documentsPerMinute?: number;
  /** Calls per minute of one address for the status page. */
  readonly statusPerMinute?: number;
  /** Own backends, for which no limit per address applies. */
  readonly isTrustedCaller?: (address: string) => boolean;
  /** Left out: one that is never narrowed. */
  readonly shares?: FairShare;
}

/** A request; one without a route has an address and nothing else. */
type Counted = Pick<FastifyRequest, 'address'> & Partial<Pick<FastifyRequest, 'routeOptions' | 'call'>>;

/** The limits of the calls of a surface. */
export interface HttpBounds {
  readonly limits: RequestLimits;
  readonly bodies: LargeBodies;
  readonly answers: ByteBudget;
}

const WINDOW_MS = 60_000;
/** Callers counted at once; the one not seen for longest is forgotten. */
const COUNTED = 20_000;
/** Bodies that an address over its limit may still send. */
const SMALL_BODY = 64 * 1024;
const PERSONAL_PER_MINUTE = 120;
/** A student's limit over all personal tokens, in shares of one. */
const PERSONAL_FACTOR = 2.5;
const LOOK_UPS_AT_ONCE = 8;
const LOOK_UPS_WAITING = 1_000;
const DOCUMENTS_PER_MINUTE = 120;
const STATUS_PER_MINUTE = 60;
/** A student's limit over all tokens, in shares of one: an app and a browser are usual. */
export const STUDENT_FACTOR = 1.5;

/** Length of the body as announced; one that is sent in pieces may be of any length. */
const announced = ({ headers }: FastifyRequest): number => {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
};

/**
 * Counts by key, in windows of a minute that begin with the first call of a key. The library for this makes three promises
 * and an object per call.
 *
 * @returns what counts a call: 0, or the milliseconds left of a window in which there are too many
 */
const createCounter = (most: number): ((key: string, now?: number) => number) => {
  const windows = new LRUCache<string, { calls: number; readonly endsAt: number }>(bounded(COUNTED));
  return (key, now = performance.now()) => {
    let window = windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { calls: 0, endsAt: now + WINDOW_MS };
      windows.set(key, window);
    }
    window.calls += 1;
    return window.calls > most ? window.endsAt - now : 0;
  };
};

const refusal = (ms: number, reason = 'address-limit'): Failure =>
  new Failure('rate-limited', { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)), reason });

/** Counters live in this process and are bounded; several replicas allow accordingly more. */
export const createLimits = (settings: LimitSettings) => {
  const { isTrustedCaller = () => false, shares = new FairShare() } = settings;
  /** Addresses over their limit: until when, by the monotonic clock, and the line of their look-ups. */
  const exhausted = new LRUCache<string, { until: number; line: Semaphore }>(bounded(COUNTED));
  const countAddress = createCounter(settings.anonymousPerMinute);
  const countDocuments = createCounter(settings.documentsPerMinute ?? DOCUMENTS_PER_MINUTE);
  const countStatus = createCounter(settings.statusPerMinute ?? STATUS_PER_MINUTE);
  const countToken = createCounter(settings.knownPerMinute);
  const countStudent = createCounter(settings.studentPerMinute ?? settings.knownPerMinute * STUDENT_FACTOR);
  const { personalPerMinute = PERSONAL_PER_MINUTE } = settings;
  const countPersonal = createCounter(personalPerMinute);
  const countAllPersonal = createCounter(personalPerMinute * PERSONAL_FACTOR);
  const overLimit = (request: FastifyRequest): { until: number; line: Semaphore } | null => {
    if (exhausted.size === 0) return null;
    const found = exhausted.get(callerUnit(request.address));
    return found !== undefined && found.until > performance.now() ? found : null;
  };
  const msLeft = ({ until }: { until: number }): number => until - performance.now();
  return {
    /**
     * Counts a call without a valid token against its address (IPv6 by /64).
     * @throws Failure `rate-limited` {retryAfterSeconds}
     */
    anonymous(request: Counted): void {
      const { address } = request;
      if (isTrustedCaller(address)) return;
      const unit = callerUnit(address);
      const ms = countAddress(unit);
      if (ms === 0) return;
      const line = exhausted.get(unit)?.line ?? new Semaphore(LOOK_UPS_AT_ONCE, LOOK_UPS_WAITING);
      exhausted.set(unit, { until: performance.now() + ms, line });
      throw refusal(ms);
    },
    /**
     * Counts a call for the documentation, whose answers are the largest that need no token.
     * @throws Failure `rate-limited` {retryAfterSeconds}
     */
    documents({ address }: FastifyRequest): void {
      const ms = isTrustedCaller(address) ? 0 : countDocuments(callerUnit(address));
      if (ms > 0) throw refusal(ms);
    },
    /**
     * Counts a call for the status page.
     * @throws Failure `rate-limited` {retryAfterSeconds}
     */
    status({ address }: FastifyRequest): void {
      const ms = isTrustedCaller(address) ? 0 : countStatus(callerUnit(address));
      if (ms > 0) throw refusal(ms);
    },
    /**
     * Counts a call with a token that was found good, and gives it its turn: at once, or a promise of it. Never before
     * that: made-up tokens would each get their own share.
     * @throws Failure `rate-limited`, `overloaded` {retryAfterSeconds}, at once or from the promise
     */
    known({ call }: FastifyRequest, caller: KnownCaller): Promise<void> | undefined {
      const { userid, credential, personal = false } = caller;
      const now = performance.now();
      const ofPersonal = personal ? Math.max(countPersonal(credential, now), countAllPersonal(userid, now)) : 0;
      const ms = Math.max(countToken(credential, now), countStudent(userid, now), ofPersonal);
      if (ms > 0) throw refusal(ms, 'student-limit');
      // It is open for hours, and has its own limits.
      return call.config.stream === true ? undefined : shares.enter(call, caller);
    },
    /**
     * Counts a call of an address that is all it needs, as that of an image or a feed. It leaves the minute of its student
     * alone, because others may have it.
     * @throws Failure `rate-limited` {retryAfterSeconds}
     */
    secretAddress(key: string): void {
      const ms = countToken(key);
      if (ms > 0) throw refusal(ms, 'secret-address-limit');
    },
    /** Only its turn, as `known` gives it. */
    turn: ({ call }: FastifyRequest, caller: KnownCaller) => shares.enter(call, caller),
    /**
     * Before a body is read whose token is inside: an address that is over its limit may still send small ones, because
     * one of its neighbours may hold a valid token. Counts nothing.
     * @throws Failure `rate-limited` {retryAfterSeconds}
     */
    beforeBody(request: FastifyRequest): void {
      const over = overLimit(request);
      if (over && announced(request) > SMALL_BODY) throw refusal(msLeft(over));
    },
    /**
     * Looks a token up; for an address that is over its limit a few at a time, so that a flood of bad ones does not fill
     * the line to storage.
     * @throws Failure `rate-limited` when too many of that address wait, and what `work` throws
     */
    async lookUp<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
      const over = overLimit(request);
      if (!over) return work();
      try {
        return await over.line.run(request.call.signal, work);
      } catch (error) {
        throw error instanceof LineFull ? refusal(msLeft(over)) : error;
      }
    },
  };
};

export type RequestLimits = ReturnType<typeof createLimits>;

/**
 * Lets a call in whose token was found good: at once, or a promise of its turn. A good token counts against itself.
 * @throws Failure `rate-limited`, `overloaded`, `scope-missing`, at once or from the promise
 */
export const admit = (
  limits: RequestLimits,
  request: FastifyRequest,
  student: Student,
  token: string,
): Promise<void> | undefined => {
  const { call } = request;
  const { userid, personal, tokenHash = sha256(token) } = student;
  call.student = student;
  call.token = token;
  const turn = limits.known(request, { userid, credential: tokenHash, personal: personal !== undefined });
  const mayGoOn = (): void => permit(student, call.config.need ?? 'login');
  if (turn !== undefined) return turn.then(mayGoOn);
  mayGoOn();
  return undefined;
};

export const limiting =
  (count: (request: FastifyRequest) => void): onRequestHookHandler =>
  (request, _reply, done) => {
    count(request);
    done();
  };
