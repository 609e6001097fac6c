import { type CampusSystem, Failure } from '../../domain/errors.ts';
import { isRecord } from '../../lib/text.ts';
import { decodeEscapes } from './text.ts';

/**
 * The JSON value of a body. The text decides, never the content type.
 * @throws Failure `upstream-unreadable`
 */
export const readJson = (text: string, system: CampusSystem): unknown => {
  // JSON.parse knows no byte order mark.
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (body.trim() === '') throw unreadable(system, 'empty body');
  try {
    const value: unknown = JSON.parse(body);
    return value;
  } catch {
    // The parser's own message quotes the body, which holds a student's data: it is not kept as cause.
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
export const unreadable = (system: CampusSystem, reason: string, cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system, reason, cause });

/**
 * Conversions of single upstream values. The campus sends null, text and numbers interchangeably, so one odd cell
 * becomes its default and never costs the student the whole page. None of these throws.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Text of a string, number or boolean without blanks at its ends; `""` for anything else. */
export const str = (value: unknown): string => {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return String(value);
  // `1e999` is valid JSON and becomes Infinity, which is no text a student should see.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return '';
};

/**
 * As `str`, for what people read: names, kinds, places, remarks. The campus escapes them for its pages, in some answers
 * and not in others, so escapes are decoded: a course has one name everywhere. Never for ids, codes, marks and what is
 * sent back, which stay as they are.
 */
export const label = (value: unknown): string => {
  const text = str(value);
  return text.includes('&') ? decodeEscapes(text).trim() : text;
};

/** As `str`, but null where there is no text. */
export const optStr = (value: unknown): string | null => str(value) || null;

/** As `label`, but null where there is no text. */
export const optLabel = (value: unknown): string | null => label(value) || null;

const wholeNumber = /^[+-]?\d+(?:\.\d*)?$/;
// The exponent is how Java prints small decimals: a zero with eight places is `0E-8`.
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** Integer part of a number or numeric text; the default for anything else, also beyond the range of integers. */
export const int = (value: unknown, otherwise = 0): number => {
  let parsed = Number.NaN;
  if (typeof value === 'number') parsed = Math.trunc(value);
  else if (typeof value === 'string' && wholeNumber.test(value.trim())) parsed = Math.trunc(Number(value));
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(parsed) ? parsed + 0 : otherwise;
};

/** A finite number or numeric text (`.5` is one half); the default for anything else. */
export const num = (value: unknown, otherwise = 0): number => {
  let parsed = Number.NaN;
  if (typeof value === 'number') parsed = value;
  else if (typeof value === 'string' && decimalNumber.test(value.trim())) parsed = Number(value);
  return Number.isFinite(parsed) ? parsed + 0 : otherwise;
};

/** As `num`, but null where there is no number. */
export const optNum = (value: unknown): number | null => {
  const found = num(value, Number.NaN);
  return Number.isNaN(found) ? null : found;
};

/** A whole number from 0 on, null for anything else: how many there are, where the campus says so. */
export const optCount = (value: unknown): number | null => {
  const found = int(value, -1);
  return found < 0 ? null : found;
};

/** A list inside a row: anything else is an empty one. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An object, or an empty one. */
export const obj = (value: unknown): JsonObject => (isRecord(value) ? value : {});

/** Whether a value is an object with one of these members at least: else it is of an unknown kind. */
export const hasAnyOf = (value: unknown, members: readonly string[]): boolean =>
  isRecord(value) && members.some((name) => name in value);

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
