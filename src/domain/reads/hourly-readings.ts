import { Windows, wholeSeconds } from '../../lib/limits/window.ts';
import type { Clock } from '../../lib/time.ts';
import { Failure } from '../errors.ts';

/** How many readings at the campus a student may begin within an hour, in this process. */
export class HourlyReadings {
  readonly #most: number;
  readonly #reason: string;
  readonly #begun: Windows;

  constructor(clock: Clock, most: number, reason: string) {
    this.#most = most;
    this.#reason = reason;
    this.#begun = new Windows(clock, 3_600_000);
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds}, and nothing is counted then */
  count(userid: string): void {
    this.check(userid);
    this.#begun.count(userid);
  }

  /** The same without counting: for a reading that may yet be refused. */
  check(userid: string): void {
    const wait = this.#begun.wait(userid, this.#most);
    if (wait > 0) throw new Failure('rate-limited', { retryAfterSeconds: wholeSeconds(wait), reason: this.#reason });
  }
}

/** All personal tokens of a student together. */
export const personalReadings = (clock: Clock): HourlyReadings =>
  new HourlyReadings(clock, 60, 'readings of personal tokens');
