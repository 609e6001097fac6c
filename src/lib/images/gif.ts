import { ByteView, KeptPieces, keepSegments, type Segment } from './byte-view.ts';
import type { ReadImage } from './image-types.ts';

const extension = 0x21;
const frame = 0x2c;
const trailer = 0x3b;
const graphicControl = 0xf9;
const plainText = 0x01;
const application = 0xff;

/** Applications that decide how the pixels look: how often to repeat, and the colour profile. */
const wantedApplications = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];

const colourTableSize = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Where the blocks that begin at `at`, each with its length in front, have ended; null when the file ends before. */
const endOfBlocks = (view: ByteView, at: number): number | null => {
  for (let next = at; ; ) {
    const size = view.u8(next);
    if (size === null) return null;
    next += 1 + size;
    if (size === 0) return next;
  }
};

const isWanted = (view: ByteView, at: number): boolean => {
  const label = view.u8(at + 1);
  if (label === graphicControl || label === plainText) return true;
  return label === application && wantedApplications.some((name) => view.hasName(at + 3, name));
};

/** Comments and foreign application data are left out. The size covers every frame, also one beyond the screen. */
export const readGif = (bytes: Uint8Array): ReadImage | null => {
  const view = new ByteView(bytes);
  const flags = view.u8(10);
  let width = view.u16(6, true) ?? 0;
  let height = view.u16(8, true) ?? 0;
  if (flags === null || width === 0 || height === 0) return null;
  let frames = 0;

  const frameAt = (at: number): Segment | null => {
    const frameFlags = view.u8(at + 9);
    if (frameFlags === null) return null;
    width = Math.max(width, (view.u16(at + 1, true) ?? 0) + (view.u16(at + 5, true) ?? 0));
    height = Math.max(height, (view.u16(at + 3, true) ?? 0) + (view.u16(at + 7, true) ?? 0));
    frames += 1;
    const end = endOfBlocks(view, at + 10 + colourTableSize(frameFlags) + 1);
    return end === null ? null : { end, kept: 'all' };
  };
  const segmentAt = (at: number): Segment | null => {
    const kind = view.u8(at);
    if (kind === trailer) return { end: at + 1, kept: 'none', isLast: true };
    if (kind === frame) return frameAt(at);
    const end = kind === extension ? endOfBlocks(view, at + 2) : null;
    return end === null ? null : { end, kept: isWanted(view, at) ? 'all' : 'none' };
  };

  const begin = 13 + colourTableSize(flags);
  const kept = new KeptPieces(bytes);
  kept.keep(0, Math.min(begin, bytes.length));
  if (!keepSegments(kept, begin, bytes.length, segmentAt) || frames === 0) return null;
  return { width, height, clean: Buffer.concat([...kept.all(), Uint8Array.of(trailer)]) };
};
