import type { Clock } from '../../lib/time.ts';
import type { Student } from '../context.ts';
import { limits, WindowCounter } from '../limits.ts';

/** How many readings at the campus a student may begin within an hour, in this process. */
export class ReadingBudgets {
  readonly #everybody: WindowCounter;
  readonly #tokens: WindowCounter;

  constructor(clock: Clock) {
    this.#everybody = new WindowCounter(clock, limits.readingsForAll);
    this.#tokens = new WindowCounter(clock, limits.readingsOfTokens);
  }

  /** Checks without counting the reading. @throws Failure `rate-limited` {retryAfterSeconds} */
  check({ userid, personal }: Student, forAll: boolean): void {
    if (personal) this.#tokens.check(userid);
    if (forAll) this.#everybody.check(userid);
  }

  /** @throws Failure `rate-limited` {retryAfterSeconds}, and nothing is counted then */
  count(student: Student, forAll: boolean): void {
    this.check(student, forAll);
    if (student.personal) this.#tokens.count(student.userid);
    if (forAll) this.#everybody.count(student.userid);
  }
}
