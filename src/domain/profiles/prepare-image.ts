import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readGif } from '../../lib/images/gif.ts';
import { type ImageType, imageTypes, type ReadImage, sniffImage } from '../../lib/images/image-types.ts';
import { readJpeg } from '../../lib/images/jpeg.ts';
import { readPng } from '../../lib/images/png.ts';
import { readWebp } from '../../lib/images/webp.ts';
import { QueueFull, Semaphore } from '../../lib/queues.ts';
import { failures } from '../errors.ts';
import type { ImageUse, NewImage } from './types.ts';

/** Pixels on one side. */
const largestSide = 8_192;
const imagesWaiting = 256;

/** @throws Failure `overloaded` when the queue is full; the signal's reason */
export const enterQueue = async (queue: Semaphore, signal: AbortSignal): Promise<Disposable> => {
  try {
    return await queue.enter(signal);
  } catch (error) {
    if (error instanceof QueueFull) throw failures.overloaded(10, undefined, { cause: error });
    throw error;
  }
};

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const imageTagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

const readers: Readonly<Record<ImageType, (bytes: Buffer) => ReadImage | null>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/** Null also for a file that ends too early: its reader reads beyond the end, which throws. */
const readAs = (type: ImageType, bytes: Uint8Array): ReadImage | null => {
  try {
    return readers[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/**
 * Walks through an image once, never decoding a pixel, and copies the pieces that a decoder needs, so no metadata and no
 * unknown piece gets through. A file of more than 20,000 pieces is refused. Null for an image of another type, without
 * pixels, or that cannot be walked to its end.
 */
export const readImage = (
  bytes: Uint8Array,
  allowed: readonly ImageType[] = imageTypes,
): (ReadImage & { readonly type: ImageType }) | null => {
  const type = sniffImage(bytes);
  if (type === null || !allowed.includes(type)) return null;
  const read = readAs(type, bytes);
  return read === null || read.width < 1 || read.height < 1 ? null : { type, ...read };
};

const prepareImage = (uploaded: Uint8Array, use: ImageUse, allowed: readonly ImageType[]): NewImage => {
  const image = readImage(uploaded, allowed);
  if (image === null) throw failures.imageUnsupported();
  if (Math.max(image.width, image.height) > largestSide) throw failures.imageTooLarge();
  const { type, clean } = image;
  return { id: randomUUID(), use, type, md5: md5Of(uploaded), tag: imageTagOf(clean), bytes: clean };
};

/**
 * The image as it will be stored.
 * @throws Failure `image-unsupported` for anything but a readable image of one of the `allowed` types,
 *   `image-too-large` for one of too many pixels on a side, `overloaded`; the signal's reason
 */
export type PrepareImage = (
  uploaded: Uint8Array,
  use: ImageUse,
  allowed: readonly ImageType[],
  signal: AbortSignal,
) => Promise<NewImage>;

/** Prepares one image at a time, each in a turn of the event loop. */
export const createPrepareImage = (): PrepareImage => {
  const queue = new Semaphore(1, imagesWaiting);
  return async (uploaded, use, allowed, signal) => {
    using _place = await enterQueue(queue, signal);
    await nextTurn();
    return prepareImage(uploaded, use, allowed);
  };
};

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of an image sent as text: padded base64 in the standard alphabet, alone or in a data URI, whose type is not
 * believed. Line breaks and blanks are left out, since common encoders write lines of 76 characters.
 * @throws Failure `image-unsupported` for anything else, the empty image included
 */
export const decodeImageText = (text: string): Uint8Array => {
  const isUri = /^\s*data:/i.test(text);
  const comma = isUri ? text.indexOf(',') : -1;
  if (isUri && comma < 0) throw failures.imageUnsupported();
  const base64 = text.slice(comma + 1).replaceAll(/[\t\n\f\r ]+/g, '');
  if (base64 === '' || base64.length % 4 !== 0 || !alphabet.test(base64)) throw failures.imageUnsupported();
  return Buffer.from(base64, 'base64');
};

export const dataUri = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
