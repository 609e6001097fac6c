import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/text.ts';

const WINDOW_MS = 60_000;

interface Minute {
  calls: number;
  readonly endsAt: number;
}

/**
 * Counts calls by key, in minutes that begin with the first call of a key. A list of moments for each key, as `Windows`
 * has it, would hold thousands of them; the library for this makes three promises and an object per call.
 */
export class MinuteCounter {
  readonly #most: number;
  readonly #minutes: LRUCache<string, Minute>;

  /** Of `mostKeys` keys the one not counted for longest is forgotten. */
  constructor(most: number, mostKeys: number) {
    this.#most = most;
    this.#minutes = new LRUCache(bounded(mostKeys));
  }

  /** Returns 0, or the milliseconds left of a minute in which there are too many. `now`: by the monotonic clock. */
  count(key: string, now = performance.now()): number {
    let minute = this.#minutes.get(key);
    if (minute === undefined || minute.endsAt <= now) {
      minute = { calls: 0, endsAt: now + WINDOW_MS };
      this.#minutes.set(key, minute);
    }
    minute.calls += 1;
    return minute.calls > this.#most ? minute.endsAt - now : 0;
  }
}
