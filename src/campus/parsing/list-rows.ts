import type { CampusSystem } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { unreadable } from './json.ts';
import { hasAnyOf, type JsonObject } from './scalars.ts';

interface ListKind {
  readonly system: CampusSystem;
  /** Names its rows in the log, e.g. `score rows`. */
  readonly what: string;
  /** Far above what is asked for at once; more does not answer our request, and takes a gigabyte once read. */
  readonly most?: number;
}

/**
 * The elements of a list; null and missing are empty.
 * @throws Failure `upstream-unreadable` for anything else, because an empty list would hide it; and for too many
 */
export const elementsOf = (value: unknown, { system, what, most = 5_000 }: ListKind): readonly unknown[] => {
  const found = value ?? [];
  if (!Array.isArray(found)) throw unreadable(system, `${what} of the wrong type`);
  if (found.length > most) throw unreadable(system, `too many ${what}`);
  return found;
};

/** The list of a ticket application, which may be below `rows`. */
export const belowRows = (value: unknown): unknown =>
  isRecord(value) && Array.isArray(value.rows) ? value.rows : value;

interface RowsKind<T> extends ListKind {
  /** Whether a row, among so many, is of a form we know: one will do. Left out: not checked. */
  readonly isOurs?: (row: unknown, count: number) => boolean;
  /** Null: it has nothing to show. */
  readonly read: (row: unknown) => T | null;
}

export interface Rows<T> {
  readonly rows: T[];
  /** Those that could not be used included: what paging has to count. */
  readonly received: number;
  readonly dropped: number;
}

/**
 * The rows of an answer; odd cells become their default and the row stays.
 * @throws Failure `upstream-unreadable` as `elementsOf`, and for rows of which none is one of ours: they would be shown
 *   as rows that say nothing, or as no rows
 */
export const readRows = <T>(value: unknown, { isOurs, read, ...kind }: RowsKind<T>): Rows<T> => {
  const found = elementsOf(value, kind);
  const received = found.length;
  if (isOurs && received > 0 && !found.some((row) => isOurs(row, received)))
    throw unreadable(kind.system, `${kind.what} of another shape`);
  const rows: T[] = [];
  for (const row of found) {
    const result = read(row);
    if (result !== null) rows.push(result);
  }
  return { rows, received, dropped: received - rows.length };
};

/** Rows that are objects with one of these members, each read by `read`; what is not an object is dropped. */
export const records = <T>(members: readonly string[], read: (row: JsonObject) => T | null) => ({
  isOurs: (row: unknown) => hasAnyOf(row, members),
  read: (row: unknown) => (isRecord(row) ? read(row) : null),
});
