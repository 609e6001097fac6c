import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { permit } from '../../domain/accounts/tokens/personal-tokens.ts';
import type { Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import { limitFailure, limits, WindowCounter } from '../../domain/limits.ts';
import { callerUnit } from '../../lib/address.ts';
import { sha256 } from '../../lib/hash.ts';
import { QueueFull, Semaphore } from '../../lib/queues.ts';
import { boundSize } from '../../lib/text.ts';
import type { ByteBudget } from './byte-budget.ts';
import { FairShare, type KnownCaller } from './fair-share.ts';
import type { LargeBodies } from './large-bodies.ts';

export interface LimitSettings {
  /** Calls per minute of one address without a valid token; high, because a campus shares one address. */
  readonly anonymousPerMinute: number;
  /** Of one valid token; a student has half as many again over all tokens. */
  readonly knownPerMinute: number;
  /** Of one personal token; all those of a student together have two and a half times as many. */
  readonly personalPerMinute?: number;
  /** Of one address for the documentation, of which one page takes five. */
  readonly documentsPerMinute?: number;
  /** Own backends, for which no limit per address applies. */
  readonly isTrustedCaller?: (address: string) => boolean;
  /** Left out: one that is never narrowed. */
  readonly shares?: FairShare;
}

export interface HttpBounds {
  readonly limits: RequestLimits;
  readonly bodies: LargeBodies;
  readonly answers: ByteBudget;
}

/** Callers; the one not seen for longest is forgotten. */
const COUNTED = 20_000;
/** An address over its limit may still send a body of this size. */
const SMALL_BODY = 64 * 1024;
const LOOK_UPS_AT_ONCE = 8;
const LOOK_UPS_WAITING = 1_000;
/** Of a student, as of one token. */
export const STUDENT_FACTOR = limits.studentCalls.most / limits.tokenCalls.most;
const PERSONAL_FACTOR = limits.personalOfStudent.most / limits.personalCalls.most;

const clock = { monotonic: () => performance.now() };

/** Length of the body; one that is sent in pieces may be of any length. */
const announcedBytes = ({ headers }: FastifyRequest): number => {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
};

interface Exhausted {
  readonly until: number;
  readonly lookUps: Semaphore;
}

const msLeft = ({ until }: Exhausted): number => until - performance.now();

/**
 * Counters live in this process, so several replicas allow accordingly more. Every refusal is a Failure `rate-limited`
 * {retryAfterSeconds}.
 */
export class RequestLimits {
  readonly #isTrustedCaller: (address: string) => boolean;
  readonly #shares: FairShare;
  readonly #exhausted = new LRUCache<string, Exhausted>(boundSize(COUNTED));
  readonly #addresses: WindowCounter;
  readonly #documents: WindowCounter;
  readonly #status = new WindowCounter(clock, limits.status);
  readonly #pages = new WindowCounter(clock, limits.pages);
  readonly #tokens: WindowCounter;
  readonly #secrets: WindowCounter;
  readonly #students: WindowCounter;
  readonly #personalTokens: WindowCounter;
  readonly #personalOfStudents: WindowCounter;

  constructor(settings: LimitSettings) {
    const { anonymousPerMinute, knownPerMinute, personalPerMinute = limits.personalCalls.most } = settings;
    this.#isTrustedCaller = settings.isTrustedCaller ?? (() => false);
    this.#shares = settings.shares ?? new FairShare();
    this.#addresses = new WindowCounter(clock, limits.addressCalls, anonymousPerMinute);
    this.#documents = new WindowCounter(clock, limits.documents, settings.documentsPerMinute);
    this.#tokens = new WindowCounter(clock, limits.tokenCalls, knownPerMinute);
    this.#secrets = new WindowCounter(clock, limits.secretAddress, knownPerMinute);
    this.#students = new WindowCounter(clock, limits.studentCalls, knownPerMinute * STUDENT_FACTOR);
    this.#personalTokens = new WindowCounter(clock, limits.personalCalls, personalPerMinute);
    this.#personalOfStudents = new WindowCounter(clock, limits.personalOfStudent, personalPerMinute * PERSONAL_FACTOR);
  }

  /** Counts a call without a valid token against its address (IPv6 by /64). */
  anonymous({ call: { address } }: FastifyRequest): void {
    if (this.#isTrustedCaller(address)) return;
    const unit = callerUnit(address);
    const ms = this.#addresses.wait(unit);
    if (ms === 0) {
      this.#addresses.count(unit);
      return;
    }
    const lookUps = this.#exhausted.get(unit)?.lookUps ?? new Semaphore(LOOK_UPS_AT_ONCE, LOOK_UPS_WAITING);
    this.#exhausted.set(unit, { until: performance.now() + ms, lookUps });
    throw limitFailure(limits.addressCalls, ms);
  }

  /** Its answers are the largest that need no token. */
  documents(request: FastifyRequest): void {
    this.#countAddress(this.#documents, request);
  }

  /** The page for students has a separate row: however many open it, the documents stay reachable. */
  pages(request: FastifyRequest): void {
    this.#countAddress(this.#pages, request);
  }

  status(request: FastifyRequest): void {
    this.#countAddress(this.#status, request);
  }

  #countAddress(counter: WindowCounter, { call: { address } }: FastifyRequest): void {
    if (!this.#isTrustedCaller(address)) counter.take(callerUnit(address));
  }

  /**
   * Counts a call whose token was found good, and lets it in when it is its turn. (Made-up tokens would each get their
   * own share.)
   * @throws Failure `rate-limited`, `overloaded` {retryAfterSeconds}, `scope-missing`
   */
  async admit({ call }: FastifyRequest, student: Student, token: string): Promise<void> {
    const { userid, personal, tokenHash: credential = sha256(token) } = student;
    call.student = student;
    call.token = token;
    const counted: Array<[WindowCounter, string]> = [[this.#tokens, credential]];
    // What ends a thief's token must not be used up by its calls.
    const isShared = call.config.ownLimitOnly !== true;
    if (isShared) counted.push([this.#students, userid]);
    if (personal !== undefined) counted.push([this.#personalTokens, credential]);
    if (personal !== undefined && isShared) counted.push([this.#personalOfStudents, userid]);
    for (const [counter, name] of counted) counter.check(name);
    for (const [counter, name] of counted) counter.count(name);
    // A stream is open for hours, and has its own limits.
    if (call.config.stream !== true) await this.#shares.enter(call, { userid, credential });
    permit(student, call.config.need ?? 'login');
  }

  /** Counts a call of an image or a feed. The minute of its student is left alone: others may have the address. */
  secretAddress(key: string): void {
    this.#secrets.take(key);
  }

  /** As `admit`, without counting. */
  turn({ call }: FastifyRequest, caller: KnownCaller): Promise<void> | undefined {
    return this.#shares.enter(call, caller);
  }

  /**
   * For a body whose token is inside: an address over its limit may still send small ones, because one of its
   * neighbours may hold a valid token. Counts nothing.
   */
  beforeBody(request: FastifyRequest): void {
    const over = this.#overLimit(request);
    if (over && announcedBytes(request) > SMALL_BODY) throw limitFailure(limits.addressCalls, msLeft(over));
  }

  /**
   * Looks a token up; for an address over its limit a few at a time, so that a flood of bad ones does not fill the
   * queue to storage. A bad token counts against its address.
   * @throws Failure `rate-limited`, and what `work` throws
   */
  async lookUp<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const over = this.#overLimit(request);
    try {
      using _place = await over?.lookUps.enter(request.call.signal);
      return await work();
    } catch (error) {
      if (over && error instanceof QueueFull) throw limitFailure(limits.addressCalls, msLeft(over));
      if (isFailure(error, 'token-missing', 'token-unknown', 'token-user-gone')) this.anonymous(request);
      throw error;
    }
  }

  #overLimit(request: FastifyRequest): Exhausted | null {
    if (this.#exhausted.size === 0) return null;
    const found = this.#exhausted.get(callerUnit(request.call.address));
    return found !== undefined && msLeft(found) > 0 ? found : null;
  }
}

export const limitHook =
  (limits: RequestLimits, limit: 'anonymous' | 'documents' | 'pages' | 'status' | 'beforeBody'): onRequestHookHandler =>
  (request, _reply, done) => {
    limits[limit](request);
    done();
  };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts for its token alone: other tokens of the student neither use it up nor have it used up. */
    ownLimitOnly?: boolean;
  }
}
