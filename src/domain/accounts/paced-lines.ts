import { LRUCache } from 'lru-cache';
import { bounded } from '../../lib/bounded.ts';
import type { Clock } from '../../lib/clock.ts';
import { LineFull } from '../../lib/semaphore.ts';

interface Line {
  /** When the next one may go on, by the monotonic clock. */
  freeAt: number;
  /** A timer runs that will let the first one go on. */
  timed: boolean;
  readonly waiting: Array<() => void>;
}

/** One caller after the other per name, with a pause between, and a short line before each. */
export class PacedLines {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #most: number;
  readonly #lines = new LRUCache<string, Line>(bounded(20_000));

  constructor(clock: Clock, { everyMs, most }: { readonly everyMs: number; readonly most: number }) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#most = most;
  }

  /**
   * Resolves when it is this caller's turn.
   * @throws LineFull at once when the line is full, or so long that the turn would come later than in `patienceMs`; the
   *   signal's reason when it is aborted while waiting
   */
  async turn(name: string, signal: AbortSignal, patienceMs: number): Promise<void> {
    signal.throwIfAborted();
    const line = this.#lines.get(name) ?? { freeAt: Number.NEGATIVE_INFINITY, timed: false, waiting: [] };
    this.#lines.set(name, line);
    const now = this.#clock.monotonic();
    if (line.waiting.length === 0 && line.freeAt <= now) {
      line.freeAt = now + this.#everyMs;
      return;
    }
    const waitMs = line.freeAt - now + line.waiting.length * this.#everyMs;
    if (line.waiting.length >= this.#most || waitMs > patienceMs) throw new LineFull();
    await this.#inLine(line, signal);
  }

  #inLine(line: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.waiting.splice(line.waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      line.waiting.push(go);
      this.#await(line);
    });
  }

  #await(line: Line): void {
    if (line.timed || line.waiting.length === 0) return;
    line.timed = true;
    this.#clock.timer(Math.max(0, line.freeAt - this.#clock.monotonic()), () => {
      line.timed = false;
      const go = line.waiting.shift();
      if (go === undefined) return;
      line.freeAt = this.#clock.monotonic() + this.#everyMs;
      go();
      this.#await(line);
    });
  }
}
