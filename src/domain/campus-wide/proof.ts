import { LRUCache } from 'lru-cache';
import { boundedFor } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Log } from '../context.ts';

const TEN_MINUTES_MS = 600_000;
const MOST_SEEN = 500;

interface Seen {
  readonly userid: string;
  readonly digest: string;
}

/**
 * Whether the campus shows two students the same. Nobody has compared them: until two readings of a kind within ten
 * minutes are alike, a value is for the student alone who has read it. Once per process.
 */
export class SameForAll {
  readonly #log: Log;
  readonly #seen: LRUCache<string, Seen>;
  readonly #proven = new Set<string>();

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#seen = new LRUCache(boundedFor(MOST_SEEN, TEN_MINUTES_MS, clock));
  }

  isProven(read: string): boolean {
    return this.#proven.has(read);
  }

  /** @param shown what both must be shown alike; undefined: a value that says nothing either way */
  note(read: string, params: string, userid: string, shown: unknown): void {
    if (shown === undefined || this.isProven(read)) return;
    const name = `${read} ${params}`;
    const digest = sha256(JSON.stringify(shown));
    const before = this.#seen.get(name);
    this.#seen.set(name, { userid, digest });
    if (before === undefined || before.userid === userid) return;
    if (before.digest === digest) this.#proven.add(read);
    else this.#log.warn({ read }, 'two students were shown different things; each keeps to what was shown to them');
  }
}
