import { type Clock, pause } from './time.ts';

interface LoopOptions {
  /** What the log says where a round fails. */
  readonly failed: string;
  /** Between the end of a round and the next one. */
  readonly everyMs: number;
  /** Before the first round; left out: it begins at once. */
  readonly afterMs?: number;
  readonly clock: Clock;
  readonly log: { warn(fields: Record<string, unknown>, message: string): void };
  /** One round. It may return another pause. */
  body(signal: AbortSignal): Promise<number | undefined>;
}

/**
 * Work behind the scenes: one round at a time, at regular times and when it is woken. What a round throws is logged once,
 * until one succeeds.
 */
export class Loop {
  readonly #options: LoopOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #nap = new AbortController();
  #isTroubled = false;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Another round follows at once. */
  wake(): void {
    this.#nap.abort();
  }

  /** Resolves after the round under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, afterMs = 0 } = this.#options;
    for (let ms = afterMs; ; ms = await this.#round()) {
      await pause(clock, ms, this.#nap.signal);
      if (this.signal.aborted) return;
    }
  }

  async #round(): Promise<number> {
    const { everyMs, log, failed, body } = this.#options;
    this.#nap = new AbortController();
    try {
      const ms = (await body(this.signal)) ?? everyMs;
      this.#isTroubled = false;
      return ms;
    } catch (err) {
      if (!this.#isTroubled) log.warn({ err }, failed);
      this.#isTroubled = true;
      // What has failed may wake it all the time.
      if (!this.signal.aborted) this.#nap = new AbortController();
      return everyMs;
    }
  }
}
