import { decodeHTML } from 'entities';
import { noteOddity } from './oddities.ts';

/** Stands for bytes that fit no charset: a cell with it has become its default. A noncharacter, which no page may hold. */
export const GARBLED = '\uFFFF';

/** Collapses each run of white space (no-break spaces included) to one blank and trims the ends. */
export const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Codes that `trim` may take away, and some that it leaves; none of them begins or ends the usual cell. */
const mayBeBlank = (code: number): boolean => code <= 0x20 || (code >= 0xa0 && code <= 0x3000) || code >= 0xfeff;

/** `trim`, at a third of its price for a text without blanks at its ends. */
export const trim = (text: string): string =>
  text !== '' && (mayBeBlank(text.charCodeAt(0)) || mayBeBlank(text.charCodeAt(text.length - 1))) ? text.trim() : text;

/** Decodes HTML entities; tags are left as they are. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text);

/** Decodes entities and collapses white space in the text of an attribute or cell. */
export const clean = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  if (!value.includes(GARBLED)) return collapse(decodeEntities(value));
  noteOddity('garbled');
  return '';
};

/** The text between the first `from` and the next `to`; null where either is missing. */
export const textBetween = (text: string, from: string, to: string): string | null => {
  const start = text.indexOf(from);
  if (start < 0) return null;
  const end = text.indexOf(to, start + from.length);
  return end < 0 ? null : text.slice(start + from.length, end);
};

/** Copies the text, because a slice of a page keeps the whole page in memory. */
export const detach = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** Appends as much of `more` as fits. */
export const extend = (text: string, more: string, longest: number): string =>
  text + more.slice(0, Math.max(longest - text.length, 0));

const longestMessage = 200;

/** Reduces an upstream's message for the student to plain text of at most 200 characters, without tags. */
export const plainMessage = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  // Cut first as well: the message may be a whole stack trace.
  const text = clean(value.slice(0, 20 * longestMessage).replace(/<[^<>]*>/g, ' '));
  return Array.from(text).slice(0, longestMessage).join('').trim();
};
