import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../errors.ts';

const PAUSE_MS = 3_000;
const MOST_STUDENTS = 10_000;

/**
 * One scan per student in three seconds: an app that fires twice for one QR code must not reach the campus twice.
 * Counted in this process only; beyond its bound the oldest student is forgotten.
 */
export class ScanPace {
  readonly #clock: Clock;
  /** Moments of the last scan, oldest first. */
  readonly #last = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#last.size;
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds} */
  take(userid: string): void {
    const now = this.#clock.now();
    this.#forget(now);
    const last = this.#last.get(userid);
    if (last !== undefined) {
      throw new Failure('rate-limited', { retryAfterSeconds: Math.ceil((last + PAUSE_MS - now) / 1000) });
    }
    this.#last.set(userid, now);
  }

  #forget(now: number): void {
    for (const [userid, at] of this.#last) {
      // A clock that was set back must not lock anybody out for longer than the pause.
      const over = now - at >= PAUSE_MS || at > now;
      if (!over && this.#last.size < MOST_STUDENTS) return;
      this.#last.delete(userid);
    }
  }
}
