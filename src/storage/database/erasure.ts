import type { Log } from '../../domain/context.ts';
import type { Clock } from '../../lib/clock.ts';
import { DatabaseError } from './storage-failure.ts';

/** One try to free the files of what was deleted before it. False: something stands in the way just now. */
export type Cleaning = () => Promise<boolean>;

interface ErasureOptions {
  readonly clean: Cleaning;
  readonly clock: Clock;
  readonly log: Log;
  /** What is deleted within this time is cleaned up together. */
  readonly gatherMs: number;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** About ten seconds; afterwards the next deletion or sweep goes on with it. */
const TRIES = 14;
const TRIES_AT_END = 4;

/**
 * Frees the database files of what was deleted, behind the scenes: one cleaning at a time, which all deletions before
 * its beginning share, repeated while it is in somebody's way.
 */
export class Erasure {
  readonly #options: ErasureOptions;
  readonly #ending = new AbortController();
  #due = false;
  #running: Promise<void> | null = null;

  constructor(options: ErasureOptions) {
    this.#options = options;
  }

  /** To be called after the deletion is committed. */
  request(): void {
    this.#due = true;
    this.resume();
  }

  /** Goes on with what could not be cleaned up earlier. */
  resume(): void {
    if (!this.#due || this.#ending.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Cleans up what is due, without further gathering. Nothing begins any more. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('the storage is closing'));
    await this.#running;
    if (this.#due) await this.#clean(TRIES_AT_END);
  }

  async #run(): Promise<void> {
    const { clock, gatherMs } = this.#options;
    const { signal } = this.#ending;
    try {
      while (this.#due) {
        if (gatherMs > 0) await clock.wait(gatherMs, signal);
        if (!(await this.#clean(TRIES, signal))) return;
      }
    } catch {
      // The storage is closing, which does the rest.
    }
  }

  async #clean(tries: number, signal?: AbortSignal): Promise<boolean> {
    const { clean, clock, log } = this.#options;
    this.#due = false;
    try {
      let pause = FIRST_PAUSE_MS;
      for (let left = tries; !(await clean()); left -= 1) {
        if (left === 1) {
          this.#due = true;
          log.warn({ tries }, 'deleted data not cleaned up yet');
          return false;
        }
        await clock.wait(pause, signal);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
      return true;
    } catch (error) {
      this.#due = true;
      if (!signal?.aborted) log.warn({ err: new DatabaseError('clean up', error) }, 'deleted data not cleaned up yet');
      return false;
    }
  }
}
