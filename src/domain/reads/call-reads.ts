import type { CacheDirectives, CallReads, ReadNote, ReadSource } from '../context.ts';
import type { Failure } from '../errors.ts';

/** How an answer came about as a whole. */
export interface ReadSummary {
  /** Of the parts, the one that says most: a stale copy before an asked one, that before a copy. */
  readonly source: ReadSource;
  readonly failure: Failure | null;
  /** Start of the oldest reading that was not made for this call, epoch ms; null: all were made for it. */
  readonly readAt: number | null;
  /** Start of the oldest reading whose value is older than its freshness; null: there is none. */
  readonly oldSince: number | null;
  /** A part of the answer is missing. */
  readonly lacksPart: boolean;
  /** The value that was read, where it was one; null: several, or no object. */
  readonly only: object | null;
}

export interface NotedReads extends CallReads {
  /** A stale copy may be served for one of its reads. */
  readonly allowsStaleIfError: boolean;
  /** Null when nothing has been read. */
  summary(): ReadSummary | null;
}

const order: readonly ReadSource[] = ['stale-if-error', 'asked-on-request', 'asked', 'joined', 'revalidating', 'copy'];

const oldest = (notes: readonly ReadNote[]): number | null =>
  notes.length === 0 ? null : Math.min(...notes.map(({ readAt }) => readAt));

/** Most calls read one thing. */
const summaryOf = ({ source, readAt, old, value, failure }: ReadNote, lacksPart: boolean): ReadSummary => ({
  lacksPart,
  source,
  failure: failure ?? null,
  readAt: source.startsWith('asked') ? null : readAt,
  oldSince: old ? readAt : null,
  only: typeof value === 'object' ? value : null,
});

/** Collects what the reads of one call came to. */
class CallNotes implements NotedReads {
  readonly directives: CacheDirectives;
  readonly afterAnswer: CallReads['afterAnswer'];
  #first: ReadNote | null = null;
  #others: ReadNote[] | null = null;
  #allowsStaleIfError = false;
  #lacksPart = false;

  constructor(directives: CacheDirectives, afterAnswer: CallReads['afterAnswer']) {
    this.directives = directives;
    this.afterAnswer = afterAnswer;
  }

  get allowsStaleIfError(): boolean {
    return this.#allowsStaleIfError;
  }

  allowStaleIfError(): void {
    this.#allowsStaleIfError = true;
  }

  lacksPart(): void {
    this.#lacksPart = true;
  }

  note(note: ReadNote): void {
    if (this.#first === null) this.#first = note;
    else {
      this.#others ??= [];
      this.#others.push(note);
    }
  }

  summary(): ReadSummary | null {
    if (this.#first === null) return null;
    if (this.#others === null) return summaryOf(this.#first, this.#lacksPart);
    const notes = [this.#first, ...this.#others];
    const source = order.find((each) => notes.some((note) => note.source === each));
    if (source === undefined) return null;
    return {
      source,
      failure: notes.find((note) => note.source === 'stale-if-error')?.failure ?? null,
      readAt: oldest(notes.filter((note) => !note.source.startsWith('asked'))),
      oldSince: oldest(notes.filter(({ old }) => old)),
      lacksPart: this.#lacksPart,
      only: null,
    };
  }
}

export const noteReads = (directives: CacheDirectives, afterAnswer: CallReads['afterAnswer']): NotedReads =>
  new CallNotes(directives, afterAnswer);
