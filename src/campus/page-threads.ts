import { Piscina } from 'piscina';
import { type CampusSystem, Failure, type FailureDetails, type FailureKind } from '../domain/errors.ts';
import type { LineState } from '../domain/observation.ts';
import { QueueFull, Semaphore } from '../lib/queues.ts';
import type { Clock } from '../lib/time.ts';
import { type PageReader, placeOf, type ReaderPlace } from './parsing/page-reader.ts';
import { unreadable } from './parsing/values.ts';

/** Of a text, in characters. Longer ones may hold up all other calls for too long. */
export const largestAtOnce = 256 * 1024;
const threads = 2;
const longestLine = 32;
/** Ten times what the worst page takes; then the thread is ended and the page is unreadable. */
const readingMs = 10_000;
/** A page that needs more memory ends its thread, not the process. */
const threadMebibytes = 256;

export interface ThreadQuestion {
  readonly place: ReaderPlace;
  readonly text: string;
}

export type ThreadAnswer =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly failure: FailureKind; readonly details: FailureDetails }
  | { readonly kind: 'broken'; readonly name: string };

/** Reads large pages off the main thread. Threads are started when the first page needs them. */
export class PageThreads {
  readonly #clock: Clock;
  readonly #line = new Semaphore(threads, longestLine);
  readonly #pool = new Piscina<ThreadQuestion, ThreadAnswer>({
    filename: new URL('./page-thread.ts', import.meta.url).href,
    name: 'answerTo',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: threadMebibytes },
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get line(): LineState {
    const { active, waiting } = this.#line;
    return { active, waiting };
  }

  /**
   * Calls `reader` on a text: at once, or on another thread when the text is large.
   * @throws what `reader` throws; Failure `upstream-unreadable` for a page that takes too long or too much memory,
   *   `overloaded`; the signal's reason while it waits for a thread
   */
  read<T>(reader: PageReader<T>, text: string, of: { system: CampusSystem; signal: AbortSignal }): T | Promise<T> {
    if (text.length <= largestAtOnce) return reader(text);
    // The thread runs that very function.
    return this.#readBeside({ place: placeOf(reader), text }, of) as Promise<T>;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #readBeside(
    question: ThreadQuestion,
    { system, signal }: { readonly system: CampusSystem; readonly signal: AbortSignal },
  ): Promise<unknown> {
    try {
      const answer = await this.#line.run(signal, () => this.#ask(question, system));
      if (answer.kind === 'read') return answer.value;
      if (answer.kind === 'refused') throw new Failure(answer.failure, answer.details);
      throw new Error(`${question.place.name} failed with ${answer.name}`);
    } catch (error) {
      if (error instanceof QueueFull) throw new Failure('overloaded', { system, retryAfterSeconds: 1, cause: error });
      throw error;
    }
  }

  /** @throws Failure `upstream-unreadable` when the thread ends, by itself or on timeout: its own words may quote the page */
  async #ask(question: ThreadQuestion, system: CampusSystem): Promise<ThreadAnswer> {
    const late = new AbortController();
    const stopTimer = this.#clock.timer(readingMs, () => late.abort());
    try {
      return await this.#pool.run(question, { signal: late.signal });
    } catch {
      throw unreadable(system, 'reading of a page was ended');
    } finally {
      stopTimer();
    }
  }
}

export type PageReading = Pick<PageThreads, 'read'>;
