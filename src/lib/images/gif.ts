import type { ReadImage } from './image-types.ts';
import { hasName, KeptPieces, keepSegments, type Segment } from './kept-pieces.ts';

const extension = 0x21;
const frame = 0x2c;
const trailer = 0x3b;
const graphicControl = 0xf9;
const plainText = 0x01;
const applicationExtension = 0xff;

/** Applications that decide how the pixels look: how often to repeat, and the colour profile. */
const wantedApplications = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];

const colourTableSize = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Where the blocks that begin at `at`, each with its length in front, have ended. */
const endOfBlocks = (bytes: Buffer, at: number): number => {
  for (let next = at; ; ) {
    const size = bytes.readUInt8(next);
    next += 1 + size;
    if (size === 0) return next;
  }
};

const isWantedExtension = (bytes: Buffer, at: number): boolean => {
  const label = bytes[at + 1];
  if (label === graphicControl || label === plainText) return true;
  return label === applicationExtension && wantedApplications.some((name) => hasName(bytes, at + 3, name));
};

/** Comments and foreign application data are left out. The size covers every frame, also one beyond the screen. */
export const readGif = (bytes: Buffer): ReadImage | null => {
  let width = bytes.readUInt16LE(6);
  let height = bytes.readUInt16LE(8);
  if (width === 0 || height === 0) return null;
  let frames = 0;

  const frameAt = (at: number): Segment => {
    width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
    height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
    frames += 1;
    const end = endOfBlocks(bytes, at + 10 + colourTableSize(bytes.readUInt8(at + 9)) + 1);
    return { end, kept: 'all' };
  };
  const segmentAt = (at: number): Segment | null => {
    const kind = bytes[at];
    if (kind === trailer) return { end: at + 1, kept: 'none', isLast: true };
    if (kind === frame) return frameAt(at);
    if (kind !== extension) return null;
    return { end: endOfBlocks(bytes, at + 2), kept: isWantedExtension(bytes, at) ? 'all' : 'none' };
  };

  const begin = 13 + colourTableSize(bytes.readUInt8(10));
  const kept = new KeptPieces(bytes);
  kept.keep(0, Math.min(begin, bytes.length));
  if (!keepSegments(kept, begin, bytes.length, segmentAt) || frames === 0) return null;
  return { width, height, clean: Buffer.concat([...kept.all(), Uint8Array.of(trailer)]) };
};
