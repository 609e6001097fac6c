import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPrepareImage, decodeImageText, readImage } from '../../../../src/domain/profiles/prepare-image.ts';
import { imageTypes } from '../../../../src/lib/images/image-types.ts';
import { orientationOf } from '../../../../src/lib/images/jpeg.ts';
import { excessOf, type Shape } from '../../../support/hostile-texts.ts';
import { chunk, jpegWith, pictures, pngWith, riffChunk, segment, webpWith } from '../../../support/images.ts';

const mebibyte = 1_048_576;
const repeated = (piece: Uint8Array, size: number): Buffer =>
  Buffer.alloc(Math.max(1, Math.floor(size / piece.length)) * piece.length, piece);

type Frame = (content: Buffer) => Buffer;
const inJpeg: Frame = (content) => jpegWith(pictures.jpeg, content);
const inScan: Frame = (content) => Buffer.concat([pictures.jpeg.subarray(0, -2), content, pictures.jpeg.subarray(-2)]);
const inPng: Frame = (content) => pngWith(pictures.png, content);
const inWebp: Frame = (content) => webpWith(pictures.lossy, [40, 24], 0, content);
/** Behind the screen and its table of colours. */
const inGif: Frame = (content) => {
  const flags = pictures.gif[10] ?? 0;
  const at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  return Buffer.concat([pictures.gif.subarray(0, at), content, pictures.gif.subarray(at)]);
};

const table = segment(0xc4, 'x');
const comment = segment(0xfe, 'x');
const gifControl = Buffer.from([0x21, 0xf9, 0]);
const gifComment = Buffer.from([0x21, 0xfe, 0]);
const gifFrame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]);
const webpKept = riffChunk('ALPH', '');
const webpDropped = riffChunk('XMP ', '');

/** Each piece that a reader walks over, again and again, where it belongs. */
const pieces: ReadonlyArray<readonly [name: string, frame: Frame, piece: Uint8Array]> = [
  ['JPEG tables', inJpeg, table],
  ['JPEG comments', inJpeg, comment],
  ['JPEG tables and comments', inJpeg, Buffer.concat([table, comment])],
  ['JPEG restarts', inJpeg, Buffer.from([0xff, 0xd0])],
  ['JPEG fill bytes', inJpeg, Buffer.from([0xff])],
  ['JPEG densities', inJpeg, segment(0xe0, 'JFIF\0', '123456789')],
  ['JPEG transforms', inJpeg, segment(0xee, 'Adobe', '1234567')],
  ['JPEG profiles', inJpeg, segment(0xe2, 'ICC_PROFILE\0')],
  ['JPEG notes', inJpeg, segment(0xe1, 'Exif\0\0MM\0*\0\0\0\b\x02\0')],
  ['JPEG scans', inScan, Buffer.concat([segment(0xda, 'x'), Buffer.from([1])])],
  ['JPEG pixels', inScan, Buffer.from([0xff, 0])],
  ['JPEG pixels that look like marks', inScan, Buffer.from([0xff])],
  ['PNG palettes', inPng, chunk('sPLT', '')],
  ['PNG texts', inPng, chunk('tEXt', '')],
  ['PNG palettes and texts', inPng, Buffer.concat([chunk('sPLT', ''), chunk('tEXt', '')])],
  ['GIF controls', inGif, gifControl],
  ['GIF comments', inGif, gifComment],
  ['GIF controls and comments', inGif, Buffer.concat([gifControl, gifComment])],
  ['GIF applications', inGif, Buffer.from('\x21\xff\x0bICCRGBG1013\0', 'latin1')],
  ['GIF frames', inGif, gifFrame],
  [
    'GIF blocks',
    (content) => inGif(Buffer.concat([Buffer.from([0x21, 0xf9]), content, Buffer.from([0])])),
    Buffer.from([1, 1]),
  ],
  ['WebP transparencies', inWebp, webpKept],
  ['WebP descriptions', inWebp, webpDropped],
  ['WebP transparencies and descriptions', inWebp, Buffer.concat([webpKept, webpDropped])],
  ['WebP odd chunks', inWebp, riffChunk('ALPH', 'x')],
  ['WebP canvases', inWebp, riffChunk('VP8X', Buffer.alloc(10))],
  ['WebP frames', inWebp, riffChunk('ANMF', Buffer.alloc(16))],
  [
    'WebP chunks of one frame',
    (content) => inWebp(riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), content]))),
    webpDropped,
  ],
];

