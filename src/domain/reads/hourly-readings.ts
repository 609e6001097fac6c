import { LRUCache } from 'lru-cache';
import { boundedFor } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';

const HOUR_MS = 3_600_000;

/** How many readings at the campus a student may begin within an hour, in this process. */
export class HourlyReadings {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #reason: string;
  readonly #begun: LRUCache<string, number[]>;

  constructor(clock: Clock, most: number, reason: string) {
    this.#clock = clock;
    this.#most = most;
    this.#reason = reason;
    this.#begun = new LRUCache(boundedFor(20_000, HOUR_MS, clock));
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds}, and nothing is counted then */
  count(userid: string): void {
    const now = this.#clock.monotonic();
    const begun = (this.#begun.get(userid) ?? []).filter((at) => at > now - HOUR_MS);
    const [oldest = now] = begun;
    if (begun.length >= this.#most) {
      const retryAfterSeconds = Math.max(1, Math.ceil((oldest + HOUR_MS - now) / 1000));
      throw new Failure('rate-limited', { retryAfterSeconds, reason: this.#reason });
    }
    this.#begun.set(userid, [...begun, now]);
  }
}

/** All personal tokens of a student together. */
export const personalReadings = (clock: Clock): HourlyReadings =>
  new HourlyReadings(clock, 60, 'readings of personal tokens');
