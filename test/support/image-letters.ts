import { inflateSync } from 'node:zlib';
import { captchaImage } from '../../src/demo/captcha-image.ts';

const letters = [...'23479ACEFHKPTX'];

/** Dots of a picture of the demo campus, by columns; its header is always as long. */
const columnsOf = (image: Buffer): readonly string[] => {
  const width = image.readUInt32BE(16);
  const data = image.subarray(image.indexOf('IDAT') + 4);
  const bytes = inflateSync(data);
  return Array.from({ length: width }, (_, x) => {
    const dots: number[] = [];
    for (let at = 1 + x; at < bytes.length; at += width + 1) dots.push(bytes[at] ?? 0);
    return dots.map((dot) => (dot === 0 ? '#' : '.')).join('');
  });
};

const known = letters.map((letter) => [letter, columnsOf(captchaImage(letter))] as const);

/** Reads an image as a person does who signs in to a demo campus. */
export const lettersIn = (image: Buffer): string => {
  const columns = columnsOf(image);
  const [blank = ''] = columns;
  // Every letter begins behind a blank column, which the next one shares.
  const width = (known[0]?.[1].length ?? 0) - columns.findIndex((column) => column !== blank);
  return Array.from({ length: Math.floor(columns.length / width) }, (_, at) => {
    const own = columns.slice(at * width, at * width + width).join();
    return known.find(([, other]) => other.slice(0, width).join() === own)?.[0] ?? '?';
  }).join('');
};
