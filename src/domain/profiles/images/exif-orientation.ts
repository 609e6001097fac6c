import { ByteView } from './byte-view.ts';

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
