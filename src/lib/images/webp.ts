import type { ReadImage } from './image-types.ts';
import { codesOf, KeptPieces } from './kept-pieces.ts';

const headSize = 12;
const chunkHeadSize = 8;
const exifFlag = 0x08;
const xmpFlag = 0x04;

/** Pixels, transparency, animation and colour profile. */
const wanted = codesOf('VP8 |VP8L|VP8X|ALPH|ANIM|ANMF|ICCP');
const wantedInFrames = codesOf('VP8 |VP8L|ALPH');
const [lossy = 0, lossless = 0, extended = 0, animated = 0] = codesOf('VP8 |VP8L|VP8X|ANMF');
/** Place, size, duration and blending, in front of the chunks of a frame. */
const frameHeadSize = 16;

interface Size {
  readonly width: number;
  readonly height: number;
}

const sizeOfLossy = (bytes: Buffer, at: number): Size | null => {
  if (bytes.readUIntLE(at + 3, 3) !== 0x2a019d) return null;
  return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff };
};

const sizeOfLossless = (bytes: Buffer, at: number): Size | null => {
  if (bytes[at] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(at + 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
};

const sizeOfCanvas = (bytes: Buffer, at: number): Size => ({
  width: bytes.readUIntLE(at + 4, 3) + 1,
  height: bytes.readUIntLE(at + 7, 3) + 1,
});

const sizeReaders: Readonly<Record<number, (bytes: Buffer, at: number) => Size | null>> = {
  [lossy]: sizeOfLossy,
  [lossless]: sizeOfLossless,
  [extended]: sizeOfCanvas,
};

const withoutMetadataFlags = (chunk: Buffer): Buffer => {
  const copy = Buffer.alloc(chunk.length + (chunk.length % 2));
  copy.set(chunk);
  copy[chunkHeadSize] = (copy[chunkHeadSize] ?? 0) & ~(exifFlag | xmpFlag);
  return copy;
};

const headOf = (contentSize: number): Buffer => {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(contentSize + 4, 4);
  return head;
};

interface Chunk {
  readonly name: number;
  readonly at: number;
  readonly end: number;
}

/** The chunks between two places, the padding between them left out; null and nothing more for one that leads beyond. */
function* chunksOf(bytes: Buffer, from: number, last: number): Generator<Chunk | null> {
  for (let at = from; at + chunkHeadSize <= last; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + chunkHeadSize + length;
    if (end > last) return yield null;
    yield { name: bytes.readUInt32BE(at), at, end };
    at = end + (length % 2);
  }
}

/** With the padding behind it, which is written where the file has none. */
const keepPadded = (kept: KeptPieces, bytes: Buffer, { at, end }: Chunk): boolean => {
  if ((end - at) % 2 === 0) return kept.keep(at, end);
  return bytes[end] === 0 ? kept.keep(at, end + 1) : kept.keep(at, end) && kept.write(Uint8Array.of(0));
};

const isPixels = (name: number): boolean => name === lossy || name === lossless;

const nothing: Size = { width: 0, height: 0 };
const largerOf = (a: Size, b: Size): Size => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height),
});

/** A frame of an animation is a container itself, which may hold metadata as well. */
const keepFrame = (kept: KeptPieces, bytes: Buffer, { at, end }: Chunk): Size | null => {
  const from = at + chunkHeadSize + frameHeadSize;
  if (from > end) return null;
  const head = Buffer.from(bytes.subarray(at, from));
  const before = kept.size;
  if (!kept.write(head)) return null;
  let size = nothing;
  for (const chunk of chunksOf(bytes, from, end)) {
    if (chunk === null) return null;
    if (!wantedInFrames.has(chunk.name)) continue;
    if (!keepPadded(kept, bytes, chunk)) return null;
    const pixels = isPixels(chunk.name) ? sizeOfChunk(bytes, chunk) : nothing;
    if (pixels === null) return null;
    size = largerOf(size, pixels);
  }
  head.writeUInt32LE(kept.size - before - chunkHeadSize, 4);
  return size;
};

const sizeOfChunk = (bytes: Buffer, { name, at }: Chunk): Size | null =>
  sizeReaders[name]?.(bytes, at + chunkHeadSize) ?? null;

/**
 * Leaves out what is not needed to show the picture, also behind its stated end. The size covers the pixels of every
 * frame, also those beyond the stated canvas.
 */
export const readWebp = (bytes: Buffer): ReadImage | null => {
  const stated = bytes.readUInt32LE(4);
  if (stated + 8 > bytes.length) return null;
  const kept = new KeptPieces(bytes);
  let size: Size | null = null;
  let hasPixels = false;
  for (const chunk of chunksOf(bytes, headSize, stated + 8)) {
    if (chunk === null) return null;
    const { name, at, end } = chunk;
    // The first chunk says what follows; nothing else may come before it.
    const own = size === null || isPixels(name) ? sizeOfChunk(bytes, chunk) : nothing;
    const frame = name === animated ? keepFrame(kept, bytes, chunk) : nothing;
    if (own === null || frame === null) return null;
    size = largerOf(size ?? nothing, largerOf(own, frame));
    hasPixels ||= isPixels(name) || frame.width > 0;
    if (!wanted.has(name) || name === animated) continue;
    const isKept =
      name === extended ? kept.write(withoutMetadataFlags(bytes.subarray(at, end))) : keepPadded(kept, bytes, chunk);
    if (!isKept) return null;
  }
  if (size === null || !hasPixels) return null;
  return { ...size, clean: Buffer.concat([headOf(kept.size), ...kept.all()]) };
};
