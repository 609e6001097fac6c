import { ByteView, joined } from './byte-view.ts';
import type { ReadImage } from './image-types.ts';

const signatureSize = 8;
/** Length and name before the data of a chunk, and its checksum behind them. */
const [headSize, tailSize] = [8, 4];
const headerSize = 13;

/** Pixels, palette, transparency, colours, density and animation; texts, times and metadata are not among them. */
const wanted = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

/** Chunks whose first letter is a capital cannot be left out; one that no decoder knows makes the file unreadable. */
const isCritical = (name: string): boolean => /^[A-Z]/.test(name);

export const readPng = (bytes: Uint8Array): ReadImage | null => {
  const view = new ByteView(bytes);
  const kept = [view.slice(0, signatureSize)];
  if (view.u32(signatureSize) !== headerSize || view.name(signatureSize + 4, 4) !== 'IHDR') return null;
  const width = view.u32(signatureSize + headSize) ?? 0;
  const height = view.u32(signatureSize + headSize + 4) ?? 0;
  let hasPixels = false;
  for (let at = signatureSize; ; ) {
    const length = view.u32(at);
    const name = view.name(at + 4, 4);
    if (length === null || name === null) return null;
    const end = at + headSize + length + tailSize;
    if (end > bytes.length) return null;
    if (wanted.has(name)) kept.push(view.slice(at, end));
    else if (isCritical(name)) return null;
    // Of two headers nobody knows which one a decoder believes.
    if (name === 'IHDR' && at > signatureSize) return null;
    if (name === 'IDAT') hasPixels = true;
    if (name === 'IEND') break;
    at = end;
  }
  return hasPixels ? { width, height, clean: joined(kept) } : null;
};
