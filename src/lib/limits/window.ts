import type { Clock } from '../time.ts';

/** How many there may be within a while, whenever the while begins. */
export interface Limit {
  readonly most: number;
  readonly windowMs: number;
}

/** The moments in the window that ends now. */
export const within = (moments: readonly number[], windowMs: number, now: number): number[] =>
  moments.filter((at) => at > now - windowMs);

/** Milliseconds until there is room for one more, at most the window: after the clock was set back moments lie ahead. */
export const msUntilFree = (moments: readonly number[], { most, windowMs }: Limit, now: number): number => {
  const counted = within(moments, windowMs, now).sort((a, b) => a - b);
  const leaving = counted[counted.length - most];
  return leaving === undefined ? 0 : Math.min(leaving + windowMs - now, windowMs);
};

/** For the `Retry-After` of a refusal. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** Counts by name in the memory of this process. The name that was not counted for longest is forgotten first. */
export class Windows {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #mostNames: number;
  readonly #moments = new Map<string, number[]>();

  constructor(clock: Clock, windowMs: number, mostNames = 20_000) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#mostNames = mostNames;
  }

  /** Milliseconds until one more of this name may be counted where there may be `most`; 0: at once. */
  wait(name: string, most: number): number {
    const moments = this.#moments.get(name);
    return moments === undefined
      ? 0
      : msUntilFree(moments, { most, windowMs: this.#windowMs }, this.#clock.monotonic());
  }

  count(name: string): void {
    const now = this.#clock.monotonic();
    const moments = within(this.#moments.get(name) ?? [], this.#windowMs, now);
    this.#moments.delete(name);
    this.#moments.set(name, [...moments, now]);
    if (this.#moments.size <= this.#mostNames) return;
    for (const [oldest] of this.#moments) {
      this.#moments.delete(oldest);
      return;
    }
  }
}
