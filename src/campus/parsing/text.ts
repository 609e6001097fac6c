import { decodeHTML, decodeXML } from 'entities';

/** One blank for every run of white space (no-break space included), none at the ends. */
export const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Decodes HTML entities; tags are left as they are. */
export const decodeEntities = (text: string): string => (text.includes('&') ? decodeHTML(text) : text);

/**
 * Decodes `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` and numeric entities, once; all else stays, also an `&` by
 * itself: in data it is more likely meant literally.
 */
export const decodeEscapes = (text: string): string => decodeXML(text);

/** Text of an attribute or cell that may still hold entities: decoded, white space collapsed. */
export const clean = (value: unknown): string => (typeof value === 'string' ? collapse(decodeEntities(value)) : '');

/** The text between the first `from` and the next `to`; null where either is missing. */
export const between = (text: string, from: string, to: string): string | null => {
  const start = text.indexOf(from);
  if (start < 0) return null;
  const end = text.indexOf(to, start + from.length);
  return end < 0 ? null : text.slice(start + from.length, end);
};

/** A copy of the text: a slice of a page keeps the whole page in memory as long as it lives. */
export const detached = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** The text with as much of `more` behind it as fits. */
export const extended = (text: string, more: string, longest: number): string =>
  text + more.slice(0, Math.max(longest - text.length, 0));

const longestMessage = 200;

/** Reduces a message of an upstream for the student to plain text without tags, at most 200 characters. */
export const plainMessage = (value: unknown): string => {
  if (typeof value !== 'string') return '';
  // Also cut before the work: the message may be a whole stack trace.
  const text = clean(value.slice(0, 20 * longestMessage).replace(/<[^<>]*>/g, ' '));
  return Array.from(text).slice(0, longestMessage).join('').trim();
};
