import { Windows, wholeSeconds } from '../../lib/limits/window.ts';
import type { Clock } from '../../lib/time.ts';
import type { Student } from '../context.ts';
import { type Failure, failures } from '../errors.ts';

const HOUR_MS = 3_600_000;
/** Stops a crawl through one token. */
const MOST_FOR_EVERYBODY = 120;
/** Limit for all personal tokens of a student together. */
const MOST_OF_TOKENS = 60;

/** How many readings at the campus a student may begin within an hour, in this process. */
export class ReadingBudgets {
  readonly #everybody: Windows;
  readonly #tokens: Windows;

  constructor(clock: Clock) {
    this.#everybody = new Windows(clock, HOUR_MS);
    this.#tokens = new Windows(clock, HOUR_MS);
  }

  /** Checks without counting the reading. @throws Failure `rate-limited` {retryAfterSeconds} */
  check({ userid, personal }: Student, forAll: boolean): void {
    const tokensMs = personal ? this.#tokens.wait(userid, MOST_OF_TOKENS) : 0;
    if (tokensMs > 0) throw spent(tokensMs, 'readings of personal tokens');
    const everybodyMs = forAll ? this.#everybody.wait(userid, MOST_FOR_EVERYBODY) : 0;
    if (everybodyMs > 0) throw spent(everybodyMs, 'readings for everybody');
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds}, and nothing is counted then */
  count(student: Student, forAll: boolean): void {
    this.check(student, forAll);
    if (student.personal) this.#tokens.count(student.userid);
    if (forAll) this.#everybody.count(student.userid);
  }
}

const spent = (waitMs: number, reason: string): Failure => failures.rateLimited(wholeSeconds(waitMs), reason);
