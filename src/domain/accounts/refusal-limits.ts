import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { Failure } from '../errors.ts';
import type { Callers } from './callers.ts';
import { guardNumbers } from './guard/numbers.ts';

const MINUTE = 60_000;

/**
 * G8, for the whole process: while few refusals are told in a minute every network is told its own; beyond, only those
 * above their fair part of that minute are held back, and never one where a login or registration succeeded lately.
 */
export class FairMinute {
  readonly #clock: Clock;
  #since = Number.NEGATIVE_INFINITY;
  #told = 0;
  /** Of this minute; what is under way counts as told. */
  readonly #byNetwork = new Map<string, number>();
  readonly #succeeded = new LRUCache<string, number>(bounded(20_000));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds that this network has to wait; 0: it may go on. */
  wait(network: string): number {
    const now = this.#begin();
    const { processMost, fairLeast, succeededMs } = guardNumbers.address;
    if (this.#told < processMost) return 0;
    const part = Math.max(fairLeast, Math.floor(processMost / Math.max(1, this.#byNetwork.size)));
    if ((this.#byNetwork.get(network) ?? 0) < part) return 0;
    if ((this.#succeeded.get(network) ?? Number.NEGATIVE_INFINITY) > now - succeededMs) return 0;
    return this.#since + MINUTE - now;
  }

  /** Counts an attempt of this network; what is returned takes it back, when nothing was told. */
  count(network: string): () => void {
    this.#begin();
    const minute = this.#since;
    this.#add(network, 1);
    return () => {
      if (this.#since === minute) this.#add(network, -1);
    };
  }

  succeeded(network: string): void {
    this.#succeeded.set(network, this.#clock.now());
  }

  #add(network: string, one: 1 | -1): void {
    this.#told += one;
    const count = (this.#byNetwork.get(network) ?? 0) + one;
    if (count > 0) this.#byNetwork.set(network, count);
    else this.#byNetwork.delete(network);
  }

  #begin(): number {
    const now = this.#clock.now();
    // Also where the clock was set back.
    if (now >= this.#since + MINUTE || now < this.#since) {
      this.#since = now;
      this.#told = 0;
      this.#byNetwork.clear();
    }
    return now;
  }
}

/** How many refusals of one name there may be within the window. */
export interface RefusalLimit {
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

/** What one attempt counts for. */
export interface Counted {
  readonly limits: readonly RefusalLimit[];
  /** Of which networks have fair parts; null: an own backend, or a caller who has budgets elsewhere. */
  readonly network: string | null;
}

/** `rate-limited`, with the name of the limit that is used up. */
export class LimitSpent extends Failure {
  readonly limit: string;

  constructor(limit: string, waitMs: number) {
    super('rate-limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    this.limit = limit;
  }
}

interface Count {
  /** Moments of the refusals, oldest first. */
  refusals: number[];
  /** Attempts under way, each of which may still turn out to be refused. */
  running: number;
  /** Callers that wait for one of them to end. */
  waiting: Array<() => void>;
}

/**
 * G8: counts what tells a guesser something, by address and by address and student id, in the memory of this process.
 * Successes cost nothing, because a whole campus may share one address. An attempt that could become the refusal too
 * many waits until the ones before it have ended, so firing many at once gains nothing.
 */
export class RefusalLimits {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #minute: FairMinute;
  /** In order of last use; the one not used for longest is forgotten first. */
  readonly #counts = new Map<string, Count>();

  constructor(clock: Clock, remembered = 20_000) {
    this.#clock = clock;
    this.#most = remembered;
    this.#minute = new FairMinute(clock);
  }

  get size(): number {
    return this.#counts.size;
  }

  /**
   * Runs one attempt under all these limits; it counts when it throws and `isCounted` says so.
   * @throws LimitSpent, the signal's reason while waiting, or what `attempt` throws
   */
  async run<T>(
    { limits, network }: Counted,
    signal: AbortSignal,
    isCounted: (error: unknown) => boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const counts = await this.#enter(limits, network, signal);
    const takeBack = network === null ? () => {} : this.#minute.count(network);
    let told = false;
    try {
      return await attempt();
    } catch (error) {
      told = isCounted(error);
      if (told) for (const { count } of counts) count.refusals.push(this.#clock.now());
      throw error;
    } finally {
      if (!told) takeBack();
      for (const { limit, count } of counts) {
        count.running -= 1;
        for (const wake of count.waiting.splice(0)) wake();
        this.#remember(limit.name, count);
      }
    }
  }

  /** A login or a registration from this network was accepted. */
  succeeded(network: string): void {
    this.#minute.succeeded(network);
  }

  async #enter(
    limits: readonly RefusalLimit[],
    network: string | null,
    signal: AbortSignal,
  ): Promise<Array<{ limit: RefusalLimit; count: Count }>> {
    for (;;) {
      const unfairMs = network === null ? 0 : this.#minute.wait(network);
      if (network !== null && unfairMs > 0) throw new LimitSpent(`network ${network}`, unfairMs);
      const counts = limits.map((limit) => {
        const count = this.#counts.get(limit.name) ?? { refusals: [], running: 0, waiting: [] };
        this.#refuseWhenUsedUp(limit, count);
        return { limit, count };
      });
      const crowded = counts.find(({ limit, count }) => count.refusals.length + count.running >= limit.most);
      if (crowded === undefined) {
        for (const { limit, count } of counts) {
          count.running += 1;
          this.#remember(limit.name, count);
        }
        return counts;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      crowded.count.waiting.push(resolve);
      await raceSignal(promise, signal);
    }
  }

  #refuseWhenUsedUp({ name, most, windowMs }: RefusalLimit, count: Count): void {
    const now = this.#clock.now();
    count.refusals = count.refusals.filter((at) => at > now - windowMs);
    const oldest = count.refusals[count.refusals.length - most];
    if (oldest === undefined) return;
    // After the clock was set back the oldest lies ahead: no call waits longer than the window.
    throw new LimitSpent(name, Math.min(oldest + windowMs - now, windowMs));
  }

  /** Moves the count to the end of the order, or drops it when there is nothing to remember. */
  #remember(name: string, count: Count): void {
    this.#counts.delete(name);
    if (count.refusals.length > 0 || count.running > 0) this.#counts.set(name, count);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= this.#most) break;
      this.#counts.delete(oldest);
    }
  }
}

export const uncounted: Counted = { limits: [], network: null };

/**
 * G8: what an address may be told in a while, and more than one of a network together. Counted apart for each sort of
 * call; `userid`: where it may be told less of one student id.
 */
export const addressLimits = (
  callers: Callers,
  sort: 'login' | 'registration' | 'code',
  address: string,
  { most, windowMs, userid }: { readonly most: number; readonly windowMs: number; readonly userid?: string },
): Counted => {
  const units = callers.unitsOf(address);
  if (units === null) return uncounted;
  const { perStudent, wideTimes } = guardNumbers.address;
  const limits: RefusalLimit[] = [{ name: `${sort} ${units.address}`, most, windowMs }];
  if (units.wide !== null) limits.push({ name: `${sort} ${units.wide}`, most: wideTimes * most, windowMs });
  if (userid !== undefined) {
    limits.unshift({ name: `${sort} ${units.address} ${userid.toLowerCase()}`, most: perStudent, windowMs });
  }
  return { limits, network: units.network };
};
