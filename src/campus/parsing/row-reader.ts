import { KindGuard, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import type { CampusSystem } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import { countOf, int, type JsonObject } from './cells.ts';
import { noteCell } from './oddities.ts';
import { statedNumber } from './reading.ts';
import { GARBLED } from './text.ts';

type CellReader = (cell: unknown) => unknown;

/** How a cell is read by default; one that may be null is null where the campus has none. */
const cellReaderOf = (member: TSchema): CellReader | null => {
  if (KindGuard.IsString(member)) return readText;
  if (KindGuard.IsInteger(member)) return (cell) => int(cell);
  if (KindGuard.IsNumber(member)) return (cell) => countOf(cell);
  if (KindGuard.IsBoolean(member)) return (cell) => readFlag(cell);
  if (!KindGuard.IsUnion(member) || member.anyOf.length !== 2) return null;
  const [value, none] = member.anyOf;
  if (value === undefined || !KindGuard.IsNull(none)) return null;
  if (KindGuard.IsString(value)) return readTextOrNull;
  if (KindGuard.IsInteger(value)) return intOrNull;
  return KindGuard.IsBoolean(value) ? readFlagOrNull : null;
};

/** Members that are not simply the cell of their name. */
type OwnReaders<T extends TObject> = { readonly [K in keyof Static<T>]?: (row: JsonObject) => RecordOf<T>[K] };

/**
 * Reads a record from a row that has the same names. It is compiled once: a loop over the members takes
 * eight times as long for each row. The names are those of our own records.
 */
export const rowReader = <T extends TObject>(
  record: T,
  own: OwnReaders<T> = {},
): ((row: JsonObject) => RecordOf<T>) => {
  const ownReaders: Readonly<Record<string, ((row: JsonObject) => unknown) | undefined>> = own;
  const readers: unknown[] = [];
  const members = Object.entries(record.properties).map(([name, member]) => {
    const quoted = JSON.stringify(name);
    const reader = ownReaders[name] ?? cellReaderOf(member);
    if (reader === null) throw new Error(`no word on how ${name} is read`);
    const at = readers.push(reader) - 1;
    return `${quoted}: r${at}(${ownReaders[name] ? 'row' : `row[${quoted}]`})`;
  });
  const names = readers.map((_, at) => `r${at}`);
  return new Function(...names, `return (row) => ({ ${members.join(', ')} });`)(...readers);
};

/** Null for a row in which all of these members are empty: it speaks of nothing. */
export const subjectOf = <R extends object>(row: R, ...members: ReadonlyArray<keyof R>): R | null =>
  members.some((name) => typeof row[name] === 'string' && row[name].trim() !== '') ? row : null;

/**
 * Holds the numbers of an answer that is one object against its record: a default would be told as what it says.
 * @throws Failure `upstream-unreadable` for one that is there and is no number
 */
export const refuseOddNumbers = (record: TObject, answer: JsonObject, system: CampusSystem, what: string): void => {
  for (const [name, member] of Object.entries(record.properties))
    if (KindGuard.IsInteger(member) || KindGuard.IsNumber(member))
      statedNumber(answer[name], system, `${what}: ${name}`);
};

// Cells of the ticket applications (activity score, labor club): unlike elsewhere, texts are passed on exactly as they are.

/** Returns a text unchanged, a number in decimal, `""` for anything else. */
export const readText = (value: unknown): string => {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return '';
  if (!value.includes(GARBLED)) return value;
  noteCell('garbled', value);
  return '';
};

/** Like `readText`, but null where the campus has none. */
export const readTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : readText(value);

export const intOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : int(value));

const yes: readonly unknown[] = [true, 1, '1', 'true', '是'];
const no: readonly unknown[] = [false, 0, '0', 'false', '否'];

/** The encodings of a boolean: `true`, 1, `"1"`, `"true"` in any case, `"是"` and their opposites; else null. */
export const readFlagOrNull = (value: unknown): boolean | null => {
  const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (yes.includes(given)) return true;
  return no.includes(given) ? false : null;
};

export const readFlag = (value: unknown, otherwise = false): boolean => readFlagOrNull(value) ?? otherwise;

/** The first spelling of a member that is present. */
export const readEither = (row: JsonObject, ...names: readonly string[]): unknown =>
  names.map((name) => row[name]).find((value) => value !== undefined && value !== null);
