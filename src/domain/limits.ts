import { LRUCache } from 'lru-cache';
import { randomToken } from '../lib/hash.ts';
import { boundSize } from '../lib/text.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import { type Failure, failures } from './errors.ts';
import type { Leases } from './lease.ts';

/** How many there may be within a while, whenever the while begins. */
export interface WindowLimit {
  readonly most: number;
  readonly windowMs: number;
}

/** The moments in the window that ends now. */
const momentsWithin = (moments: readonly number[], windowMs: number, now: number): number[] =>
  moments.filter((at) => at > now - windowMs);

/** Milliseconds until there is room for one more, at most the window: after the clock was set back moments lie ahead. */
export const msUntilFree = (moments: readonly number[], { most, windowMs }: WindowLimit, now: number): number => {
  const counted = momentsWithin(moments, windowMs, now).sort((a, b) => a - b);
  const leaving = counted[counted.length - most];
  return leaving === undefined ? 0 : Math.min(leaving + windowMs - now, windowMs);
};

/** For the `Retry-After` of a refusal. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

export interface LimitRow {
  /** Whom it counts, and what. */
  readonly counts: string;
  readonly most: number;
  /** The setting that `most` is the default of. */
  readonly setting?: string | undefined;
  /** 0: so many at once. */
  readonly windowMs: number;
  /** How logs name a refusal. */
  readonly reason: string;
  /** Counted over all replicas, in leases of this name, which a former release counts in as well; null: in rows. */
  readonly lease?: string | null;
}

const perMinute = (reason: string, most: number, counts: string, setting?: string): LimitRow => ({
  reason,
  most,
  counts,
  setting,
  windowMs: MINUTE_MS,
});
const perHour = (reason: string, most: number, counts: string): LimitRow => ({
  reason,
  most,
  counts,
  windowMs: HOUR_MS,
});
const limitAtOnce = (reason: string, most: number, counts: string): LimitRow => ({ reason, most, counts, windowMs: 0 });
const storedLimit = (
  reason: string,
  lease: string | null,
  most: number,
  windowMs: number,
  counts: string,
): LimitRow => ({
  reason,
  lease,
  most,
  windowMs,
  counts,
});

/**
 * Everything that is counted and refused as `rate-limited`, but for logins: the numbers of the guard stand beside its rules.
 * `docs/reference/limits.md` is made from it.
 */
export const limits = {
  addressCalls: perMinute(
    'address-limit',
    6_000,
    'calls of an address without a valid token',
    'LIMIT_CALLS_PER_ADDRESS',
  ),
  documents: perMinute('address-limit', 120, 'calls of an address for the documents'),
  status: perMinute('address-limit', 60, 'calls of an address for the status'),
  // 150 students behind one address open the page in a minute.
  pages: perMinute('address-limit', 3_000, 'calls of an address for the page for students'),
  tokenCalls: perMinute('student-limit', 600, 'calls with a valid token', 'LIMIT_CALLS_PER_TOKEN'),
  // An app and a browser are usual.
  studentCalls: perMinute('student-limit', 900, 'calls of a student over all tokens: half as many again'),
  personalCalls: perMinute('student-limit', 120, 'calls with a personal token'),
  personalOfStudent: perMinute('student-limit', 300, 'calls with all personal tokens of a student'),
  secretAddress: perMinute('secret-address-limit', 600, 'calls of an image or a feed: as of a token'),
  callsAtOnce: limitAtOnce(
    'calls at once',
    128,
    'calls of a student that wait for their turn, 64 of them with one token',
  ),
  bodiesAtOnce: limitAtOnce('large bodies at once', 8, 'bodies over 64 KiB of an address; of images one with a token'),
  bytesAtOnce: limitAtOnce('large bodies of one sender', 32, 'MiB in large bodies of an address'),
  eventStreams: limitAtOnce('event streams of a student', 3, 'event streams of a student'),
  campusOfStudent: perMinute('requests at the campus', 300, 'requests at the campus of a student'),
  // So that no token takes all.
  campusOfToken: perMinute('requests at the campus', 200, 'requests at the campus with a token'),
  // Stops a crawl through one token.
  readingsForAll: perHour('readings for everybody', 120, 'readings for everybody that a student begins'),
  readingsOfTokens: perHour('readings of personal tokens', 60, 'readings with all personal tokens of a student'),
  feedPolls: perHour('polls of a feed', 60, 'polls of a calendar feed'),
  uploads: storedLimit('uploads', null, 20, HOUR_MS, 'images that a student uploads, but for those that are stored'),
  hookTests: storedLimit('hook tests', 'hook-asked', 10, HOUR_MS, 'tests of hooks of a student'),
  exports: storedLimit('exports', 'export', 1, 10 * MINUTE_MS, 'exports of a student'),
  // Some apps send the same QR code twice.
  scans: storedLimit('scans', 'labor-scan', 1, 3_000, 'scanned codes of a student'),
} as const satisfies Record<string, LimitRow>;

