import type { ReadImage } from './image-types.ts';
import { codesOf, hasName, KeptPieces, keepSegments, type Segment } from './kept-pieces.ts';

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

export const readPng = (bytes: Buffer): ReadImage | null => {
  if (bytes.readUInt32BE(signatureSize) !== headerSize || !hasName(bytes, signatureSize + 4, 'IHDR')) return null;
  let [hasPixels, isWhole] = [false, false];

  const chunkAt = (at: number): Segment | null => {
    const name = bytes.readUInt32BE(at + 4);
    const isWanted = wanted.has(name);
    if (!isWanted && isCritical(name >>> 24)) return null;
    // Which of two headers a decoder believes is unknown.
    if (name === header && at > signatureSize) return null;
    hasPixels ||= name === pixels;
    isWhole = name === theEnd;
    const end = at + headSize + bytes.readUInt32BE(at) + tailSize;
    return { end, kept: isWanted ? 'all' : 'none', isLast: isWhole };
  };

  const kept = new KeptPieces(bytes);
  kept.keep(0, signatureSize);
  if (!keepSegments(kept, signatureSize, bytes.length, chunkAt) || !hasPixels || !isWhole) return null;
  const at = signatureSize + headSize;
  return { width: bytes.readUInt32BE(at), height: bytes.readUInt32BE(at + 4), clean: Buffer.concat(kept.all()) };
};
