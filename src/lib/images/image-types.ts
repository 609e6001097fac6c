export const imageTypes = ['png', 'jpeg', 'gif', 'webp'] as const;

/** The kinds of images that are kept; each is also the subtype of its media type. */
export type ImageType = (typeof imageTypes)[number];

export const mediaTypeOf = (type: ImageType): string => `image/${type}`;

const extensions: Readonly<Record<ImageType, string>> = { png: 'png', jpeg: 'jpg', gif: 'gif', webp: 'webp' };

export const extensionOf = (type: ImageType): string => extensions[type];

export const asImageType = (text: string): ImageType | null => imageTypes.find((type) => type === text) ?? null;

const startsWith = (bytes: Uint8Array, at: number, ...expected: number[]): boolean =>
  expected.every((byte, index) => bytes[at + index] === byte);

/** By the leading bytes, no matter what a client says; null for anything else. */
export const sniffImage = (bytes: Uint8Array): ImageType | null => {
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (startsWith(bytes, 0, 0x47, 0x49, 0x46, 0x38) && startsWith(bytes, 5, 0x61)) {
    return bytes[4] === 0x37 || bytes[4] === 0x39 ? 'gif' : null;
  }
  if (startsWith(bytes, 0, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes, 8, 0x57, 0x45, 0x42, 0x50)) return 'webp';
  return null;
};

/** Its size in pixels, and the file without what tells about its maker. */
export interface ReadImage {
  readonly width: number;
  readonly height: number;
  readonly clean: Uint8Array;
}
