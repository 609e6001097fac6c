import { isRecord } from '../../lib/records.ts';
import { decodeEscapes } from './text.ts';

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
