/** A point in monotonic time after which waiting is pointless. */
export class Deadline {
  readonly #endsAt: number;

  constructor(ms: number) {
    this.#endsAt = performance.now() + ms;
  }

  /** Milliseconds left, never negative. */
  remaining(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get passed(): boolean {
    return this.remaining() === 0;
  }
}
