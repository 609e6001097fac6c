import { GARBLED } from '../parsing/text.ts';

/**
 * Bytes to text. Servers of a campus name a charset that their pages are not in, so each candidate has to fit every byte,
 * and a page that fits none is refused: a name of the wrong characters would be told as the student's.
 */

/** With more places than this the page is not text of that charset at all. */
const mostPlaces = 3;

// The blanks are counted, because two unbounded runs side by side would be quadratic.
const charset = /charset\s{0,8}=\s{0,8}["']?\s{0,8}([A-Za-z0-9_-]{1,40})/i;
const metaCharset = new RegExp(`<meta[^>]{0,200}${charset.source}`, 'i');

/** Servers send these by default, and every text fits them: they claim nothing. */
const singleByte = /^(?:windows-|iso-8859-|koi8|macintosh|ibm866|x-mac|x-user)/;

/** The name by which decoders call a charset; null where they know none of that name. */
const knownName = (label: string | undefined): string | null => {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
};

const decodeStrictly = (bytes: Uint8Array, name: string): string | null => {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13);

/** What a byte order mark says, which servers write behind blanks too, and the text behind it. */
const behindMark = (bytes: Uint8Array): { readonly marked: string | null; readonly body: Uint8Array } => {
  let at = 0;
  while (isBlank(bytes[at])) at += 1;
  const [first, second, third] = bytes.subarray(at, at + 3);
  if (first === 0xef && second === 0xbb && third === 0xbf) return { marked: 'utf-8', body: bytes.subarray(at + 3) };
  if (first === 0xff && second === 0xfe) return { marked: 'utf-16le', body: bytes.subarray(at + 2) };
  if (first === 0xfe && second === 0xff) return { marked: 'utf-16be', body: bytes.subarray(at + 2) };
  return { marked: null, body: bytes };
};

/** The second bytes behind these leads are fewer. */
const secondBytes: Readonly<Record<number, readonly [least: number, most: number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

/** Length of the UTF-8 sequence at `at`; 0 for none. */
const sequenceAt = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] ?? 0;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  // Longer than need be, a surrogate, or beyond the last character.
  const [least, most] = secondBytes[lead] ?? [0x80, 0xbf];
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > most) return 0;
  return length;
};

interface Beyond {
  /** Bytes that are not ASCII. */
  readonly bytes: number;
  /** Those in valid sequences of UTF-8, and in ones of three bytes or more. */
  readonly valid: number;
  readonly long: number;
}

const beyondAscii = (bytes: Uint8Array): Beyond => {
  const found = { bytes: 0, valid: 0, long: 0 };
  for (let at = 0; at < bytes.length; ) {
    if ((bytes[at] ?? 0) < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceAt(bytes, at);
    found.bytes += Math.max(length, 1);
    found.valid += length;
    if (length > 2) found.long += length;
    at += Math.max(length, 1);
  }
  return found;
};

/** U+FFFD of the campus, which no other bytes of UTF-8 contain. */
const ownReplacement = Buffer.from('\uFFFD');

/** The text with `GARBLED` for every place that does not fit. */
const decodeLoosely = (bytes: Uint8Array, name: string): string => {
  const decode = (part: Uint8Array): string => new TextDecoder(name).decode(part).replace(/\uFFFD+/g, GARBLED);
  if (name !== 'utf-8') return decode(bytes);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  let from = 0;
  for (let at = whole.indexOf(ownReplacement); at >= 0; at = whole.indexOf(ownReplacement, from)) {
    parts.push(decode(whole.subarray(from, at)));
    from = at + ownReplacement.length;
  }
  return [...parts, decode(whole.subarray(from))].join('\uFFFD');
};

/** A sequence of three bytes or more, which hardly stands in another charset by accident. */
const threeBytes = /[\u0800-\uFFFF]/;

const textIn = (bytes: Uint8Array, contentType: string | undefined): string | null => {
  const { marked, body } = behindMark(bytes);
  const meta = metaCharset.exec(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'))?.[1];
  const claims = [charset.exec(contentType ?? '')?.[1], meta].map(knownName).filter((name) => name !== null);
  const named = claims.filter((name) => !singleByte.test(name));
  const asUtf8 = decodeStrictly(body, 'utf-8');
  const marking = marked === null ? null : decodeStrictly(body, marked);
  if (marking !== null) return marking;
  if (asUtf8 !== null && (threeBytes.test(asUtf8) || named.every((name) => name === 'utf-8'))) return asUtf8;
  const beyond = beyondAscii(body);
  // Damaged UTF-8 may fit the charset that is named in its place, as other characters.
  const isOtherwise = beyond.long * 2 > beyond.bytes;
  for (const name of named) {
    const text = isOtherwise && name !== 'utf-8' ? null : decodeStrictly(body, name);
    if (text !== null) return text;
  }
  if (asUtf8 !== null) return asUtf8;
  // Here no named charset has fitted. GB18030 fits much of what is damaged UTF-8.
  const asChinese = beyond.valid * 2 > beyond.bytes ? null : decodeStrictly(body, 'gb18030');
  if (asChinese !== null) return asChinese;
  const name = named[0] ?? 'utf-8';
  if (isOtherwise && name !== 'utf-8') return null;
  const text = decodeLoosely(body, name);
  return text.split(GARBLED).length - 1 <= mostPlaces ? text : null;
};

/** Servers written in C send the end of their texts. */
const withoutEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end).trim();
};

/**
 * Decodes a body, without the white space at its ends. It strictly tries what the byte order mark says, then UTF-8 where
 * it shows itself or nothing else is named, then the charsets of the header and of a `meta` near the beginning, and at last
 * UTF-8 and GB18030. Up to three places that do not fit become `GARBLED`. Null: the bytes are text of no charset.
 */
export const decodeBody = (bytes: Uint8Array, contentType: string | undefined): string | null => {
  const text = textIn(bytes, contentType);
  // The byte order mark counts as white space.
  return text === null ? null : withoutEnd(text);
};
