import type { Failure } from '../errors.ts';
import type { CallReads, ReadNote, ReadSource, ReadWish } from './types.ts';

/** How an answer came about as a whole. */
export interface ReadSummary {
  /** Of the parts, the one that says most: a stand-in before an asked one, that before a copy. */
  readonly source: ReadSource;
  readonly failure: Failure | null;
  /** Start of the oldest reading that was not made for this call, epoch ms; null: all were made for it. */
  readonly readAt: number | null;
  /** Start of the oldest reading whose value is older than its freshness; null: there is none. */
  readonly oldSince: number | null;
  /** What was read, where it was one thing; null: several, or no object. */
  readonly only: object | null;
}

export interface NotedReads extends CallReads {
  /** A copy may stand in for one of its reads. */
  readonly hasStandIn: boolean;
  /** Null when nothing has been read. */
  summary(): ReadSummary | null;
}

const order: readonly ReadSource[] = ['stand-in', 'asked-on-request', 'asked', 'joined', 'copy'];

const oldest = (notes: readonly ReadNote[]): number | null =>
  notes.length === 0 ? null : Math.min(...notes.map(({ readAt }) => readAt));

/** Most calls read one thing. */
const summaryOf = ({ source, readAt, old, value, failure }: ReadNote): ReadSummary => ({
  source,
  failure: failure ?? null,
  readAt: source.startsWith('asked') ? null : readAt,
  oldSince: old ? readAt : null,
  only: typeof value === 'object' ? value : null,
});

/** Collects what the reads of one call came to. */
export const noteReads = (wish: ReadWish, afterAnswer: CallReads['afterAnswer']): NotedReads => {
  const notes: ReadNote[] = [];
  let standIn = false;
  return {
    wish,
    afterAnswer,
    mayStandIn: () => {
      standIn = true;
    },
    get hasStandIn() {
      return standIn;
    },
    note: (note) => {
      notes.push(note);
    },
    summary() {
      const [first] = notes;
      if (first !== undefined && notes.length === 1) return summaryOf(first);
      const source = order.find((each) => notes.some((note) => note.source === each));
      if (source === undefined) return null;
      return {
        source,
        failure: notes.find((note) => note.source === 'stand-in')?.failure ?? null,
        readAt: oldest(notes.filter((note) => !note.source.startsWith('asked'))),
        oldSince: oldest(notes.filter(({ old }) => old)),
        only: null,
      };
    },
  };
};
