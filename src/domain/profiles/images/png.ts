import { ByteView, codesOf, joined, KeptPieces } from './byte-view.ts';
import type { ReadImage } from './image-types.ts';

const signatureSize = 8;
/** Length and name before the data of a chunk, and its checksum behind them. */
const [headSize, tailSize] = [8, 4];
const headerSize = 13;

/** Pixels, palette, transparency, colours, density and animation; texts, times and metadata are not among them. */
const wanted = codesOf(
  'IHDR|PLTE|IDAT|IEND|tRNS|cHRM|gAMA|iCCP|sBIT|sRGB|cICP|mDCV|cLLI|bKGD|hIST|pHYs|sPLT|acTL|fcTL|fdAT',
);

const [header, pixels, theEnd] = codesOf('IHDR|IDAT|IEND');

/** Chunks whose first letter is a capital cannot be left out; one that no decoder knows makes the file unreadable. */
const isCritical = (first: number): boolean => first >= 0x41 && first <= 0x5a;

export const readPng = (bytes: Uint8Array): ReadImage | null => {
  const view = new ByteView(bytes);
  const kept = new KeptPieces(bytes);
  kept.keep(0, signatureSize);
  if (view.u32(signatureSize) !== headerSize || !view.hasName(signatureSize + 4, 'IHDR')) return null;
  const width = view.u32(signatureSize + headSize) ?? 0;
  const height = view.u32(signatureSize + headSize + 4) ?? 0;
  let hasPixels = false;
  for (let at = signatureSize; ; ) {
    const length = view.u32(at);
    const name = view.u32(at + 4);
    if (length === null || name === null) return null;
    const end = at + headSize + length + tailSize;
    if (end > bytes.length) return null;
    if (wanted.has(name)) {
      if (!kept.keep(at, end)) return null;
    } else if (isCritical(name >>> 24)) return null;
    // Which of two headers a decoder believes is unknown.
    if (name === header && at > signatureSize) return null;
    if (name === pixels) hasPixels = true;
    if (name === theEnd) break;
    at = end;
  }
  return hasPixels ? { width, height, clean: joined(kept.all()) } : null;
};
