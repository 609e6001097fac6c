/**
 * Ends what takes longer than a fixed time. Few come that far, so all share one timer: it is set for the one that was
 * added first, and looks for the next one when it rings.
 */
export class Expiry<T> {
  readonly #ms: number;
  readonly #over: (item: T) => void;
  /** In the order of adding, which is that of their ends; by the monotonic clock. */
  readonly #endsAt = new Map<T, number>();
  #isSet = false;

  constructor(ms: number, over: (item: T) => void) {
    this.#ms = ms;
    this.#over = over;
  }

  /** `since`: by the monotonic clock; not before that of the item added last. */
  add(item: T, since = performance.now()): void {
    this.#endsAt.set(item, since + this.#ms);
    if (!this.#isSet) this.#set(this.#ms);
  }

  delete(item: T): void {
    this.#endsAt.delete(item);
  }

  #set(ms: number): void {
    this.#isSet = true;
    setTimeout(() => this.#ring(), Math.ceil(ms)).unref();
  }

  #ring(): void {
    this.#isSet = false;
    const now = performance.now();
    for (const [item, endsAt] of this.#endsAt) {
      if (endsAt > now) {
        this.#set(endsAt - now);
        return;
      }
      this.#endsAt.delete(item);
      this.#over(item);
    }
  }
}
