import { ByteView, joined, KeptPieces } from './byte-view.ts';
import type { ReadImage } from './image-types.ts';

const orientationTag = 0x0112;
const shortType = 3;
const entrySize = 12;
const mostEntries = 512;

/** The orientation (1–8) that a TIFF block states in its first directory; null when it states none. */
export const orientationOf = (tiff: Uint8Array): number | null => {
  const view = new ByteView(tiff);
  const little = view.hasName(0, 'II');
  if (!little && !view.hasName(0, 'MM')) return null;
  if (view.u16(2, little) !== 42) return null;
  const directory = view.u32(4, little);
  const entries = directory === null ? null : view.u16(directory, little);
  if (directory === null || entries === null) return null;
  for (let index = 0; index < Math.min(entries, mostEntries); index += 1) {
    const at = directory + 2 + index * entrySize;
    if (view.u16(at, little) !== orientationTag) continue;
    const value = view.u16(at + 2, little) === shortType ? view.u16(at + 8, little) : null;
    return value !== null && value >= 1 && value <= 8 ? value : null;
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
 * Application segments that decide how the pixels look: density, colour profile, colour transform. `size` is what such a
 * segment holds behind its name; the first may carry a preview behind that, and either may carry anything.
 */
const wantedApplications: Readonly<Record<number, { readonly name: string; readonly size?: number }>> = {
  224: { name: 'JFIF\0', size: 9 },
  226: { name: 'ICC_PROFILE\0' },
  238: { name: 'Adobe', size: 7 },
};
const jfif = 0xe0;

/** `whole`, or what is written in its place; null when the segment is not kept. */
const keptOf = (view: ByteView, at: number, end: number): 'whole' | Uint8Array | null => {
  const marker = view.u8(at + 1) ?? 0;
  if (isCoding(marker)) return 'whole';
  const wanted = wantedApplications[marker];
  if (wanted === undefined || !view.hasName(at + 4, wanted.name)) return null;
  if (wanted.size === undefined) return 'whole';
  const size = 4 + wanted.name.length + wanted.size;
  if (end - at < size) return null;
  const cut = Uint8Array.from(view.slice(at, at + size));
  cut.set([0, size - 2], 2);
  // The last two bytes say how large the preview is.
  if (marker === jfif) cut.set([0, 0], size - 2);
  return cut;
};

const exifName = 'Exif\0\0';

/** Where the next marker after coded pixels begins; coded pixels write a data byte FF as `FF 00`. */
const endOfScanData = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0x00 && next !== 0xff && !standsAlone(next)) return at;
  }
  return bytes.length;
};

/**
 * A phone's photograph is often stored lying on its side, with a note how to turn it. Of all metadata only that note
 * is written again, and only when there is something to turn; everything else in application segments and comments
 * goes, and so does what cameras append behind the picture (previews, short films), which has its own positions.
 * A picture without its end marker is still shown by every decoder and therefore taken.
 */
export const readJpeg = (bytes: Uint8Array): ReadImage | null => {
  const view = new ByteView(bytes);
  const kept = new KeptPieces(bytes);
  /** The segment that says JFIF belongs directly behind the start, in front of the note how to turn. */
  const head = [view.slice(0, 2)];
  let [width, height, scans] = [0, 0, 0];
  let orientation: number | null = null;
  let isNoted = false;
  let at = 2;
  for (;;) {
    if (view.u8(at) !== 0xff) return null;
    while (view.u8(at + 1) === 0xff) at += 1;
    const marker = view.u8(at + 1);
    if (marker === null || marker === 0x00 || marker === startOfImage) return null;
    if (marker === endOfImage) {
      if (!kept.keep(at, at + 2)) return null;
      break;
    }
    if (standsAlone(marker)) {
      at += 2;
      continue;
    }
    const length = view.u16(at + 2);
    const end = at + 2 + (length ?? 0);
    if (length === null || length < 2 || end > bytes.length) return null;
    if (isFrame(marker)) {
      height = Math.max(height, view.u16(at + 5) ?? 0);
      width = Math.max(width, view.u16(at + 7) ?? 0);
    }
    if (marker === 0xe1 && !isNoted && view.hasName(at + 4, exifName)) {
      isNoted = true;
      orientation = orientationOf(view.slice(at + 4 + exifName.length, end));
    }
    const segment = keptOf(view, at, end);
    if (segment === 'whole') {
      if (!kept.keep(at, end)) return null;
    } else if (segment !== null) {
      if (marker === jfif && kept.size === 0 && head.length === 1) head.push(segment);
      else if (!kept.write(segment)) return null;
    }
    at = end;
    if (marker !== startOfScan) continue;
    scans += 1;
    const next = endOfScanData(bytes, at);
    if (!kept.keep(at, next)) return null;
    at = next;
    if (at >= bytes.length) break;
  }
  if (scans === 0) return null;
  const turn = orientation !== null && orientation > 1 ? [orientationSegment(orientation)] : [];
  return { width, height, clean: joined([...head, ...turn, ...kept.all()]) };
};
