import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const folder = join(import.meta.dirname, '../fixtures/images');
const load = (name: string): Buffer => readFileSync(join(folder, name));

/** Small, real images without any metadata. */
export const pictures = {
  jpeg: load('photo.jpg'),
  progressive: load('progressive.jpg'),
  png: load('picture.png'),
  gif: load('moving.gif'),
  lossy: load('lossy.webp'),
  lossless: load('lossless.webp'),
  moving: load('moving.webp'),
};

export const sizes: Record<keyof typeof pictures, [number, number]> = {
  jpeg: [48, 32],
  progressive: [48, 32],
  png: [40, 24],
  gif: [24, 24],
  lossy: [40, 24],
  lossless: [40, 24],
  moving: [24, 24],
};

/** Must never be found in a stored image. */
export const secretPlace = 'SECRET-PLACE-30.5N-104.0E';

/** A TIFF block as phones write it: an orientation, and a position with the secret place in its text member. */
export const tiff = (orientation: number | null = null): Buffer => {
  const entries: Buffer[] = [];
  const entry = (tag: number, type: number, count: number, value: number[] | number): void => {
    const buffer = Buffer.alloc(12);
    buffer.writeUInt16BE(tag, 0);
    buffer.writeUInt16BE(type, 2);
    buffer.writeUInt32BE(count, 4);
    if (typeof value === 'number') buffer.writeUInt32BE(value, 8);
    else buffer.set(value, 8);
    entries.push(buffer);
  };
  if (orientation !== null) entry(0x0112, 3, 1, [0, orientation, 0, 0]);
  const positionAt = 8 + 2 + (entries.length + 1) * 12 + 4;
  entry(0x8825, 4, 1, positionAt);
  const directory = Buffer.concat([Buffer.from([0, entries.length]), ...entries, Buffer.alloc(4)]);
  const position = Buffer.alloc(2 + 2 * 12 + 4);
  position.writeUInt16BE(2, 0);
  position.set([0x00, 0x01, 0x00, 0x02, 0, 0, 0, 2, 0x4e, 0, 0, 0], 2);
  position.set([0x00, 0x1c, 0x00, 0x07, 0, 0, 0, secretPlace.length], 14);
  position.writeUInt32BE(positionAt + position.length, 22);
  const head = Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8]);
  return Buffer.concat([head, directory, position, Buffer.from(secretPlace)]);
};

export const segment = (marker: number, ...content: (string | Uint8Array)[]): Buffer => {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** Puts segments directly behind the start of a JPEG. */
export const jpegWith = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

export const exif = (orientation: number | null = null): Buffer => segment(0xe1, 'Exif\0\0', tiff(orientation));

/** A photograph with the position where it was taken. */
export const photoWithPosition = (orientation: number | null = null): Buffer =>
  jpegWith(pictures.jpeg, exif(orientation));

/** With different bytes each time, so that its MD5 is its own. */
export const somePhoto = (): Buffer => jpegWith(pictures.jpeg, segment(0xfe, randomBytes(8)));

export const chunk = (name: string, content: string | Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name), Buffer.from(content)]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(body.length - 4, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
};

/** Puts chunks directly behind the header of a PNG. */
export const pngWith = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/** A PNG of any size in pixels; its pixels are those of the small one. */
export const pngOfSize = (width: number, height: number): Buffer => {
  const header = Buffer.from(pictures.png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([pictures.png.subarray(0, 8), chunk('IHDR', header), pictures.png.subarray(33)]);
};

/** A PNG of exactly so many bytes, most of them in a chunk that is kept. */
export const pngOfBytes = (size: number): Buffer => {
  const small = pictures.png.length;
  return pngWith(pictures.png, chunk('sPLT', Buffer.alloc(size - small - 12, 1)));
};

export const riffChunk = (name: string, content: string | Uint8Array): Buffer => {
  const body = Buffer.from(content);
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};

/** An extended WebP around the chunks of a simple one, with flags and chunks of metadata. */
export const webpWith = (webp: Buffer, size: [number, number], flags: number, ...chunks: Buffer[]): Buffer => {
  const canvas = Buffer.alloc(10);
  canvas[0] = flags;
  canvas.writeUIntLE(size[0] - 1, 4, 3);
  canvas.writeUIntLE(size[1] - 1, 7, 3);
  const content = Buffer.concat([riffChunk('VP8X', canvas), webp.subarray(12), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(content.length + 4, 4);
  return Buffer.concat([head, content]);
};
