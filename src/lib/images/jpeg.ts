import type { ReadImage } from './image-types.ts';
import { hasName, KeptPieces, keepSegments, type Segment } from './kept-pieces.ts';

const orientationTag = 0x0112;
const shortType = 3;
const entrySize = 12;
const mostEntries = 512;

/** The orientation (1–8) that a TIFF block states in its first directory; null when it states none. */
export const orientationOf = (tiff: Buffer): number | null => {
  const isLittle = hasName(tiff, 0, 'II*\0');
  if (tiff.length < 8 || !(isLittle || hasName(tiff, 0, 'MM\0*'))) return null;
  const u16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  // A directory that leads beyond the block is read as far as the block goes.
  const last = tiff.length - entrySize;
  if (directory > last) return null;
  for (let index = 0; index < Math.min(u16(directory), mostEntries); index += 1) {
    const at = directory + 2 + index * entrySize;
    if (at > last) return null;
    if (u16(at) !== orientationTag) continue;
    const value = u16(at + 2) === shortType ? u16(at + 8) : 0;
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
};

/** A whole JPEG metadata segment that says nothing but the orientation. */
export const orientationSegment = (orientation: number): Uint8Array =>
  Uint8Array.from([
    ...[0xff, 0xe1, 0x00, 0x22],
    ...[0x45, 0x78, 0x69, 0x66, 0x00, 0x00], // Exif
    ...[0x4d, 0x4d, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x08], // TIFF, big-endian, directory at 8
    ...[0x00, 0x01], // one entry
    ...[0x01, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, orientation, 0x00, 0x00],
    ...[0x00, 0x00, 0x00, 0x00], // no further directory
  ]);

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Markers that stand alone, without a length: restarts and one that means nothing. */
const standsAlone = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Frames, scans and their tables; not application data, comments and extensions. */
const isCoding = (marker: number): boolean => marker >= 0xc0 && marker <= 0xdf;

/**
 * Application segments for density, colour profile and colour transform. `size` is what such a segment holds behind its
 * name; the first may carry a preview behind that, and either may carry anything.
 */
const wantedApplications: Readonly<Record<number, { readonly name: string; readonly size?: number }>> = {
  224: { name: 'JFIF\0', size: 9 },
  226: { name: 'ICC_PROFILE\0' },
  238: { name: 'Adobe', size: 7 },
};
const jfif = 0xe0;

const keep = (bytes: Buffer, at: number, end: number): Segment['kept'] => {
  const marker = bytes.readUInt8(at + 1);
  if (isCoding(marker)) return 'all';
  const wanted = wantedApplications[marker];
  if (wanted === undefined || !hasName(bytes, at + 4, wanted.name)) return 'none';
  if (wanted.size === undefined) return 'all';
  const size = 4 + wanted.name.length + wanted.size;
  if (end - at < size) return 'none';
  const cut = Buffer.from(bytes.subarray(at, at + size));
  cut.writeUInt16BE(size - 2, 2);
  // The last two bytes say how large the preview is.
  if (marker === jfif) cut.writeUInt16BE(0, size - 2);
  return cut;
};

const exifName = 'Exif\0\0';

/** Where the next marker after coded pixels begins; coded pixels write a data byte FF as `FF 00`. */
const endOfScanData = (bytes: Buffer, from: number): number => {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0x00 && next !== 0xff && !standsAlone(next)) return at;
  }
  return bytes.length;
};

/**
 * A photograph is often stored on its side, with a note how to turn it. Of all metadata only that note is written
 * again; the rest of application segments and comments goes, and so does what cameras append behind the picture
 * (previews, short films). Every decoder shows a picture without its end marker, so it is taken.
 */
export const readJpeg = (bytes: Buffer): ReadImage | null => {
  const kept = new KeptPieces(bytes);
  /** The segment that says JFIF belongs directly behind the start, in front of the note how to turn. */
  const head: Uint8Array[] = [bytes.subarray(0, 2)];
  let [width, height] = [0, 0];
  /** Pixels have come, up to the end marker or to the end of the file. */
  let isWhole = false;
  let hasPixels = false;
  /** Null: not stated; undefined: not looked for yet. */
  let orientation: number | null | undefined;

  const note = (marker: number, at: number, end: number): void => {
    if (isFrame(marker)) {
      height = Math.max(height, bytes.readUInt16BE(at + 5));
      width = Math.max(width, bytes.readUInt16BE(at + 7));
    }
    if (marker === 0xe1 && orientation === undefined && hasName(bytes, at + 4, exifName)) {
      orientation = orientationOf(bytes.subarray(at + 4 + exifName.length, end));
    }
  };
  const segmentAt = (place: number): Segment | null => {
    let at = place;
    if (bytes[at] !== 0xff) return null;
    while (bytes[at + 1] === 0xff) at += 1;
    // Filling bytes are left out: the segment is looked at again without them.
    if (at > place) return { end: at, kept: 'none' };
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0x00 || marker === startOfImage) return null;
    if (marker === endOfImage) {
      isWhole = hasPixels;
      return { end: at + 2, kept: 'all', isLast: true };
    }
    if (standsAlone(marker)) return { end: at + 2, kept: 'none' };
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    note(marker, at, end);
    if (marker === startOfScan) {
      hasPixels = true;
      const next = endOfScanData(bytes, end);
      isWhole = next === bytes.length;
      return { end: next, kept: 'all' };
    }
    const keeps = keep(bytes, at, end);
    const isHead = marker === jfif && typeof keeps !== 'string' && kept.size === 0 && head.length === 1;
    if (isHead) head.push(keeps);
    return { end, kept: isHead ? 'none' : keeps };
  };

  if (!keepSegments(kept, 2, bytes.length, segmentAt) || !isWhole) return null;
  const turn = orientation && orientation > 1 ? [orientationSegment(orientation)] : [];
  return { width, height, clean: Buffer.concat([...head, ...turn, ...kept.all()]) };
};
