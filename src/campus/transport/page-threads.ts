import { Piscina } from 'piscina';
import {
  type CampusSystem,
  type FailureKind,
  type FailureMembers,
  failureOf,
  failures,
  isFailure,
} from '../../domain/errors.ts';
import type { QueueState } from '../../domain/observation.ts';
import { QueueFull, Semaphore } from '../../lib/queues.ts';
import { abortAfter, type Clock } from '../../lib/time.ts';
import { collectOddities, type Oddity } from '../parsing/oddities.ts';
import { type PageReader, type ReaderPlace, unreadable } from '../parsing/reading.ts';

/** In characters. Parsing a longer text on the main thread could hold up every other call. */
export const largestAtOnce = 256 * 1024;
const threads = 2;
const longestQueue = 32;
/** Ten times what the slowest page takes. */
const readingMs = 10_000;
/** A page that needs more memory ends its thread, not the process. */
const threadMebibytes = 256;

interface ThreadQuestion {
  readonly place: ReaderPlace;
  readonly text: string;
}

type ThreadAnswer =
  | { readonly kind: 'read'; readonly value: unknown; readonly oddities: readonly Oddity[] }
  | { readonly kind: 'refused'; readonly failure: FailureKind; readonly members: FailureMembers }
  | { readonly kind: 'broken'; readonly name: string };

/** Runs on the worker thread. Of an error only what may be logged leaves it, never text of the page. */
export const answerTo = async ({ place, text }: ThreadQuestion): Promise<ThreadAnswer> => {
  try {
    const module: Record<string, unknown> = await import(place.module);
    const reader = module[place.name];
    if (typeof reader !== 'function') throw new Error(`no page reader ${place.name}`);
    return { kind: 'read', ...collectOddities(() => reader(text)) };
  } catch (error) {
    if (!isFailure(error)) return { kind: 'broken', name: error instanceof Error ? error.name : 'unknown' };
    const { kind, system, reason, part } = error;
    const upstreamMessage = kind === 'upstream-refused' ? error.upstreamMessage : undefined;
    return { kind: 'refused', failure: kind, members: { system, reason, part, upstreamMessage } };
  }
};

const openThreads = () =>
  new Piscina<ThreadQuestion, ThreadAnswer>({
    filename: import.meta.url,
    name: answerTo.name,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: threadMebibytes },
  });

interface ReadingOf {
  readonly system: CampusSystem;
  readonly signal: AbortSignal;
  readonly told?: (oddities: readonly Oddity[]) => void;
}

/** Parses large pages on worker threads, which start with the first page that needs one. */
export class PageThreads {
  readonly #clock: Clock;
  readonly #queue = new Semaphore(threads, longestQueue);
  #pool: ReturnType<typeof openThreads> | null = null;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get queue(): QueueState {
    return this.#queue;
  }

  /**
   * Calls `reader` on a text, on a worker thread if the text is large. `told` gets the oddities of a page that was read.
   * @throws what `reader` throws; Failure `upstream-unreadable` for a page that takes too long or too much memory,
   *   `overloaded`; the signal's reason while it waits for a thread
   */
  read<T>(reader: PageReader<T>, text: string, of: ReadingOf): T | Promise<T> {
    if (text.length <= largestAtOnce) {
      const { value, oddities } = collectOddities(() => reader(text));
      of.told?.(oddities);
      return value;
    }
    // The worker runs this same function, so its value is a `T`.
    return this.#readOnThread({ place: reader.place, text }, of) as Promise<T>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.destroy();
  }

  async #readOnThread(question: ThreadQuestion, { system, signal, told }: ReadingOf): Promise<unknown> {
    try {
      using _place = await this.#queue.enter(signal);
      const answer = await this.#ask(question, system);
      if (answer.kind === 'read') {
        told?.(answer.oddities);
        return answer.value;
      }
      if (answer.kind === 'refused') throw failureOf(answer.failure, answer.members);
      throw new Error(`${question.place.name} failed with ${answer.name}`);
    } catch (error) {
      if (error instanceof QueueFull) throw failures.overloaded(1, undefined, { system, cause: error });
      throw error;
    }
  }

  /** @throws Failure `upstream-unreadable` when the thread ends: its own error may quote the page */
  async #ask(question: ThreadQuestion, system: CampusSystem): Promise<ThreadAnswer> {
    // Nothing would end threads that are opened now.
    if (this.#isClosed) throw unreadable(system, 'reading of a page was ended');
    using late = abortAfter(this.#clock, readingMs);
    this.#pool ??= openThreads();
    try {
      return await this.#pool.run(question, { signal: late.signal });
    } catch {
      throw unreadable(system, 'reading of a page was ended');
    }
  }
}

export type PageReading = Pick<PageThreads, 'read'>;
