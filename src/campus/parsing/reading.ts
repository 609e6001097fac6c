import { type CampusSystem, type Failure, failures } from '../../domain/errors.ts';
import { isRecord } from '../../lib/text.ts';
import { countOf, type JsonObject, saysSomething } from './cells.ts';
import { beginRow, noteOddity, type OddityKind } from './oddities.ts';

/** Lets a worker thread import a reader: the module that exports it, and its name there. */
export interface ReaderPlace {
  readonly module: string;
  readonly name: string;
}

/** A pure function of the text of a page. What it returns is plain data. */
export type PageReader<T = unknown> = ((text: string) => T) & { readonly place: ReaderPlace };

/**
 * Makes the readers of a module, named by `import.meta.url`. A request takes no other function, so that every page can be
 * read on another thread. A parser throws Failure `upstream-unreadable` for a page that is not the one it knows.
 */
export const readersOf =
  (module: string) =>
  <T>(name: string, read: (text: string) => T): PageReader<T> =>
    Object.assign(read, { place: { module, name } });

const mayHoldLong = /\d{16}/;

/** A whole number that no number can hold stays text: the id of a row would be that of another one. */
const exactly = (_name: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;

/**
 * The JSON value of a body. The text decides, never the content type.
 * @throws Failure `upstream-unreadable`
 */
export const readJson = (text: string, system: CampusSystem): unknown => {
  // JSON.parse knows no byte order mark, which counts as white space.
  const body = text.trim();
  if (body === '') throw unreadable(system, 'empty body');
  try {
    return mayHoldLong.test(body) ? JSON.parse(body, exactly) : JSON.parse(body);
  } catch {
    // `JSON.parse` quotes the body in its message, which holds a student's data, so it is not kept as cause.
    throw unreadable(system, 'body is not JSON');
  }
};

/** @throws Failure `upstream-unreadable`, also for a value that is not a list */
export const readJsonList = (text: string, system: CampusSystem, what: string): readonly unknown[] => {
  const value = readJson(text, system);
  if (!Array.isArray(value)) throw unreadable(system, `${what} of the wrong type`);
  return value;
};

/** @throws Failure `upstream-unreadable`, also for a value that is not an object */
export const readJsonObject = (text: string, system: CampusSystem): JsonObject => {
  const value = readJson(text, system);
  if (!isRecord(value)) throw unreadable(system, 'body is no JSON object');
  return value;
};

/** The failure of a page that is not the page we know. The reason goes to the log: no page text in it. */
export const unreadable = (system: CampusSystem, reason: string): Failure =>
  failures.upstreamUnreadable(system, reason);

/** True for an object with at least one of these members; anything else is of an unknown kind. */
export const hasAnyOf = (value: unknown, members: readonly string[]): boolean =>
  isRecord(value) && members.some((name) => name in value);

/**
 * A number that is not part of a row: what is absent (missing, null or blank) is its default.
 * @throws Failure `upstream-unreadable` for anything else that is no number, which would be shown as 0
 */
export const statedNumber = (value: unknown, system: CampusSystem, what: string): number => {
  if (!saysSomething(value)) return 0;
  const found = countOf(value, Number.NaN);
  if (Number.isNaN(found)) throw unreadable(system, `${what} is no number`);
  return found;
};

interface ListKind {
  readonly system: CampusSystem;
  /** Names its rows in the log, e.g. `score rows`. */
  readonly what: string;
  /** Far above what one request asks for. A longer list does not answer our request, and takes a gigabyte once read. */
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
  /** Recognizes a row, one of `count`, as a form we know; one such row is enough. Left out: no check. */
  readonly isOurs?: (row: unknown, count: number) => boolean;
  /** Null if the row cannot be read, `leaveOut` if a rule leaves it out. */
  readonly read: (row: unknown, at: number) => T | null | undefined;
  /** The caller judges how much is dropped, because there are further lists. */
  readonly isPartOfMore?: boolean;
}

export interface ParsedRows<T> {
  readonly rows: T[];
  /** Those that are not shown included: what paging has to count. */
  readonly received: number;
  /** Those that should have been read and could not. */
  readonly dropped: number;
}

/** What a rule leaves out is no fault of the page: it is counted under a separate kind. */
export const leaveOut = (kind: OddityKind, name = ''): undefined => {
  noteOddity(kind, name);
  return undefined;
};

/**
 * Notes what could not be read.
 * @throws Failure `upstream-unreadable` where it is more than half: such a page is not the one we know
 */
export const refuseIfMostDropped = (
  system: CampusSystem,
  what: string,
  { rows, dropped }: { readonly rows: readonly unknown[]; readonly dropped: number },
): void => {
  noteOddity('dropped', what, dropped);
  if (dropped > rows.length) throw unreadable(system, `most ${what} of another shape`);
};

/**
 * The rows of an answer; odd cells become their default and the row stays.
 * @throws Failure `upstream-unreadable` as `elementsOf`, and for rows of which none is one of ours: they would be shown
 *   as rows that say nothing, or as no rows
 */
export const readRows = <T>(value: unknown, { isOurs, read, isPartOfMore, ...kind }: RowsKind<T>): ParsedRows<T> => {
  const found = elementsOf(value, kind);
  const received = found.length;
  const given = found.filter((row) => row !== null);
  if (isOurs && given.length > 0 && !given.some((row) => isOurs(row, given.length)))
    throw unreadable(kind.system, `${kind.what} of another shape`);
  const rows: T[] = [];
  let dropped = 0;
  for (const [at, row] of found.entries()) {
    beginRow(row);
    const result = row === null ? leaveOut('null-element') : read(row, at);
    if (result === null) dropped += 1;
    else if (result !== undefined) rows.push(result);
  }
  beginRow(null);
  if (!isPartOfMore) refuseIfMostDropped(kind.system, kind.what, { rows, dropped });
  return { rows, received, dropped };
};

/**
 * Reads rows that are objects. At least one must have one of these members; if none is named, any object will do. Other
 * values are dropped.
 */
export const records = <T>(
  kind: ListKind,
  members: readonly string[],
  read: (row: JsonObject) => T | null | undefined,
  isPartOfMore = false,
): RowsKind<T> => ({
  ...kind,
  isPartOfMore,
  isOurs: (row) => (members.length === 0 ? isRecord(row) : hasAnyOf(row, members)),
  read: (row) => (isRecord(row) ? read(row) : null),
});
