import type { Log } from '../../domain/context.ts';
import type { Clock } from '../../lib/time.ts';
import type { Storage } from '../storage.ts';

const SWEEP_EVERY_MS = 10 * 60_000;

interface SweepingDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Swept as well. */
  readonly also: ReadonlyArray<() => unknown>;
}

/** Sweeps the storage until it is stopped. The first sweep also removes what an earlier process left behind. */
export class Sweeping {
  readonly #storage: Storage;
  readonly #deps: SweepingDeps;
  readonly #timer: NodeJS.Timeout;
  #running = Promise.resolve();

  constructor(storage: Storage, deps: SweepingDeps) {
    this.#storage = storage;
    this.#deps = deps;
    this.#next();
    this.#timer = setInterval(() => this.#next(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#running;
  }

  #next(): void {
    this.#running = this.#running.then(() => this.#sweep());
  }

  async #sweep(): Promise<void> {
    const { clock, log, also } = this.#deps;
    try {
      await Promise.all([this.#storage.sweep(clock.now()), ...also.map((work) => work())]);
    } catch (err) {
      log.warn({ err }, 'sweep failed');
    }
  }
}
