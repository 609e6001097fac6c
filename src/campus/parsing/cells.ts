import { isRecord } from '../../lib/text.ts';
import { dayNumber } from '../../lib/time.ts';
import { collapse, decodeEscapes } from './text.ts';

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
 * Like `str`, for what people read, such as names and remarks. The campus escapes them in some answers only, so they
 * are decoded: a course has one name everywhere. What is sent back or compared stays raw (`str`).
 */
export const label = (value: unknown): string => {
  const text = str(value);
  return text.includes('&') ? decodeEscapes(text).trim() : text;
};

/** Like `str`, but null where there is no text. */
export const optStr = (value: unknown): string | null => str(value) || null;

/** Like `label`, but null where there is no text. */
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

/** Like `num`, but null where there is no number. */
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

const weeks = 24;

/** No description is longer; a cell of any other length is cut before it is searched. */
const longestDescription = 200;

const range = /(?<!\d)(\d{1,2})(?!\d)(?:[-－–—~～至到](\d{1,2})(?!\d))?/g;

/**
 * Weeks from texts like `1-16周`, `第1周-第16周`, `1-15周单周`, `2-18双` and lists of them separated by commas. 单 (odd)
 * and 双 (even) count for their own part of the list.
 */
const fromDescription = (description: string): string => {
  const mask = new Array<string>(weeks).fill('0');
  const ranges = collapse(description.slice(0, longestDescription))
    .replaceAll('第', '')
    .replace(/周? ?([-－–—~～至到]) ?/g, '$1');
  for (const part of ranges.split(/[,，、;；]/)) {
    for (const [, first, last] of part.matchAll(range)) {
      const to = Math.min(Number(last ?? first), weeks);
      for (let week = Math.max(Number(first), 1); week <= to; week += 1) {
        if (part.includes('单') && week % 2 === 0) continue;
        if (part.includes('双') && week % 2 === 1) continue;
        mask[week - 1] = '1';
      }
    }
  }
  return mask.join('');
};

/** 24 characters `0`/`1`, the first is week 1: the upstream's mask padded or cut, else what its description says. */
export const weekMask = (mask: string, description: string): string =>
  /^[01]+$/.test(mask) ? mask.slice(0, weeks).padEnd(weeks, '0') : fromDescription(description);

const two = (digits: string): string => digits.padStart(2, '0');

/** The spellings of the campus: `2026-01-09`, `2026/1/9`, `2026.1.9`, `2026年1月9日` and `20260109`. */
const spelling = /(?<!\d)(?:(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)|(\d{4})(\d{2})(\d{2})(?!\d))/g;

/** Every real date in a text, as `YYYY-MM-DD`, in order. */
export const datesIn = (text: string): string[] =>
  [...text.matchAll(spelling)].flatMap(([, y1, m1, d1, y2, m2, d2]) => {
    const date = `${y1 ?? y2}-${two(m1 ?? m2 ?? '')}-${two(d1 ?? d2 ?? '')}`;
    return dayNumber(date) === null ? [] : [date];
  });

/** The first date of a text as `YYYY-MM-DD`; the text itself where it holds none. */
export const isoDateOr = (text: string): string => datesIn(text)[0] ?? text;

/** One time of day, or a span of which only the beginning is taken: where one exam ends the next one may begin. */
const span = /(?<!\d)(\d{1,2})[:：](\d{2})(?!\d)(?:\s?[-~—–～至到]{1,2}\s?\d{1,2}[:：]\d{2}(?!\d))?/g;

/** When the things that a text speaks of begin, as `HH:MM`, in order. */
export const startTimesIn = (text: string): string[] =>
  [...text.matchAll(span)].map(([, hour, minute]) => `${two(hour ?? '')}:${minute}`);
