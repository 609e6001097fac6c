import type { Clock } from './clock.ts';

interface Kept<V> {
  readonly value: V;
  readonly at: number;
}

/** Values that are good for a fixed time, at most `limit` of them: the one that was not asked for longest goes first. */
export class TimedCache<V> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #limit: number;
  readonly #kept = new Map<string, Kept<V>>();

  constructor({ clock, ttlMs, limit }: { clock: Clock; ttlMs: number; limit: number }) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#limit = limit;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(key: string): V | undefined {
    const entry = this.#kept.get(key);
    if (entry === undefined) return undefined;
    this.#kept.delete(key);
    const age = this.#clock.now() - entry.at;
    // A negative age is a clock that was set back: no ground to keep the value for longer.
    if (age < 0 || age >= this.#ttlMs) return undefined;
    this.#kept.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, at: this.#clock.now() });
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > this.#limit && !oldest.done) this.#kept.delete(oldest.value);
  }
}
