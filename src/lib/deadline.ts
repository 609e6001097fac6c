/** A point in monotonic time after which waiting is pointless. */
export class Deadline {
  readonly #endsAt: number;

  /** @param from by the monotonic clock; left out: now */
  constructor(ms: number, from = performance.now()) {
    this.#endsAt = from + ms;
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get passed(): boolean {
    return this.remaining() === 0;
  }
}
