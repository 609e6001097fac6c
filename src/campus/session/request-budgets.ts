import type { CallTrail, Student } from '../../domain/context.ts';
import { Counter, limits } from '../../domain/limits.ts';
import { wholeSeconds } from '../../lib/limits/window.ts';
import type { Clock } from '../../lib/time.ts';

/** Limits what one student may ask of the campus. */
export interface RequestBudget {
  /** Seconds until there is something left; 0: there is. */
  waitSeconds(): number;
  /** Counts a request that is about to leave. Where nothing is left it counts nothing and returns the seconds to wait. */
  take(): number;
}

/** Used for work that serves all students or has limits of another kind. */
export const unlimited: RequestBudget = { waitSeconds: () => 0, take: () => 0 };

/** Counts the requests that each student causes at the campus, in the memory of this process. */
export class RequestBudgets {
  readonly #students: Counter;
  readonly #tokens: Counter;

  constructor(clock: Clock) {
    this.#students = new Counter(clock, limits.campusOfStudent);
    this.#tokens = new Counter(clock, limits.campusOfToken);
  }

  /** The budget of one call. Background work has no token and counts apart, so that neither spends what the other needs. */
  of({ userid, tokenHash }: Student, trail?: CallTrail): RequestBudget {
    // No student id begins with a space.
    const name = tokenHash === undefined ? ` ${userid}` : userid;
    const waitSeconds = (): number => {
      const ofToken = tokenHash === undefined ? 0 : this.#tokens.wait(tokenHash);
      const wait = Math.max(this.#students.wait(name), ofToken);
      return wait === 0 ? 0 : wholeSeconds(wait);
    };
    const take = (): number => {
      const wait = waitSeconds();
      if (wait > 0) return wait;
      this.#students.count(name);
      if (tokenHash !== undefined) this.#tokens.count(tokenHash);
      if (trail) trail.askedCampus = true;
      return 0;
    };
    return { waitSeconds, take };
  }

  /** A sign-in is counted, and never broken off half-way. */
  ofSignIn(userid: string): RequestBudget {
    const take = (): number => {
      this.#students.count(userid);
      return 0;
    };
    return { waitSeconds: () => 0, take };
  }
}
