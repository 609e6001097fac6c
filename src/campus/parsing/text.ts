import { decodeHTML, decodeXML } from 'entities';

/** Collapses each run of white space (no-break spaces included) to one blank and trims the ends. */
export const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Decodes HTML entities; tags are left as they are. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text);

/**
 * Decodes `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` and numeric entities, once. Everything else stays, including a
 * bare `&`: data more likely means it literally.
 */
export const decodeEscapes = (text: string): string => decodeXML(text);

/** Decodes entities and collapses white space in the text of an attribute or cell. */
export const clean = (value: unknown): string => (typeof value === 'string' ? collapse(decodeEntities(value)) : '');

/** The text between the first `from` and the next `to`; null where either is missing. */
export const between = (text: string, from: string, to: string): string | null => {
  const start = text.indexOf(from);
  if (start < 0) return null;
  const end = text.indexOf(to, start + from.length);
  return end < 0 ? null : text.slice(start + from.length, end);
};

/** Copies the text, because a slice of a page keeps the whole page in memory. */
export const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** Appends as much of `more` as fits. */
export const extended = (text: string, more: string, longest: number): string =>
  text + more.slice(0, Math.max(longest - text.length, 0));

const longestMessage = 200;

/** Reduces an upstream's message for the student to plain text of at most 200 characters, without tags. */
export const plainMessage = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  // Cut first as well: the message may be a whole stack trace.
  const text = clean(value.slice(0, 20 * longestMessage).replace(/<[^<>]*>/g, ' '));
  return Array.from(text).slice(0, longestMessage).join('').trim();
};
