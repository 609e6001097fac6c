import type { Clock } from '../../lib/clock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import { Failure } from '../errors.ts';
import { callerNetwork } from './caller-network.ts';

export interface AttemptLimit {
  /** How many failures a caller may have within the window. */
  readonly failures: number;
  readonly windowMs: number;
  /** How many callers are remembered; the one not seen for longest is forgotten first. */
  readonly callers?: number;
}

interface Caller {
  /** Moments of the failures within the window, oldest first; never more than the limit. */
  failures: number[];
  /** Attempts under way, each of which may still turn out to be a failure. */
  running: number;
  /** Callers that wait for one of them to end. */
  waiting: Array<() => void>;
}

/**
 * Counts the failures of each caller's address. Successes cost nothing, because a whole campus may share one address.
 * An attempt that could become the failure too many waits until the ones before it have ended, so firing many at once
 * gains nothing.
 */
export class AttemptLimits {
  readonly #limit: AttemptLimit;
  readonly #clock: Clock;
  readonly #most: number;
  /** In order of last use. */
  readonly #callers = new Map<string, Caller>();

  constructor(limit: AttemptLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#most = limit.callers ?? 10_000;
  }

  get size(): number {
    return this.#callers.size;
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds} when the address has used up its failures. */
  check(address: string): void {
    const caller = this.#callers.get(callerNetwork(address));
    if (caller) this.#refuseWhenUsedUp(caller);
  }

  /**
   * Runs one attempt; it counts when it throws and `isCounted` says so.
   * @throws Failure `rate-limited` {retryAfterSeconds}, the signal's reason while waiting, or what `attempt` throws
   */
  async run<T>(
    address: string,
    signal: AbortSignal,
    isCounted: (error: unknown) => boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const network = callerNetwork(address);
    const caller = await this.#enter(network, signal);
    try {
      return await attempt();
    } catch (error) {
      if (isCounted(error)) caller.failures.push(this.#clock.now());
      throw error;
    } finally {
      caller.running -= 1;
      for (const wake of caller.waiting.splice(0)) wake();
      this.#remember(network, caller);
    }
  }

  async #enter(network: string, signal: AbortSignal): Promise<Caller> {
    for (;;) {
      const caller = this.#callers.get(network) ?? { failures: [], running: 0, waiting: [] };
      this.#refuseWhenUsedUp(caller);
      if (caller.failures.length + caller.running < this.#limit.failures) {
        caller.running += 1;
        this.#remember(network, caller);
        return caller;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      caller.waiting.push(resolve);
      await raceSignal(promise, signal);
    }
  }

  #refuseWhenUsedUp(caller: Caller): void {
    const now = this.#clock.now();
    caller.failures = caller.failures.filter((at) => at > now - this.#limit.windowMs);
    const [oldest] = caller.failures;
    if (oldest === undefined || caller.failures.length < this.#limit.failures) return;
    const waitMs = oldest + this.#limit.windowMs - now;
    throw new Failure('rate-limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  /** Moves the caller to the end of the order, or drops it when there is nothing to remember of it. */
  #remember(network: string, caller: Caller): void {
    this.#callers.delete(network);
    if (caller.failures.length > 0 || caller.running > 0) this.#callers.set(network, caller);
    for (const oldest of this.#callers.keys()) {
      if (this.#callers.size <= this.#most) break;
      this.#callers.delete(oldest);
    }
  }
}
