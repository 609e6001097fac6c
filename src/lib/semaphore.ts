/** Thrown by `Semaphore.run` when the waiting line is at its limit. */
export class LineFull extends Error {
  constructor() {
    super('waiting line is full');
    this.name = 'LineFull';
  }
}

/** At most `limit` works at once and at most `line` waiting behind them, first come first served. */
export class Semaphore {
  readonly #limit: number;
  readonly #line: number;
  #active = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(limit: number, line: number) {
    this.#limit = limit;
    this.#line = line;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws LineFull at once when the line is full; the signal's reason when it is aborted while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#active < this.#limit) {
      this.#active += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#line) return Promise.reject(new LineFull());
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const at = this.#waiting.indexOf(admit);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const admit = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.push(admit);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** A leaving work hands its place to the next waiter, so the count never dips below the truth. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#active -= 1;
  }
}
