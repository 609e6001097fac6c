import { Worker } from 'node:worker_threads';
import { type CampusSystem, Failure, type FailureDetails, type FailureKind } from '../domain/errors.ts';
import type { LineState } from '../domain/observation.ts';
import type { Clock } from '../lib/clock.ts';
import { LineFull, Semaphore } from '../lib/semaphore.ts';
import { type PageReader, pageReaders } from './page-readers.ts';
import { unreadable } from './parsing/json.ts';

/** Of a text, in characters. Longer ones may hold up all other calls for too long. */
export const largestAtOnce = 256 * 1024;
const threads = 2;
const longestLine = 32;
/** Ten times what the worst page takes; then the thread is ended and the page is unreadable. */
const readingMs = 10_000;
/** A page that needs more memory ends its thread, not the process. */
const threadMebibytes = 256;

export interface ThreadQuestion {
  readonly name: string;
  readonly text: string;
}

export type ThreadAnswer =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly failure: FailureKind; readonly details: FailureDetails }
  | { readonly kind: 'broken'; readonly name: string };

export interface PageReading {
  /**
   * What `reader` makes of a text: at once, or on another thread when the text is large.
   * @throws what `reader` throws; Failure `upstream-unreadable` for a page that takes too long or too much memory,
   *   `overloaded`; the signal's reason while it waits for a thread
   */
  read<T>(reader: PageReader<T>, text: string, of: { system: CampusSystem; signal: AbortSignal }): T | Promise<T>;
}

const names = new Map(Object.entries(pageReaders).map(([name, reader]) => [reader, name]));

/** Reads large pages off the main thread. Threads are started when the first page needs them. */
export class PageThreads implements PageReading {
  readonly #clock: Clock;
  readonly #line = new Semaphore(threads, longestLine);
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get line(): LineState {
    const { active, waiting } = this.#line;
    return { active, waiting };
  }

  read<T>(reader: PageReader<T>, text: string, of: { system: CampusSystem; signal: AbortSignal }): T | Promise<T> {
    if (text.length <= largestAtOnce) return reader(text);
    const name = names.get(reader);
    if (name === undefined) throw new Error('no page reader of that name');
    // The thread runs that very function.
    return this.#readBeside({ name, text }, of) as Promise<T>;
  }

  async #readBeside(
    question: ThreadQuestion,
    { system, signal }: { readonly system: CampusSystem; readonly signal: AbortSignal },
  ): Promise<unknown> {
    try {
      return await this.#line.run(signal, async () => {
        const answer = await this.#ask(question, system);
        if (answer.kind === 'read') return answer.value;
        if (answer.kind === 'refused') throw new Failure(answer.failure, answer.details);
        throw new Error(`${question.name} failed with ${answer.name}`);
      });
    } catch (error) {
      if (error instanceof LineFull) throw new Failure('overloaded', { system, retryAfterSeconds: 1, cause: error });
      throw error;
    }
  }

  /** @throws Failure `upstream-unreadable` when the thread ends, by itself or on timeout */
  async #ask(question: ThreadQuestion, system: CampusSystem): Promise<ThreadAnswer> {
    const worker = this.#idle.pop() ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>();
    const onEnd = () => reject(unreadable(system, 'reading of a page was ended'));
    const stopTimer = this.#clock.timer(readingMs, () => void worker.terminate());
    worker.once('message', resolve).once('exit', onEnd);
    try {
      worker.postMessage(question);
      const answer = await promise;
      this.#idle.push(worker);
      return answer;
    } finally {
      stopTimer();
      worker.off('message', resolve).off('exit', onEnd);
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./page-thread.ts', import.meta.url), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMebibytes },
    });
    this.#all.add(worker);
    worker.unref();
    // Only that it ended is told: a message may quote the page.
    worker.on('error', () => {});
    worker.once('exit', () => {
      this.#all.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return worker;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }
}
