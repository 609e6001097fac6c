import { LRUCache } from 'lru-cache';
import type { CallTrail, Student } from '../../domain/context.ts';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';

/** Requests at the campus per minute: of one student over all tokens, and of one token, so that none takes all. */
const PER_STUDENT = 300;
const PER_TOKEN = 200;
const SLOT_MS = 10_000;
/** Whole ones that a minute may reach into: never more than there may be, whenever the minute begins. */
const SLOTS = 7;
const COUNTED_STUDENTS = 20_000;

/** What one student may ask of the campus. */
export interface RequestBudget {
  /** Seconds until there is something left; 0: there is. */
  waitSeconds(): number;
  /** Counts a request that is about to leave; seconds to wait where none is left, and then nothing is counted. */
  take(): number;
}

/** For work that serves all students, or has its own limits. */
export const unlimited: RequestBudget = { waitSeconds: () => 0, take: () => 0 };

/** Requests of one token in one slot of time. */
interface Count {
  readonly slot: number;
  readonly token: string;
  requests: number;
}

/** No token: a sign-in that several calls may share. */
const SHARED = '';

/**
 * Counts the requests that each student causes at the campus, in the memory of this process. Background work has
 * its own budget, so that neither spends what the other needs.
 */
export class RequestBudgets {
  readonly #clock: Clock;
  readonly #counts: LRUCache<string, Count[]>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#counts = new LRUCache(bounded(COUNTED_STUDENTS));
  }

  /** `trail`: of the call for which they are sent. */
  of({ userid, tokenHash }: Student, trail?: CallTrail): RequestBudget {
    // No student id contains the mark in front.
    const name = tokenHash === undefined ? ` ${userid}` : userid;
    const token = tokenHash ?? SHARED;
    const mostOfToken = tokenHash === undefined ? PER_STUDENT : PER_TOKEN;
    const waitIn = (counts: readonly Count[]): number => this.#untilFree(counts, token, mostOfToken);
    return {
      waitSeconds: () => waitIn(this.#recent(name)),
      take: () => {
        const counts = this.#recent(name);
        const wait = waitIn(counts);
        if (wait === 0) {
          this.#count(name, token, counts);
          if (trail) trail.askedCampus = true;
        }
        return wait;
      },
    };
  }

  /** For a sign-in, which is not broken off half-way: it counts, and goes on. */
  ofSignIn(userid: string): RequestBudget {
    return {
      waitSeconds: () => 0,
      take: () => {
        this.#count(userid, SHARED);
        return 0;
      },
    };
  }

  get #slot(): number {
    return Math.floor(this.#clock.monotonic() / SLOT_MS);
  }

  /** Oldest first. */
  #recent(name: string): Count[] {
    const first = this.#slot - SLOTS + 1;
    return (this.#counts.get(name) ?? []).filter(({ slot }) => slot >= first);
  }

  #count(name: string, token: string, counts = this.#recent(name)): void {
    const slot = this.#slot;
    const current = counts.find((count) => count.slot === slot && count.token === token);
    if (current) current.requests += 1;
    else counts.push({ slot, token, requests: 1 });
    this.#counts.set(name, counts);
  }

  /** Seconds until there are fewer requests than there may be, of all and of one token. */
  #untilFree(counts: readonly Count[], token: string, mostOfToken: number): number {
    let requests = 0;
    let ofToken = 0;
    // The newest first: those beyond a limit have to be a minute old, and so the first limit that is met lasts longest.
    for (const count of counts.toReversed()) {
      requests += count.requests;
      if (count.token === token) ofToken += count.requests;
      if (requests >= PER_STUDENT || ofToken >= mostOfToken) {
        const waitMs = (count.slot + SLOTS) * SLOT_MS - this.#clock.monotonic();
        return Math.max(1, Math.ceil(waitMs / 1000));
      }
    }
    return 0;
  }
}
