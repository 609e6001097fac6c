import type { Asked } from '../../domain/challenge.ts';
import { sniffImage } from '../../lib/images/image-types.ts';

/** Null where the first bytes are not those of a picture that a page may show. */
export const imageOf = (bytes: Uint8Array): Extract<Asked, { kind: 'captcha' }>['image'] => {
  const type = sniffImage(bytes);
  if (type === null || type === 'webp') return null;
  return { type: `image/${type}`, base64: Buffer.from(bytes).toString('base64') };
};