/** The only maker of `rate-limited`. `ms`: until one more is let in. */
export const limitFailure = ({ reason }: Pick<LimitRow, 'reason'>, ms: number): Failure<'rate-limited'> =>
  failures.rateLimited(wholeSeconds(ms), reason);

interface Moments {
  readonly at: number[];
  /** Those before it have left the window. */
  from: number;
}

/** Counts by name in the memory of this process. The name that was not counted for longest is forgotten first. */
export class WindowCounter {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #row: LimitRow;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #names: LRUCache<string, Moments>;

  constructor(clock: Pick<Clock, 'monotonic'>, row: LimitRow, most: number = row.most, mostNames = 20_000) {
    this.#clock = clock;
    this.#row = row;
    this.#most = most;
    this.#windowMs = row.windowMs;
    this.#names = new LRUCache(boundSize(mostNames));
  }

  /** Milliseconds until one more of this name may be counted; 0: at once. */
  wait(name: string, most = this.#most): number {
    const moments = this.#names.peek(name);
    if (moments === undefined) return 0;
    const now = this.#clock.monotonic();
    this.#drop(moments, now);
    if (moments.at.length - moments.from < most) return 0;
    return (moments.at[moments.at.length - most] ?? now) + this.#windowMs - now;
  }

  count(name: string): void {
    const moments = this.#names.get(name) ?? { at: [], from: 0 };
    const now = this.#clock.monotonic();
    this.#drop(moments, now);
    moments.at.push(now);
    this.#names.set(name, moments);
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds} where one more may not be counted */
  check(name: string): void {
    const ms = this.wait(name);
    if (ms > 0) throw limitFailure(this.#row, ms);
  }

  /** @throws Failure as `check` does, and nothing is counted then */
  take(name: string): void {
    this.check(name);
    this.count(name);
  }

  /** Of thousands of moments, those that leave are not moved one by one. */
  #drop(moments: Moments, now: number): void {
    const { at } = moments;
    while (moments.from < at.length && (at[moments.from] ?? now) <= now - this.#windowMs) moments.from += 1;
    if (moments.from * 2 <= at.length) return;
    at.splice(0, moments.from);
    moments.from = 0;
  }
}

/**
 * Counts one more of a student over all replicas, in leases that are never given back, so that it is counted also where the
 * rows that it concerns come and go. @throws Failure `rate-limited` {retryAfterSeconds} when as many are counted as may be
 */
export const takeStored = async (
  { store, clock }: Pick<Leases, 'store' | 'clock'>,
  row: LimitRow,
  userid: string,
): Promise<void> => {
  const { most, lease, windowMs } = row;
  for (let one = 1; one <= most; one += 1) {
    const name = most === 1 ? `${lease}:${userid}` : `${lease}-${one}:${userid}`;
    if (await store.acquire(name, randomToken(), clock.now(), windowMs)) return;
  }
  throw limitFailure(row, windowMs);
};
