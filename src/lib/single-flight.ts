/** Shares one running computation of a key. It never sees the signal of a caller, who leaves by `raceSignal`. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  get size(): number {
    return this.#running.size;
  }
}

/** Waits for `promise` until `signal` is aborted, then rejects with its reason. */
export const raceSignal = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
};

/** Runs the works of one key one after the other; different keys do not wait for each other. */
export class KeyLock {
  /** Null while no key is in use: of the locks in memory nearly all are idle. */
  #tails: Map<string, Promise<void>> | null = null;

  get size(): number {
    return this.#tails?.size ?? 0;
  }

  /** Waits for its place, which it keeps until that is disposed of. */
  async enter(key: string, signal: AbortSignal): Promise<Disposable> {
    this.#tails ??= new Map();
    const tails = this.#tails;
    const before = tails.get(key) ?? Promise.resolve();
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const tail = before.then(() => done);
    tails.set(key, tail);
    // Forgotten only when all before it are over too: a waiter that leaves must not let the next one in.
    tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key);
      if (tails.size === 0) this.#tails = null;
    });
    try {
      await raceSignal(before, signal);
    } catch (error) {
      release();
      throw error;
    }
    return { [Symbol.dispose]: release };
  }
}
