import { promisify } from 'node:util';
import { crc32, type InputType, inflateRaw, unzip, type ZlibOptions } from 'node:zlib';
import { errorCodeOf } from '../../lib/text.ts';

/** Thrown by zlib as well. */
export const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

export class TooLarge extends Error {
  readonly code = TOO_LARGE;
}

const packed: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate']);
/** We ask for none of these. */
const refused: ReadonlySet<string> = new Set(['br', 'zstd', 'compress', 'x-compress']);

const beginsGzip = (raw: Uint8Array): boolean => raw[0] === 0x1f && raw[1] === 0x8b;
const beginsZlib = (raw: Uint8Array): boolean =>
  raw[0] === 0x78 && ((raw[0] << 8) | (raw[1] ?? 0)) % 31 === 0 && raw[1] !== undefined;

/** Index of the byte behind a text that ends with zero. */
const behindZero = (raw: Buffer, at: number): number => {
  const zero = raw.indexOf(0, at);
  if (zero < 0) throw new Error('gzip header is cut');
  return zero + 1;
};

/** Index at which the compressed data of a gzip member begins (RFC 1952). */
const dataOf = (member: Buffer): number => {
  const flags = member[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + member.readUInt16LE(at);
  if (flags & 8) at = behindZero(member, at);
  if (flags & 16) at = behindZero(member, at);
  return flags & 2 ? at + 2 : at;
};

type WithInfo = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

/** Tells how many bytes were used: the data ends before the bytes do. */
const inflateWithInfo = (raw: InputType, options: ZlibOptions): Promise<WithInfo> =>
  new Promise((resolve, reject) => {
    inflateRaw(raw, { ...options, info: true }, (error, result) => {
      // With `info` it is this object, which its types do not say.
      if (error) reject(error);
      else resolve(result as unknown as WithInfo);
    });
  });

/** Each costs a turn of its own, and tens of thousands of empty ones fit into one answer. */
const mostMembers = 100;

/** Whole gzip members one after the other. What begins no further member is left out. */
const unzipMembers = async (raw: Buffer, ceiling: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  let rest = raw;
  while (beginsGzip(rest)) {
    if (parts.length === mostMembers) throw new Error('too many gzip members');
    const data = rest.subarray(dataOf(rest));
    const { buffer, engine } = await inflateWithInfo(data, { maxOutputLength: Math.max(ceiling - size, 1) });
    const trailer = data.subarray(engine.bytesWritten, engine.bytesWritten + 8);
    if (trailer.length < 8 || trailer.readUInt32LE(0) !== crc32(buffer)) throw new Error('gzip member is damaged');
    size += buffer.length;
    if (size > ceiling) throw new TooLarge();
    parts.push(buffer);
    rest = data.subarray(engine.bytesWritten + 8);
  }
  return Buffer.concat(parts, size);
};

const inflate = async (raw: Buffer, maxOutputLength: number): Promise<Buffer> => {
  try {
    return await promisify(unzip)(raw, { maxOutputLength });
  } catch (error) {
    // Old servers send line ends behind a member, of which one alone looks like a cut one, and deflate without its frame.
    const code = errorCodeOf(error);
    if (beginsGzip(raw) && (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR'))
      return unzipMembers(raw, maxOutputLength);
    if (code !== 'Z_DATA_ERROR') throw error;
    return promisify(inflateRaw)(raw, { maxOutputLength });
  }
};

/**
 * Undoes the content coding. Servers name words here that are none, such as a charset: such a body is as it is, unless it
 * begins like a packed one.
 * @throws Error for codings that we did not ask for, and for a body that is cut or damaged
 */
export const unpack = async (raw: Buffer, encoding: string, ceiling: number): Promise<Buffer> => {
  const words = encoding
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'identity');
  if (words.some((word) => refused.has(word))) throw new Error('content coding that we do not ask for');
  const codings = words.filter((word) => packed.has(word));
  if (codings.length > 1) throw new Error('content packed twice');
  if (words.length === 0 || raw.length === 0) return raw;
  const isPacked = codings.length === 1 || beginsGzip(raw) || beginsZlib(raw);
  return isPacked ? inflate(raw, ceiling) : raw;
};
