import type { CampusSystem } from '../errors.ts';

/** No row sets a longer freshness: values are held in memory for so long. */
export const LONGEST_FRESH_SECONDS = 3600;

/** One declared read. The type parameter is the value that it gives. */
export interface ReadRow<V> {
  readonly name: string;
  readonly application: CampusSystem;
  /** Whose values they are. `campus`: everybody's, read once on the session of one who asks; left out: a student's. */
  readonly scope?: 'student' | 'campus';
  /** Of the scope `campus`: a query, of which the campus takes one every few seconds; left out: any other page. */
  readonly isQuery?: boolean;
  /** Grows with every change of the value's members: copies of another shape are absent, but for `former`. */
  readonly shape: number;
  /** How values that earlier versions have kept become one of this, by their shape. All others are absent. */
  readonly former?: Readonly<Record<number, (value: never) => V>>;
  /** How long a value is fresh, in seconds; `usual`: `FRESH_SECONDS`. */
  readonly fresh: 'usual' | number;
  /** A reading goes on for the copy when all calls that wait for it are out of time. */
  readonly outlivesCalls?: boolean;
  /** Only values that are whole are kept; left out: every value is. */
  readonly isComplete?: (value: V) => boolean;
  /** The pages of a list: which of the parameters is the number, from 1, and what a page behind the last one is like. */
  readonly pages?: { readonly at: number; readonly isEmpty: (value: V) => boolean };
}

/** A value with the start of its reading, epoch ms. */
export interface Found<V> {
  readonly value: V;
  readonly readAt: number;
}

/** A kept value of any age, as one call sees it. */
export interface Kept<V> extends Found<V> {
  /** Older than its freshness. */
  readonly isOld: boolean;
  /** Too old for what the call says. */
  readonly isWanted: boolean;
}
