import type { CallTrail, Student } from '../../domain/context.ts';
import { Windows, wholeSeconds } from '../../lib/limits/window.ts';
import type { Clock } from '../../lib/time.ts';

const WINDOW_MS = 60_000;
/** Requests at the campus within the window: of one student over all tokens, and of one token, so that none takes all. */
const PER_STUDENT = 300;
const PER_TOKEN = 200;

/** Limits what one student may ask of the campus. */
export interface RequestBudget {
  /** Seconds until there is something left; 0: there is. */
  waitSeconds(): number;
  /** Counts a request that is about to leave; seconds to wait where none is left, and then nothing is counted. */
  take(): number;
}

/** For work that serves all students, or has other limits. */
export const unlimited: RequestBudget = { waitSeconds: () => 0, take: () => 0 };

/** The budget of one call: of its student, and of its token. */
class CallBudget implements RequestBudget {
  readonly #students: Windows;
  readonly #tokens: Windows;
  /** Background work has another name: no student id begins with a space. */
  readonly #name: string;
  readonly #tokenHash: string | undefined;
  readonly #trail: CallTrail | undefined;

  constructor(students: Windows, tokens: Windows, { userid, tokenHash }: Student, trail?: CallTrail) {
    this.#students = students;
    this.#tokens = tokens;
    this.#name = tokenHash === undefined ? ` ${userid}` : userid;
    this.#tokenHash = tokenHash;
    this.#trail = trail;
  }

  waitSeconds(): number {
    const ofToken = this.#tokenHash === undefined ? 0 : this.#tokens.wait(this.#tokenHash, PER_TOKEN);
    const wait = Math.max(this.#students.wait(this.#name, PER_STUDENT), ofToken);
    return wait === 0 ? 0 : wholeSeconds(wait);
  }

  take(): number {
    const wait = this.waitSeconds();
    if (wait > 0) return wait;
    this.#students.count(this.#name);
    if (this.#tokenHash !== undefined) this.#tokens.count(this.#tokenHash);
    if (this.#trail) this.#trail.askedCampus = true;
    return 0;
  }
}

/** Counts the requests that each student causes at the campus, in the memory of this process. */
export class RequestBudgets {
  readonly #students: Windows;
  readonly #tokens: Windows;

  constructor(clock: Clock) {
    this.#students = new Windows(clock, WINDOW_MS);
    this.#tokens = new Windows(clock, WINDOW_MS);
  }

  /** Background work, which has no token, is counted apart: neither spends what the other needs. */
  of(student: Student, trail?: CallTrail): RequestBudget {
    return new CallBudget(this.#students, this.#tokens, student, trail);
  }

  /** A sign-in is counted, and never broken off half-way. */
  ofSignIn(userid: string): RequestBudget {
    return {
      waitSeconds: () => 0,
      take: () => {
        this.#students.count(userid);
        return 0;
      },
    };
  }
}
