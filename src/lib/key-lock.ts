import { raceSignal } from './single-flight.ts';

/** Runs the works of one key one after the other, in order of arrival; different keys do not wait for each other. */
export class KeyLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Keys in use. */
  get size(): number {
    return this.#tails.size;
  }

  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const tail = before.then(() => done);
    this.#tails.set(key, tail);
    // Forgotten only when everything before it is over too: a waiter that leaves must not open the door behind it.
    tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      await raceSignal(before, signal);
      return await work();
    } finally {
      release();
    }
  }
}