describe('reading an image takes eight times the time for eight times the length', () => {
  const shapes: Shape<Uint8Array>[] = [
    ...pieces.map(([name, frame, piece]) => ({ name, of: (size: number) => frame(repeated(piece, size)) })),
    ...imageTypes.flatMap((type) => {
      const picture = { png: pictures.png, jpeg: pictures.jpeg, gif: pictures.gif, webp: pictures.lossy }[type];
      return [
        { name: `zeros behind ${type}`, of: (size: number) => Buffer.concat([picture, Buffer.alloc(size)]) },
        {
          name: `zeros inside ${type}`,
          of: (size: number) => Buffer.concat([picture.subarray(0, 16), Buffer.alloc(size)]),
        },
      ];
    }),
  ];

  it.each(shapes)('of $name', async (shape) => {
    expect(await excessOf((bytes: Uint8Array) => readImage(bytes), shape, 64 * 1024)).toBeNull();
  });

  it('and so do its text and the note how to turn it', async () => {
    const text = { name: 'text', of: (size: number) => ` data:image/png,${'QUJD '.repeat(size / 5)}` };
    expect(await excessOf(decodeImageText, text, 64 * 1024)).toBeNull();
    const note = {
      name: 'note',
      of: (size: number) => Buffer.from(`MM\0*\0\0\0\b\xff\xff${'x'.repeat(size)}`, 'latin1'),
    };
    expect(await excessOf(orientationOf, note, 64 * 1024)).toBeNull();
  });
});

describe('a file of many pieces', () => {
  const of = (frame: Frame, piece: Uint8Array, count: number): Buffer => frame(repeated(piece, piece.length * count));

  it.each([
    ['JPEG', inJpeg, Buffer.concat([table, comment])],
    ['PNG', inPng, Buffer.concat([chunk('sPLT', ''), chunk('tEXt', '')])],
    ['GIF', inGif, Buffer.concat([gifControl, gifComment])],
    ['WebP', inWebp, Buffer.concat([webpKept, webpDropped])],
    ['WebP with frames', inWebp, riffChunk('ANMF', Buffer.alloc(16))],
    ['JPEG with rewritten pieces', inJpeg, segment(0xee, 'Adobe', '1234567')],
  ])('is taken with thousands of gaps, and is no image beyond 20,000: %s', (_type, frame, piece) => {
    expect(readImage(of(frame, piece, 9_000))).not.toBeNull();
    expect(readImage(of(frame, piece, 20_001))).toBeNull();
  });

  it.each([
    ['JPEG', inJpeg, table],
    ['PNG', inPng, chunk('sPLT', '')],
    ['GIF', inGif, gifFrame],
    ['WebP', inWebp, webpKept],
  ])('is one piece where they are neighbours, however many there are: %s', (_type, frame, piece) => {
    const picture = of(frame, piece, (5 * mebibyte) / piece.length);
    expect(Buffer.from(readImage(picture)?.clean ?? []).equals(picture)).toBe(true);
  });
});

it('pictures are walked one after the other, with a turn for everything else between them', async () => {
  const prepare = createPrepareImage();
  const never = new AbortController();
  let turn = 0;
  const walked: number[] = [];
  const all = Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      await prepare(n % 2 ? pictures.png : pictures.jpeg, n % 2 ? 'avatar' : 'background', imageTypes, never.signal);
      walked.push(turn);
    }),
  );
  while (walked.length < 8) {
    await nextTurn();
    turn += 1;
  }
  await all;
  expect(new Set(walked).size).toBe(8);
});
