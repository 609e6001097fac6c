import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes as base64url without padding: 43 characters. Bearer tokens and invite tokens. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Lower-case hex SHA-256 of a text: the only form in which a token is stored. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** This much of a token's hash names the token and is useless to a reader. */
export const tokenId = (tokenHash: string): string => tokenHash.slice(0, 16);

/** Tells a text from any other one, where keeping the text itself would cost memory: 44 characters. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64');

/** Compares two texts in constant time; hashing first also hides their lengths. */
export const equalInConstantTime = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

/** The short name of a student id for log lines, as `campus tag` prints it. */
export type TagOf = (userid: string) => string;

export const TAG_LENGTH = 12;

export const studentTags =
  (names: KeyedNames): TagOf =>
  (userid) =>
    names.one('student', userid).slice(0, TAG_LENGTH);

const nameUnder = (key: Buffer, parts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/**
 * One-way names of things that must not be stored or logged as they are: HMACs of 128 bits, which cannot be computed
 * without the key. Each purpose has its own key, derived from a secret key.
 */
export class KeyedNames {
  readonly #secretKeys: readonly Buffer[];
  readonly #derived = new Map<string, Buffer[]>();

  constructor(secretKeys: readonly Buffer[]) {
    this.#secretKeys = secretKeys;
  }

  /** Under the first key. */
  one(purpose: string, ...parts: readonly string[]): string {
    const [key] = this.#keysFor(purpose);
    if (key === undefined) throw new Error('no secret key to make names with');
    return nameUnder(key, parts);
  }

  /** Under every key, the first one first: what was named before a key was rotated is found again. */
  all(purpose: string, ...parts: readonly string[]): string[] {
    return this.#keysFor(purpose).map((key) => nameUnder(key, parts));
  }

  #keysFor(purpose: string): readonly Buffer[] {
    const made = this.#derived.get(purpose);
    if (made) return made;
    const info = `campus-gateway ${purpose}`;
    const keys = this.#secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', info, 32)));
    this.#derived.set(purpose, keys);
    return keys;
  }
}

/** Names what one student was answered; the answer cannot be guessed from the name. */
export type EntityTags = (userid: string, parts: readonly string[]) => string;

/** @param secret the first key; with another one every client asks once without a match */
export const createEntityTags = (secret: Buffer): EntityTags => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'entity tags of reads', 32));
  return (userid, parts) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userid, ...parts]))
      .digest('base64url')
      .slice(0, 22);
};
