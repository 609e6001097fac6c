import { randomInt } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Digits and letters that are hard to confuse, three dots wide and five high, row by row. */
const GLYPHS: Readonly<Record<string, string>> = {
  2: '111001111100111',
  3: '111001111001111',
  4: '101101111001001',
  7: '111001001001001',
  9: '111101111001111',
  A: '010101111101101',
  C: '111100100100111',
  E: '111100111100111',
  F: '111100111100100',
  H: '101101111101101',
  K: '101101110101101',
  P: '111101111100100',
  T: '111010010010010',
  X: '101101010101101',
};

const LETTERS = Object.keys(GLYPHS);
const LENGTH = 4;

export const captchaText = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const DOT = 6;
const WIDTH = 4;
const HEIGHT = 7;

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
};

export const captchaImage = (text: string): Buffer => {
  const columns = text.length * WIDTH + 1;
  const isInk = (column: number, row: number): boolean => {
    const glyph = GLYPHS[text[Math.floor((column - 1) / WIDTH)] ?? ''] ?? '';
    const [x, y] = [(column - 1) % WIDTH, row - 1];
    return column > 0 && x < 3 && y >= 0 && y < 5 && glyph[y * 3 + x] === '1';
  };
  const lines = Array.from({ length: HEIGHT * DOT }, (_, y) =>
    // The first byte of a line is its filter: none.
    Buffer.from([
      0,
      ...Array.from({ length: columns * DOT }, (_, x) => (isInk(Math.floor(x / DOT), Math.floor(y / DOT)) ? 0 : 255)),
    ]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns * DOT, 0);
  header.writeUInt32BE(HEIGHT * DOT, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
