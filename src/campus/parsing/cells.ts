import type { CampusSystem } from '../../domain/errors.ts';
import { isRecord } from '../../lib/records.ts';
import { hasAnyOf, int, type JsonObject } from './scalars.ts';
import { unreadable } from './unreadable.ts';

// Cells of the ticket applications (activity score, labor club): unlike elsewhere, texts are passed on exactly as they are.

/** A text as it is, a number as decimal text, `""` for everything else. */
export const text = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
};

/** As `text`, with null where the campus has none. */
export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : text(value);

export const intOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : int(value));

/** The encodings of a boolean: `true`, 1, `"1"`, `"true"` in any case and their opposites; else null. */
export const flagOrNull = (value: unknown): boolean | null => {
  switch (typeof value === 'string' ? value.trim().toLowerCase() : value) {
    case true:
    case 1:
    case '1':
    case 'true':
      return true;
    case false:
    case 0:
    case '0':
    case 'false':
      return false;
    default:
      return null;
  }
};

export const flag = (value: unknown, otherwise = false): boolean => flagOrNull(value) ?? otherwise;

/** The first of several spellings of one member that is there. */
export const either = (row: JsonObject, ...names: readonly string[]): unknown =>
  names.map((name) => row[name]).find((value) => value !== undefined && value !== null);

/** Far above what is asked for at once; more is not an answer to our question, and a gigabyte once it is read. */
const mostElements = 5_000;

/**
 * The elements of a list: an array, or an object with the array in `rows`; null and missing are empty.
 * @throws Failure `upstream-unreadable` for anything else, because an empty list would hide it; and for too many
 */
export const elementsOf = (value: unknown, system: CampusSystem, name: string): readonly unknown[] => {
  const found = isRecord(value) && Array.isArray(value.rows) ? value.rows : (value ?? []);
  if (!Array.isArray(found)) throw unreadable(system, `${name} is no list`);
  if (found.length > mostElements) throw unreadable(system, `${name} is too long`);
  return found;
};

/**
 * As `elementsOf`, for the list that an answer is about.
 * @throws Failure `upstream-unreadable` also for rows of which none has one of these members: they would be shown as
 *   rows that say nothing, or as no rows
 */
export const knownElementsOf = (
  value: unknown,
  system: CampusSystem,
  name: string,
  members: readonly string[],
): readonly unknown[] => {
  const found = elementsOf(value, system, name);
  if (found.length > 0 && !found.some((row) => hasAnyOf(row, members)))
    throw unreadable(system, `${name} of another shape`);
  return found;
};

/** As `elementsOf`, without the elements that are no objects. */
export const rowsOf = (value: unknown, system: CampusSystem, name: string): JsonObject[] =>
  elementsOf(value, system, name).filter(isRecord);
