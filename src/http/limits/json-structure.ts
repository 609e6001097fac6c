import { errorCodes, type FastifyError, type FastifyRequest } from 'fastify';

const usualStructure = 2_000;
/** Of a call with images: every member it can have, and every setting, are under 30. */
export const imageStructure = 200;
const mostText = 8_192;
/** Bytes outside texts: what makes a body large is texts, never blanks or digits. */
const mostOutside = 65_536;

const quoteByte = 0x22;
const backslash = 0x5c;

/** 0: nothing is counted. */
const telling = new Uint8Array(256);
for (const character of '{}[]:,"') telling[character.charCodeAt(0)] = 1;

/** Where the text that begins at `from` has its closing quote; the length when it has none. */
const endOfText = (bytes: Buffer, from: number): number => {
  const next = bytes.indexOf(quoteByte, from);
  if (next === -1) return bytes.length;
  // An image is one long text without escapes, and the search above is many times faster than the loop below.
  if (bytes[next - 1] !== backslash) return next;
  let at = from;
  while (at < bytes.length && bytes[at] !== quoteByte) at += bytes[at] === backslash ? 2 : 1;
  return at;
};

/**
 * Whether there are more than `most` of `{}[]:,` outside texts, or more bytes there than any body needs. Members and
 * nesting are what parsing costs (a third of a millisecond for a kilobyte of distinct names), so they are counted
 * first. Malformed JSON may pass: the parser gives up on it no later than the count did.
 */
export const exceedsStructure = (bytes: Buffer, most: number): boolean => {
  let found = 0;
  let texts = 0;
  let outsideEnds = mostOutside;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= outsideEnds) return true;
    if (telling[bytes[at] ?? 0] === 0) continue;
    if (bytes[at] === quoteByte) {
      texts += 1;
      // Two texts with nothing between them are no JSON.
      if (texts > found + 1) return false;
      const end = endOfText(bytes, at + 1);
      outsideEnds += end - at;
      at = end;
    } else {
      found += 1;
      if (found > most) return true;
    }
  }
  return false;
};

/** At most 8 KiB, with no more in it than beside images. */
export const isSmallJson = (text: string): boolean =>
  text.length <= mostText &&
  Buffer.byteLength(text) <= mostText &&
  !exceedsStructure(Buffer.from(text), imageStructure);

/** The framework's error for a body that is too large; null when it may be parsed. */
export const refuseStructure = (request: FastifyRequest, bytes: Buffer): FastifyError | null =>
  exceedsStructure(bytes, request.call.config.structureLimit ?? usualStructure)
    ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    : null;

declare module 'fastify' {
  interface FastifyContextConfig {
    structureLimit?: number;
  }
}
