import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';

/** More than all devices of a student ask for together. */
const MOST = 60;
const HOUR_MS = 3_600_000;
/** Feeds counted at once in a process; the one not polled for longest is forgotten. */
const COUNTED = 50_000;

/**
 * How often a feed is polled in an hour, whatever the answer: one without a body costs the same look. By the hash of its
 * secret, so that a poll too many costs storage nothing.
 */
export class PollLimit {
  readonly #clock: Clock;
  readonly #hours = new LRUCache<string, { polls: number; readonly endsAt: number }>(bounded(COUNTED));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a poll of a feed that is known. @throws Failure `rate-limited` {retryAfterSeconds} */
  again(secretHash: string): void {
    const hour = this.#hours.get(secretHash);
    if (hour === undefined) return;
    const left = hour.endsAt - this.#clock.monotonic();
    if (left <= 0) this.#hours.delete(secretHash);
    else if (hour.polls < MOST) hour.polls += 1;
    else throw new Failure('rate-limited', { retryAfterSeconds: Math.ceil(left / 1000), reason: 'polls of a feed' });
  }

  /** The first poll of an hour. Guesses are not counted here: they would push out what is. */
  found(secretHash: string): void {
    if (!this.#hours.has(secretHash))
      this.#hours.set(secretHash, { polls: 1, endsAt: this.#clock.monotonic() + HOUR_MS });
  }
}
