import { describe, expect, it } from 'vitest';
import { readImage } from '../../../../src/domain/profiles/prepare-image.ts';
import { sniffImage } from '../../../../src/lib/images/image-types.ts';
import {
  chunk,
  exif,
  jpegWith,
  photoWithPosition,
  pictures,
  pngOfSize,
  pngWith,
  riffChunk,
  secretPlace,
  segment,
  sizes,
  tiff,
  webpWith,
} from '../../../support/images.ts';

const types = {
  jpeg: 'jpeg',
  progressive: 'jpeg',
  png: 'png',
  gif: 'gif',
  lossy: 'webp',
  lossless: 'webp',
  moving: 'webp',
} as const;
const names = Object.keys(types) as (keyof typeof types)[];

const cleaned = (bytes: Uint8Array): Buffer => {
  const read = readImage(bytes);
  if (read === null) throw new Error('not read as an image');
  return Buffer.from(read.clean);
};

describe('reading an image', () => {
  it.each(names)('tells type and size of %s, and leaves a clean file as it is', (name) => {
    const [width, height] = sizes[name];
    expect(readImage(pictures[name])).toMatchObject({ type: types[name], width, height });
    expect(cleaned(pictures[name]).equals(pictures[name])).toBe(true);
  });

  it.each([
    ['nothing', Buffer.alloc(0), null],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), null],
    ['other content of the same container', Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1'), null],
    ['a version that does not exist', Buffer.from('GIF88a\x01\0\x01\0\0\0\0', 'latin1'), null],
    ['the leading bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff]), 'jpeg'],
    ['the leading bytes of a PNG', pictures.png.subarray(0, 8), 'png'],
    ['the leading bytes of a GIF', Buffer.from('GIF89a'), 'gif'],
    ['the leading bytes of a WebP', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 'webp'],
  ])('takes %s for no image', (_name, bytes, type) => {
    expect([sniffImage(bytes), readImage(bytes)]).toEqual([type, null]);
  });

  it.each([
    [0, 24],
    [40, 0],
  ])('refuses a picture without pixels: %i × %i', (width, height) => {
    expect(readImage(pngOfSize(width, height))).toBeNull();
  });

  it('tells sizes up to the last pixel', () => {
    expect(readImage(pngOfSize(8_193, 2_147_483_647))).toMatchObject({ width: 8_193, height: 2_147_483_647 });
    expect(readImage(webpWith(pictures.lossy, [16_777_216, 1], 0))).toMatchObject({ width: 16_777_216, height: 24 });
  });

  it('counts the frames of an animation, not only the screen they say they have', () => {
    const wide = Buffer.from(pictures.gif);
    const frame = wide.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 24, 0, 24, 0]));
    wide.writeUInt16LE(60_000, frame + 5);
    expect(readImage(wide)).toMatchObject({ width: 60_000, height: 24 });
  });
});

