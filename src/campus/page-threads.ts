import { Piscina } from 'piscina';
import { type CampusSystem, Failure, type FailureDetails, type FailureKind } from '../domain/errors.ts';
import type { LineState } from '../domain/observation.ts';
import { QueueFull, Semaphore } from '../lib/queues.ts';
import type { Clock } from '../lib/time.ts';
import { type PageReader, type ReaderPlace, unreadable } from './parsing/reading.ts';

/** In characters: a longer text may hold up all other calls for too long. */
export const largestAtOnce = 256 * 1024;
const threads = 2;
const longestLine = 32;
/** Ten times what the worst page takes. */
const readingMs = 10_000;
/** A page that needs more memory ends its thread, not the process. */
const threadMebibytes = 256;

interface ThreadQuestion {
  readonly place: ReaderPlace;
  readonly text: string;
}

type ThreadAnswer =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly failure: FailureKind; readonly details: FailureDetails }
  | { readonly kind: 'broken'; readonly name: string };

/** Runs on the other thread. Errors leave as what may be logged of them, without the text of the page. */
export const answerTo = async ({ place, text }: ThreadQuestion): Promise<ThreadAnswer> => {
  try {
    const module: Record<string, unknown> = await import(place.module);
    const reader = module[place.name];
    if (typeof reader !== 'function') throw new Error(`no page reader ${place.name}`);
    return { kind: 'read', value: reader(text) };
  } catch (error) {
    if (!(error instanceof Failure)) return { kind: 'broken', name: error instanceof Error ? error.name : 'unknown' };
    const { kind, system, reason, part, upstreamMessage } = error;
    return { kind: 'refused', failure: kind, details: { system, reason, part, upstreamMessage } };
  }
};

/** Reads large pages off the main thread. Threads start when the first page needs them. */
export class PageThreads {
  readonly #clock: Clock;
  readonly #line = new Semaphore(threads, longestLine);
  readonly #pool = new Piscina<ThreadQuestion, ThreadAnswer>({
    filename: import.meta.url,
    name: answerTo.name,
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
    return this.#line;
  }

  /**
   * Calls `reader` on a text, on another thread when it is large.
   * @throws what `reader` throws; Failure `upstream-unreadable` for a page that takes too long or too much memory,
   * `overloaded`; the signal's reason while it waits for a thread
   */
  read<T>(reader: PageReader<T>, text: string, of: { system: CampusSystem; signal: AbortSignal }): T | Promise<T> {
    if (text.length <= largestAtOnce) return reader(text);
    // The thread runs that very function.
    return this.#readBeside({ place: reader.place, text }, of) as Promise<T>;
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

  /** @throws Failure `upstream-unreadable` when the thread ends: its own error may quote the page */
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
