import { Failure } from '../errors.ts';

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of an image sent as text: padded base64 in the standard alphabet, alone or in a data URI, whose type is not
 * believed. Line breaks and blanks are left out, since common encoders write lines of 76 characters.
 * @throws Failure `image-unsupported` for anything else, the empty image included
 */
export const decodeImageText = (text: string): Uint8Array => {
  const isUri = /^\s*data:/i.test(text);
  const comma = isUri ? text.indexOf(',') : -1;
  if (isUri && comma < 0) throw new Failure('image-unsupported');
  const base64 = text.slice(comma + 1).replaceAll(/[\t\n\f\r ]+/g, '');
  if (base64 === '' || base64.length % 4 !== 0 || !alphabet.test(base64)) throw new Failure('image-unsupported');
  return Buffer.from(base64, 'base64');
};

export const dataUri = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;

/** A text that every database keeps as it is: half characters and NUL become the replacement character. */
export const asPlainText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** A character outside the basic plane counts once. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || Array.from(text).length > most);
