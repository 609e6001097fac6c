import { ByteView, joined } from './byte-view.ts';
import type { ReadImage } from './image-types.ts';

const headSize = 12;
const chunkHeadSize = 8;
const exifFlag = 0x08;
const xmpFlag = 0x04;

/** Pixels, transparency, animation and colour profile. */
const wanted = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

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

const sizeReaders: Readonly<Record<string, (view: ByteView, at: number) => Size | null>> = {
  'VP8 ': sizeOfLossy,
  VP8L: sizeOfLossless,
  VP8X: sizeOfCanvas,
};

const withoutMetadataFlags = (chunk: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(chunk);
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

/** What lies behind the stated end of the container is left out, like every chunk that is not needed to show it. */
export const readWebp = (bytes: Uint8Array): ReadImage | null => {
  const view = new ByteView(bytes);
  const stated = view.u32(4, true);
  if (stated === null || stated + 8 > bytes.length) return null;
  const last = stated + 8;
  const kept: Uint8Array[] = [];
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = headSize; at + chunkHeadSize <= last; ) {
    const name = view.name(at, 4) ?? '';
    const length = view.u32(at + 4, true) ?? 0;
    const end = at + chunkHeadSize + length;
    if (end > last) return null;
    if (size === null) {
      size = sizeReaders[name]?.(view, at + chunkHeadSize) ?? null;
      // The first chunk says what follows; nothing else may come before it.
      if (size === null) return null;
    }
    if (name === 'VP8 ' || name === 'VP8L' || name === 'ANMF') hasPixels = true;
    if (wanted.has(name)) {
      const chunk = view.slice(at, end);
      kept.push(name === 'VP8X' ? withoutMetadataFlags(chunk) : chunk);
      if (length % 2 === 1) kept.push(Uint8Array.of(0));
    }
    at = end + (length % 2);
  }
  if (size === null || !hasPixels) return null;
  const content = joined(kept);
  return { ...size, clean: joined([headOf(content.length), content]) };
};
