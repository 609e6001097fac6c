import { raceSignal } from './single-flight.ts';

/** Runs the works of one key one after the other, in order of arrival; different keys do not wait for each other. */
export class KeyLock {
  /** Null while no key is in use: of the locks in memory nearly all are idle. */
  #tails: Map<string, Promise<void>> | null = null;

  get size(): number {
    return this.#tails?.size ?? 0;
  }

  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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
      return await work();
    } finally {
      release();
    }
  }
}
