import type { ChallengeImage } from '../../domain/challenge.ts';

/** By its first bytes; null: not a picture. */
export const imageOf = (bytes: Uint8Array): ChallengeImage | null => {
  const starts = (...head: readonly number[]): boolean => head.every((byte, at) => bytes[at] === byte);
  const base64 = Buffer.from(bytes).toString('base64');
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return { type: 'image/png', base64 };
  if (starts(0xff, 0xd8, 0xff)) return { type: 'image/jpeg', base64 };
  return starts(0x47, 0x49, 0x46, 0x38) ? { type: 'image/gif', base64 } : null;
};

/** The page says that the characters were read off wrong, or too late. */
export const isMisread = (text: string): boolean =>
  /验证码(?:错误|不正确|有误|已?过期|已?失效)|captcha[^<]{0,40}(?:invalid|incorrect|wrong|expired)/i.test(text);
