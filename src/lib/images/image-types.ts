import { hasName } from './kept-pieces.ts';

export const imageTypes = ['png', 'jpeg', 'gif', 'webp'] as const;

/** The kinds of images that are kept; each is also the subtype of its media type. */
export type ImageType = (typeof imageTypes)[number];

export const mediaTypeOf = (type: ImageType): string => `image/${type}`;

const extensions: Readonly<Record<ImageType, string>> = { png: 'png', jpeg: 'jpg', gif: 'gif', webp: 'webp' };

export const extensionOf = (type: ImageType): string => extensions[type];

export const asImageType = (text: string): ImageType | null => imageTypes.find((type) => type === text) ?? null;

/** By the leading bytes, no matter what a client says; null for anything else. */
export const sniffImage = (bytes: Uint8Array): ImageType | null => {
  const head = Buffer.from(bytes.subarray(0, 12));
  if (hasName(head, 0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (hasName(head, 0, '\xff\xd8\xff')) return 'jpeg';
  if (hasName(head, 0, 'GIF87a') || hasName(head, 0, 'GIF89a')) return 'gif';
  return hasName(head, 0, 'RIFF') && hasName(head, 8, 'WEBP') ? 'webp' : null;
};

/** Its size in pixels, and the file without what tells about its maker. */
export interface ReadImage {
  readonly width: number;
  readonly height: number;
  readonly clean: Uint8Array;
}
