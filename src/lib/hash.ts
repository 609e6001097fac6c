import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes as base64url without padding: 43 characters. Bearer tokens and invite tokens. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Lower-case hex SHA-256 of a text: the only form in which a token is stored. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Tells a text from any other one, where keeping the text itself would cost memory: 44 characters. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64');

/** Compares two texts in constant time; hashing first also hides their lengths. */
export const equalInConstantTime = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
