import type { CacheDirectives, CallReads, ReadNote, ReadSource } from '../context.ts';
import type { Failure } from '../errors.ts';

export interface ReadSummary {
  /** The first of `order` among its reads. */
  readonly source: ReadSource;
  readonly failure: Failure | null;
  /** Start of the oldest reading that was not made for this call, epoch ms; null: all were made for it. */
  readonly readAt: number | null;
  /** Start of the oldest reading whose value is no longer fresh; null: there is none. */
  readonly oldSince: number | null;
  readonly lacksPart: boolean;
  /** The value that was read, where it was one; null: several, or no object. */
  readonly only: object | null;
}

const order: readonly ReadSource[] = ['stale-if-error', 'asked-on-request', 'asked', 'joined', 'revalidating', 'copy'];

const oldestReadAt = (notes: readonly ReadNote[]): number | null =>
  notes.length === 0 ? null : Math.min(...notes.map(({ readAt }) => readAt));

export class NotedReads implements CallReads {
  readonly directives: CacheDirectives;
  readonly afterAnswer: CallReads['afterAnswer'];
  #notes: ReadNote[] = [];
  #allowsStaleIfError = false;
  #lacksPart = false;

  constructor(directives: CacheDirectives, afterAnswer: CallReads['afterAnswer'] = (work) => work()) {
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
    this.#notes.push(note);
  }

  /** Null when nothing has been read. */
  summary(): ReadSummary | null {
    const notes = this.#notes;
    const source = order.find((each) => notes.some((note) => note.source === each));
    if (source === undefined) return null;
    const value = notes.length === 1 ? notes[0]?.value : null;
    return {
      source,
      failure: notes.find((note) => note.source === 'stale-if-error')?.failure ?? null,
      readAt: oldestReadAt(notes.filter((note) => !note.source.startsWith('asked'))),
      oldSince: oldestReadAt(notes.filter(({ old }) => old)),
      lacksPart: this.#lacksPart,
      only: typeof value === 'object' ? value : null,
    };
  }
}
