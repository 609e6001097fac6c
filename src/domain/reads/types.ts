import type { CampusSystem } from '../errors.ts';

/** Cache entries live for this long. */
export const LONGEST_FRESH_SECONDS = 3600;

/** One declared read of a value `V`. */
export interface ReadRow<V> {
  readonly name: string;
  readonly application: CampusSystem;
  /** Who the values belong to. `campus`: everybody, read once on the session of one who asks; left out: a student. */
  readonly scope?: 'student' | 'campus';
  /** For the scope `campus`: a query, of which the campus takes one every few seconds; left out: any other page. */
  readonly isQuery?: boolean;
  /** Grows with every change of the value's members. Copies of another shape are completed, or absent. */
  readonly shape: number;
  /** Makes a value of this shape out of one that an earlier version has stored, by its shape. */
  readonly earlierShapes?: Readonly<Record<number, (value: never) => V>>;
  /** Completes the value of any other shape. Undefined: it does not fit. */
  readonly complete?: (stored: unknown) => V | undefined;
  /** How long a value is fresh, in seconds; `usual`: `FRESH_SECONDS`. */
  readonly fresh: 'usual' | number;
  /** A reading continues for the copy when all calls that wait for it are out of time. */
  readonly outlivesCalls?: boolean;
  /** Only complete values are stored; left out: every value is. */
  readonly isComplete?: (value: V) => boolean;
  /** Where a student has too many copies, details go first, and what every start of an app needs goes last. */
  readonly goes?: 'first' | 'last';
  /** Which parameter is a term code: copies of terms that are over go after the details, no matter what `goes` says. */
  readonly termAt?: number;
  /** For a list with pages: which parameter is the page number (from 1), and how to tell a page after the last one. */
  readonly pages?: { readonly at: number; readonly isEmpty: (value: V) => boolean };
}

/** True for a page of a list after the first. */
export const isLaterPage = ({ pages }: Pick<ReadRow<never>, 'pages'>, params: readonly string[]): boolean =>
  pages !== undefined && params[pages.at] !== '1';

/** A value with the start of its reading, epoch ms. */
export interface TimedValue<V> {
  readonly value: V;
  readonly readAt: number;
}

/** A cached value, judged for one call. */
export interface CachedValue<V> extends TimedValue<V> {
  /** Older than its freshness. */
  readonly isStale: boolean;
  /** Too old for the directives of the call: it is to be read again. */
  readonly isDue: boolean;
}
