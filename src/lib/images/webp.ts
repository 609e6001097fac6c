import { ByteView, codesOf, KeptPieces } from './byte-view.ts';
import type { ReadImage } from './image-types.ts';

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

const sizeOfLossy = (view: ByteView, at: number): Size | null => {
  const [width, height] = [view.u16(at + 6, true), view.u16(at + 8, true)];
  if (view.u24le(at + 3) !== 0x2a019d || width === null || height === null) return null;
  return { width: width & 0x3fff, height: height & 0x3fff };
};

const sizeOfLossless = (view: ByteView, at: number): Size | null => {
  const bits = view.u32(at + 1, true);
  if (view.u8(at) !== 0x2f || bits === null) return null;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
};

const sizeOfCanvas = (view: ByteView, at: number): Size | null => {
  const [width, height] = [view.u24le(at + 4), view.u24le(at + 7)];
  return width === null || height === null ? null : { width: width + 1, height: height + 1 };
};

const sizeReaders: Readonly<Record<number, (view: ByteView, at: number) => Size | null>> = {
  [lossy]: sizeOfLossy,
  [lossless]: sizeOfLossless,
  [extended]: sizeOfCanvas,
};

const withoutMetadataFlags = (chunk: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(chunk.length + (chunk.length % 2));
  copy.set(chunk);
  copy[chunkHeadSize] = (copy[chunkHeadSize] ?? 0) & ~(exifFlag | xmpFlag);
  return copy;
};

const headOf = (contentSize: number): Uint8Array => {
  const head = new Uint8Array(headSize);
  const view = new DataView(head.buffer);
  head.set([0x52, 0x49, 0x46, 0x46], 0);
  view.setUint32(4, contentSize + 4, true);
  head.set([0x57, 0x45, 0x42, 0x50], 8);
  return head;
};

interface Chunk {
  /** Its four letters as a number. */
  readonly name: number;
  readonly at: number;
  readonly end: number;
}

/** The chunks between two places, the padding between them left out; null and nothing more for one that leads beyond. */
function* chunksOf(view: ByteView, from: number, last: number): Generator<Chunk | null> {
  for (let at = from; at + chunkHeadSize <= last; ) {
    const length = view.u32(at + 4, true) ?? 0;
    const end = at + chunkHeadSize + length;
    if (end > last) return yield null;
    yield { name: view.u32(at) ?? 0, at, end };
    at = end + (length % 2);
  }
}

/** With the padding behind it, which is written where the file has none. */
const keepPadded = (kept: KeptPieces, view: ByteView, { at, end }: Chunk): boolean => {
  if ((end - at) % 2 === 0) return kept.keep(at, end);
  return view.u8(end) === 0 ? kept.keep(at, end + 1) : kept.keep(at, end) && kept.write(Uint8Array.of(0));
};

const isPixels = (name: number): boolean => name === lossy || name === lossless;

const nothing: Size = { width: 0, height: 0 };
const larger = (a: Size, b: Size): Size => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height),
});

/** A frame of an animation is a container itself, which may hold metadata as well. */
const keepFrame = (kept: KeptPieces, view: ByteView, { at, end }: Chunk): Size | null => {
  const from = at + chunkHeadSize + frameHeadSize;
  if (from > end) return null;
  const head = Uint8Array.from(view.slice(at, from));
  const before = kept.size;
  if (!kept.write(head)) return null;
  let size = nothing;
  for (const chunk of chunksOf(view, from, end)) {
    if (chunk === null) return null;
    if (!wantedInFrames.has(chunk.name)) continue;
    if (!keepPadded(kept, view, chunk)) return null;
    const pixels = isPixels(chunk.name) ? sizeOfChunk(view, chunk) : nothing;
    if (pixels === null) return null;
    size = larger(size, pixels);
  }
  new DataView(head.buffer).setUint32(4, kept.size - before - chunkHeadSize, true);
  return size;
};

const sizeOfChunk = (view: ByteView, { name, at }: Chunk): Size | null =>
  sizeReaders[name]?.(view, at + chunkHeadSize) ?? null;

/**
 * Leaves out bytes behind the stated end of the container, and every chunk that is not needed to show it. The
 * size covers the pixels of every frame, also those beyond the stated canvas.
 */
export const readWebp = (bytes: Uint8Array): ReadImage | null => {
  const view = new ByteView(bytes);
  const stated = view.u32(4, true);
  if (stated === null || stated + 8 > bytes.length) return null;
  const kept = new KeptPieces(bytes);
  let size: Size | null = null;
  let hasPixels = false;
  for (const chunk of chunksOf(view, headSize, stated + 8)) {
    if (chunk === null) return null;
    const { name, at, end } = chunk;
    // The first chunk says what follows; nothing else may come before it.
    const own = size === null || isPixels(name) ? sizeOfChunk(view, chunk) : nothing;
    const frame = name === animated ? keepFrame(kept, view, chunk) : nothing;
    if (own === null || frame === null) return null;
    size = larger(size ?? nothing, larger(own, frame));
    hasPixels ||= isPixels(name) || frame.width > 0;
    if (!wanted.has(name) || name === animated) continue;
    const isKept =
      name === extended ? kept.write(withoutMetadataFlags(view.slice(at, end))) : keepPadded(kept, view, chunk);
    if (!isKept) return null;
  }
  if (size === null || !hasPixels) return null;
  return { ...size, clean: Buffer.concat([headOf(kept.size), ...kept.all()]) };
};
