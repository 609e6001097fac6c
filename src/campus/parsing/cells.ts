import { plainSigns } from '../../lib/plain-signs.ts';
import { isRecord } from '../../lib/text.ts';
import { noteCell } from './oddities.ts';
import { collapse, decodeEntities, GARBLED, trim } from './text.ts';

/**
 * Conversions of single upstream values. The campus sends null, text and numbers interchangeably, so one odd cell
 * becomes its default and never costs the student the whole page. None of these throws.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** How servers write null where they make a text of everything. */
const nullWords: ReadonlySet<string> = new Set(['null', 'NULL', 'undefined', '(null)']);

/** A value that says something: what is missing or blank has no default to wonder about. */
export const saysSomething = (value: unknown): boolean =>
  value !== null && value !== undefined && !(typeof value === 'string' && ['', ...nullWords].includes(value.trim()));

/** Text of a string, number or boolean without blanks at its ends; `""` for anything else, and for the word `null`. */
export const str = (value: unknown): string => {
  if (typeof value === 'string') {
    if (value.includes(GARBLED)) {
      noteCell('garbled', value);
      return '';
    }
    const text = trim(value);
    return nullWords.has(text) ? '' : text;
  }
  if (typeof value === 'boolean') return String(value);
  // `1e999` is valid JSON and becomes Infinity, which is no text a student should see.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (saysSomething(value)) noteCell('default', value);
  return '';
};

/**
 * Like `str`, for what people read, such as names and remarks. The campus escapes them in some answers only, so they
 * are decoded as pages are: a course and a teacher have one name everywhere. What is sent back or compared stays raw
 * (`str`).
 */
export const label = (value: unknown): string => {
  const text = str(value);
  if (!text.includes('&')) return text;
  const decoded = decodeEntities(text);
  return decoded === text ? text : collapse(decoded);
};

/** Names in lists such as `周明,许静`, each once. Most rows of a course repeat the text of another. */
export const namesIn = (cells: readonly unknown[]): string[] => {
  const names = [...new Set(cells.map(label))].flatMap((text) => text.split(/[,，、;；]/)).map(trim);
  return [...new Set(names)].filter((name) => name !== '');
};

/** Whether there is a text, one that cannot be read included: a refusal stays one. */
export const saysText = (value: unknown): boolean =>
  typeof value === 'string' ? saysSomething(value) : str(value) !== '';

/** Like `str`, but null where there is no text. */
export const optStr = (value: unknown): string | null => str(value) || null;

/** Like `label`, but null where there is no text. */
export const optLabel = (value: unknown): string | null => label(value) || null;

const wholeNumber = /^[+-]?\d+(?:\.\d*)?$/;
// The exponent is how Java prints small decimals: a zero with eight places is `0E-8`.
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** `２．５` and `2.5&nbsp;` are numbers as well. */
const plainNumber = (text: string): string => trim(plainSigns(text.includes('&') ? decodeEntities(text) : text));

const parseBy = (pattern: RegExp, value: string): number => {
  const given = trim(value);
  if (pattern.test(given)) return Number(given);
  const plain = plainNumber(given);
  return pattern.test(plain) ? Number(plain) : Number.NaN;
};

/** Integer part of a number or numeric text; the default for anything else, also beyond the range of integers. */
export const int = (value: unknown, otherwise = 0): number => {
  let parsed = Number.NaN;
  if (typeof value === 'number') parsed = Math.trunc(value);
  else if (typeof value === 'string') parsed = Math.trunc(parseBy(wholeNumber, value));
  // Adding 0 turns -0 into 0.
  if (Number.isSafeInteger(parsed)) return parsed + 0;
  if (saysSomething(value)) noteCell('default', value);
  return otherwise;
};

/** A finite number or numeric text (`.5` is one half); the default for anything else. */
export const num = (value: unknown, otherwise = 0): number => {
  let parsed = Number.NaN;
  if (typeof value === 'number') parsed = value;
  else if (typeof value === 'string') parsed = parseBy(decimalNumber, value);
  if (Number.isFinite(parsed)) return parsed + 0;
  if (saysSomething(value)) noteCell('default', value);
  return otherwise;
};

/** What stands behind a number where the cell names what it counts. */
const unit = /\s?(?:学分|学时|课时|分|门|周|节|次)$/;

/** The text of a number without its unit and with plain digits; any other text as it is. */
const withoutUnit = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const plain = plainNumber(value).replace(unit, '');
  return decimalNumber.test(plain) ? plain : value;
};

/** Credits as text. */
export const credits = (value: unknown): string => str(withoutUnit(value));

/** Credits, hours and other numbers of things, which may name what they count. */
export const countOf = (value: unknown, otherwise = 0): number => num(withoutUnit(value), otherwise);

/** Like `num`, but null where there is no number. */
export const optNum = (value: unknown): number | null => {
  const found = num(value, Number.NaN);
  return Number.isNaN(found) ? null : found;
};

/** Also for the minus signs of other keyboards. */
export const hasMinus = (text: string): boolean => text !== '' && '-－−–'.includes(text.charAt(0));

/** A number that stands for nothing, also with its unit. */
const negativeMark = /^-\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?\s?分?$/;

/**
 * A mark or a grade point as text. A negative one is none: the campus hides with it what is not published, or puts a code
 * in its place.
 */
export const mark = (value: unknown): string => {
  if (typeof value === 'number' && value >= 0) return str(value);
  const text = label(value);
  const first = text.charCodeAt(0);
  // Most marks begin with a plain digit, or with a word.
  if (text === '' || (first >= 0x30 && first <= 0x39) || (first >= 0x4e00 && first <= 0x9fff)) return text;
  const plain = plainSigns(text);
  if (negativeMark.test(plain) && Number.parseFloat(plain) < 0) {
    noteCell('unpublished', value);
    return '';
  }
  return decimalNumber.test(plain) ? plain : text;
};

/** Like `mark`, but null where there is none. */
export const optMark = (value: unknown): string | null => mark(value) || null;

/** Like `mark`, as a number. */
export const optPoint = (value: unknown): number | null =>
  (typeof value === 'number' && value >= 0) || mark(value) !== '' ? optNum(value) : null;

/** A whole number from 0 on, null for anything else: how many there are, where the campus says so. */
export const optCount = (value: unknown): number | null => {
  const found = int(value, -1);
  return found < 0 ? null : found;
};

/** A list inside a row: anything else is an empty one. */
export const list = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  if (saysSomething(value)) noteCell('default', value);
  return [];
};

/** An object, or an empty one. */
export const obj = (value: unknown): JsonObject => {
  if (isRecord(value)) return value;
  if (saysSomething(value)) noteCell('default', value);
  return {};
};