describe('a photograph', () => {
  it('comes back without the position where it was taken, and with its pixels', () => {
    const photo = photoWithPosition();
    expect(photo.includes(secretPlace)).toBe(true);
    expect(cleaned(photo).equals(pictures.jpeg)).toBe(true);
  });

  it('keeps of all that only how to turn it, and only when it must be turned', () => {
    expect(cleaned(photoWithPosition(1)).equals(pictures.jpeg)).toBe(true);
    for (const orientation of [2, 3, 6, 8]) {
      const clean = cleaned(photoWithPosition(orientation));
      expect(clean.includes(secretPlace)).toBe(false);
      expect(clean.length).toBe(pictures.jpeg.length + 36);
      const at = clean.indexOf('Exif\0\0');
      // Behind the segment that says JFIF, which comes first.
      expect(at).toBe(24);
      const note = clean.subarray(at + 6, at + 32);
      expect(note.readUInt16BE(18)).toBe(orientation);
      expect(note.readUInt16BE(8)).toBe(1);
      expect(Buffer.concat([clean.subarray(0, 20), clean.subarray(56)]).equals(pictures.jpeg)).toBe(true);
    }
  });

  it.each([0, 9, 200])('is not turned by the nonsense %i', (orientation) => {
    expect(cleaned(photoWithPosition(orientation)).equals(pictures.jpeg)).toBe(true);
  });

  it('reads the note of the other byte order too, and survives a note that leads nowhere', () => {
    const little = Buffer.from('49492a000800000001001201030001000000060000000000000000', 'hex');
    expect(cleaned(jpegWith(pictures.jpeg, segment(0xe1, 'Exif\0\0', little))).includes('Exif')).toBe(true);
    for (const broken of ['4d4d002a', '4d4d002affffffff', '4d4d002a00000008ffff', '4949', '']) {
      const photo = jpegWith(pictures.jpeg, segment(0xe1, 'Exif\0\0', Buffer.from(broken, 'hex')));
      expect(cleaned(photo).equals(pictures.jpeg)).toBe(true);
    }
  });

  it.each([
    ['a second description', segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', secretPlace)],
    ['what press agencies write', segment(0xed, 'Photoshop 3.0\0', secretPlace)],
    ['a comment', segment(0xfe, secretPlace)],
    ['an index of further pictures', segment(0xe2, 'MPF\0', secretPlace)],
    ['a preview', segment(0xe0, 'JFXX\0', secretPlace)],
    ['data of a maker', segment(0xeb, secretPlace)],
    ['a reserved extension', segment(0xf0, secretPlace)],
    ['a profile by its name alone', segment(0xe2, 'ICC_PROFIL', secretPlace)],
  ])('comes back without %s', (_name, extra) => {
    expect(cleaned(jpegWith(pictures.jpeg, extra, extra)).equals(pictures.jpeg)).toBe(true);
  });

  it('keeps its colour profile and colour transform', () => {
    const photo = jpegWith(
      pictures.jpeg,
      segment(0xe2, 'ICC_PROFILE\0\x01\x01', 'a profile'),
      segment(0xee, 'Adobe\0\x64\0\0\0\0\x01'),
    );
    expect(cleaned(photo).equals(photo)).toBe(true);
  });

  it('comes back without the preview of its first segment, and without what stands behind other wanted ones', () => {
    const [head, tail] = [pictures.jpeg.subarray(0, 2), pictures.jpeg.subarray(20)];
    expect(pictures.jpeg.subarray(6, 11).toString('latin1')).toBe('JFIF\0');
    const preview = segment(0xe0, pictures.jpeg.subarray(6, 18), Buffer.from([2, 2]), secretPlace);
    expect(cleaned(Buffer.concat([head, preview, tail])).equals(pictures.jpeg)).toBe(true);
    expect(cleaned(Buffer.concat([head, segment(0xe0, 'JFIF\0', '12345678'), tail])).includes('JFIF')).toBe(false);
    const transform = Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1');
    const photo = jpegWith(pictures.jpeg, segment(0xee, transform, secretPlace));
    expect(cleaned(photo).equals(jpegWith(pictures.jpeg, segment(0xee, transform)))).toBe(true);
  });

  it('comes back without what is appended behind its end', () => {
    const film = Buffer.concat([photoWithPosition(), Buffer.from('ftypmp42'), Buffer.from(secretPlace)]);
    expect(cleaned(film).equals(pictures.jpeg)).toBe(true);
  });

  it('comes back without what hides between its scans', () => {
    const { progressive } = pictures;
    const second = progressive.indexOf(Buffer.from([0xff, 0xda]), progressive.indexOf(Buffer.from([0xff, 0xda])) + 2);
    // The tables of the second scan stand before it; the place directly behind the first scan is the marker of those.
    const tables = progressive.lastIndexOf(Buffer.from([0xff, 0xc4]), second);
    const hidden = Buffer.concat([progressive.subarray(0, tables), exif(), progressive.subarray(tables)]);
    expect(hidden.includes(secretPlace)).toBe(true);
    expect(cleaned(hidden).equals(progressive)).toBe(true);
  });

  it('is taken without its end marker, as every viewer does', () => {
    const cut = photoWithPosition().subarray(0, -2);
    expect(cleaned(cut).equals(pictures.jpeg.subarray(0, -2))).toBe(true);
  });

  it('is turned by the note at any place of its directory', () => {
    const width = '010000030000000100180000';
    const turn = '011200030000000100060000';
    const note = (entries: string) => Buffer.from(`4d4d002a000000080002${entries}00000000`, 'hex');
    for (const entries of [turn + width, width + turn]) {
      const photo = jpegWith(pictures.jpeg, segment(0xe1, 'Exif\0\0', note(entries)));
      expect(cleaned(photo).equals(cleaned(photoWithPosition(6)))).toBe(true);
    }
  });

  it('is no picture without width, height, or the header that states them', () => {
    const frame = pictures.jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    expect(pictures.jpeg.readUInt16BE(frame + 7)).toBe(sizes.jpeg[0]);
    for (const at of [frame + 5, frame + 7]) {
      const flat = Buffer.from(pictures.jpeg);
      flat.writeUInt16BE(0, at);
      expect(readImage(flat)).toBeNull();
    }
    const end = frame + 2 + pictures.jpeg.readUInt16BE(frame + 2);
    expect(readImage(Buffer.concat([pictures.jpeg.subarray(0, frame), pictures.jpeg.subarray(end)]))).toBeNull();
  });

  it('is no picture when it ends before its pixels', () => {
    const scan = pictures.jpeg.indexOf(Buffer.from([0xff, 0xda]));
    expect(readImage(pictures.jpeg.subarray(0, scan))).toBeNull();
    expect(readImage(Buffer.concat([pictures.jpeg.subarray(0, scan), Buffer.from([0xff, 0xd9])]))).toBeNull();
  });
});

describe('a PNG', () => {
  it.each(['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME', 'caBX', 'vpAg'])('comes back without its %s', (name) => {
    const content = name === 'eXIf' ? tiff() : secretPlace;
    const picture = pngWith(pictures.png, chunk(name, content), chunk(name, content));
    expect(picture.includes(secretPlace)).toBe(true);
    expect(cleaned(picture).equals(pictures.png)).toBe(true);
  });

  it('keeps transparency, colours and animation', () => {
    const picture = pngWith(
      pictures.png,
      chunk('sRGB', Buffer.from([0])),
      chunk('iCCP', 'profile'),
      chunk('pHYs', Buffer.alloc(9)),
      chunk('acTL', Buffer.alloc(8)),
    );
    expect(cleaned(picture).equals(picture)).toBe(true);
  });

  it('comes back without what is appended behind its end', () => {
    expect(cleaned(Buffer.concat([pictures.png, Buffer.from(secretPlace)])).equals(pictures.png)).toBe(true);
  });

  it.each([
    ['a part that no viewer knows', pngWith(pictures.png, chunk('ABCD', 'x'))],
    [
      'another part before its header',
      Buffer.concat([pictures.png.subarray(0, 8), chunk('CgBI', 'abcd'), pictures.png.subarray(8)]),
    ],
    ['a second header', pngWith(pictures.png, pngOfSize(9_000, 9_000).subarray(8, 33))],
    ['no pixels', Buffer.concat([pictures.png.subarray(0, 33), chunk('IEND', '')])],
    ['its end cut off', pictures.png.subarray(0, -12)],
  ])('is refused with %s', (_name, bytes) => {
    expect(readImage(bytes)).toBeNull();
  });
});

describe('a WebP', () => {
  const exifChunk = riffChunk('EXIF', tiff(6));
  const xmpChunk = riffChunk('XMP ', `<x>${secretPlace}</x>`);

  it.each(['lossy', 'lossless'] as const)('comes back without metadata and without the marks for it: %s', (name) => {
    const picture = webpWith(pictures[name], sizes[name], 0x1c, exifChunk, xmpChunk);
    expect(picture.includes(secretPlace)).toBe(true);
    const clean = cleaned(picture);
    expect(clean.equals(webpWith(pictures[name], sizes[name], 0x10))).toBe(true);
    expect(clean.readUInt32LE(4)).toBe(clean.length - 8);
  });

  it('comes back without unknown parts and without what is appended behind its end', () => {
    const picture = webpWith(pictures.lossy, sizes.lossy, 0, riffChunk('ABCD', secretPlace));
    const clean = cleaned(Buffer.concat([picture, Buffer.from(secretPlace)]));
    expect(clean.equals(webpWith(pictures.lossy, sizes.lossy, 0))).toBe(true);
  });

  const frame = (...chunks: Buffer[]): Buffer =>
    riffChunk('ANMF', Buffer.concat([Buffer.from('000000000000170000170000640000' + '00', 'hex'), ...chunks]));
  const animation = (...frames: Buffer[]): Buffer => {
    const base = webpWith(pictures.lossy, sizes.lossy, 0x02);
    const content = Buffer.concat([base.subarray(12, 30), riffChunk('ANIM', Buffer.alloc(6)), ...frames]);
    const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
    head.writeUInt32LE(content.length + 4, 4);
    return Buffer.concat([head, content]);
  };
  const pixels = pictures.lossy.subarray(12);

  it('comes back without what hides in the frames of an animation', () => {
    const clean = animation(frame(pixels), frame(pixels));
    expect(cleaned(clean).equals(clean)).toBe(true);
    expect(cleaned(animation(frame(pixels, exifChunk), frame(xmpChunk, pixels))).equals(clean)).toBe(true);
  });

  it('is as large as its pixels, also where the canvas says otherwise', () => {
    const [width, height] = sizes.lossy;
    expect(readImage(webpWith(pictures.lossy, [1, 1], 0))).toMatchObject({ width, height });
    const wide = Buffer.from(pixels);
    wide.writeUInt16LE(16_383, 14);
    expect(readImage(animation(frame(pixels), frame(wide)))).toMatchObject({ width: 16_383, height });
  });

  it.each([
    ['no pixels', animation(frame(exifChunk))],
    ['a frame that is too short', animation(riffChunk('ANMF', Buffer.alloc(10)))],
    ['a frame that its parts leave', animation(frame(pixels.subarray(0, -2)))],
    ['pixels that do not begin', animation(frame(riffChunk('VP8 ', Buffer.alloc(20))))],
  ])('is refused with %s', (_name, bytes) => {
    expect(readImage(bytes)).toBeNull();
  });

  it('is refused when it ends too early or begins with something else', () => {
    expect(readImage(pictures.lossy.subarray(0, -2))).toBeNull();
    const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
    const content = Buffer.concat([exifChunk, pictures.lossy.subarray(12)]);
    head.writeUInt32LE(content.length + 4, 4);
    expect(readImage(Buffer.concat([head, content]))).toBeNull();
  });
});

describe('a GIF', () => {
  const block = (text: string): Buffer =>
    Buffer.concat([Buffer.from([text.length]), Buffer.from(text), Buffer.from([0])]);
  const firstExtension = 13 + 6;
  const gifWith = (extension: Buffer): Buffer =>
    Buffer.concat([pictures.gif.subarray(0, firstExtension), extension, pictures.gif.subarray(firstExtension)]);

  it('comes back without comments and foreign data, and continues repeating', () => {
    expect(pictures.gif[firstExtension]).toBe(0x21);
    expect(pictures.gif.includes('NETSCAPE2.0')).toBe(true);
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe]), block(secretPlace)]);
    const description = Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP'), block(secretPlace)]);
    expect(cleaned(gifWith(Buffer.concat([comment, description]))).equals(pictures.gif)).toBe(true);
  });

  it('is taken without its end mark, and without what follows it', () => {
    expect(cleaned(pictures.gif.subarray(0, -1)).equals(pictures.gif)).toBe(true);
    expect(cleaned(Buffer.concat([pictures.gif, Buffer.from(secretPlace)])).equals(pictures.gif)).toBe(true);
  });

  it('is refused when it ends within a frame', () => {
    expect(readImage(pictures.gif.subarray(0, -4))).toBeNull();
  });
});

