import type { Asked } from '../../domain/challenge.ts';
import { sniffImage } from '../../lib/images/image-types.ts';

/** Null where the first bytes are not those of a picture that a page may show. */
export const imageOf = (bytes: Uint8Array): Extract<Asked, { kind: 'captcha' }>['image'] => {
  const type = sniffImage(bytes);
  if (type === null || type === 'webp') return null;
  return { type: `image/${type}`, base64: Buffer.from(bytes).toString('base64') };
};

/** True if the page says that the characters were wrong or came too late. */
export const isMisread = (text: string): boolean =>
  /验证码(?:错误|不正确|有误|已?过期|已?失效)|captcha[^<]{0,40}(?:invalid|incorrect|wrong|expired)/i.test(text);
