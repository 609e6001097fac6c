import { int, type JsonObject } from './scalars.ts';

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