describe('hostile files', () => {
  /** A small generator of the same numbers at every run. */
  const numbers = (seed: number) => {
    let state = seed;
    return (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  };
  const samples: Buffer[] = [
    jpegWith(pictures.progressive, exif(6), segment(0xfe, secretPlace)),
    photoWithPosition(3),
    pngWith(pictures.png, chunk('eXIf', tiff()), chunk('tEXt', secretPlace)),
    webpWith(pictures.lossy, sizes.lossy, 0x0c, riffChunk('EXIF', tiff())),
    pictures.moving,
    pictures.gif,
  ];

  /**
   * Checks every input for the same: no throw, no growth beyond the note on turning, and a clean file stays as it is.
   */
  const examine = (bytes: Buffer): boolean => {
    const before = Buffer.from(bytes);
    const read = readImage(bytes);
    expect(bytes.equals(before)).toBe(true);
    if (read === null) return false;
    expect(read.clean.length).toBeLessThanOrEqual(bytes.length + 37);
    const again = readImage(read.clean);
    expect(again).not.toBeNull();
    expect(Buffer.from(again!.clean).equals(Buffer.from(read.clean))).toBe(true);
    return true;
  };

  it('cut off anywhere are taken apart without harm', () => {
    for (const sample of samples) {
      for (let length = 0; length <= sample.length; length += 1) examine(sample.subarray(0, length));
    }
  });

  it('with bytes changed, doubled, dropped and swapped are taken apart without harm', () => {
    const next = numbers(7);
    let accepted = 0;
    for (const sample of samples) {
      for (let round = 0; round < 500; round += 1) {
        let bytes = Buffer.from(sample);
        for (let change = next(6); change >= 0; change -= 1) {
          const at = next(bytes.length);
          const kind = next(4);
          if (kind === 0) bytes[at] = next(256);
          else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + next(8))]);
          else if (kind === 2)
            bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - next(40)))]);
          else bytes[at] = [0x00, 0x7f, 0x80, 0xd8, 0xda, 0xe1, 0xff][next(7)] ?? 0;
        }
        if (examine(bytes)) accepted += 1;
      }
    }
    // The changes must not be so wild that only refusals are tested.
    expect(accepted).toBeGreaterThan(170);
  });
});
