import { readGif } from './gif.ts';
import { type ImageType, imageTypes, type ReadImage, sniffImage } from './image-types.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { readWebp } from './webp.ts';

const readers: Readonly<Record<ImageType, (bytes: Uint8Array) => ReadImage | null>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
};

/**
 * Walks through an image once, never decoding a pixel: type by its leading bytes, dimensions from its header, and a
 * copy without metadata (position, camera, comments, previews, whatever is appended behind the end). Only pieces that
 * a decoder needs to show the picture are kept, so an unknown piece cannot smuggle anything through. Time and memory
 * are linear in the length, and little beside it: a file of more than 20,000 separate pieces is refused. Null for what is no such image, has no pixels or cannot be walked to its end: what cannot
 * be walked cannot be cleaned.
 */
export const readImage = (
  bytes: Uint8Array,
  allowed: readonly ImageType[] = imageTypes,
): (ReadImage & { readonly type: ImageType }) | null => {
  const type = sniffImage(bytes);
  if (type === null || !allowed.includes(type)) return null;
  const read = readers[type](bytes);
  return read === null || read.width < 1 || read.height < 1 ? null : { type, ...read };
};
