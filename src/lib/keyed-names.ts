import { createHmac, hkdfSync } from 'node:crypto';

/** One-way names of things that must not be stored or logged as they are. They cannot be computed without the key. */
export interface KeyedNames {
  /** Under the first key. */
  one(purpose: string, ...parts: readonly string[]): string;
  /** Under every key, the first one first: what was named before a key was rotated is found again. */
  all(purpose: string, ...parts: readonly string[]): string[];
}

/** The short name of a student id for log lines, as `campus tag` prints it. */
export type TagOf = (userid: string) => string;

const TAG_LENGTH = 12;

export const studentTags =
  (names: KeyedNames): TagOf =>
  (userid) =>
    names.one('student', userid).slice(0, TAG_LENGTH);

/** Names are HMACs of 128 bits; each purpose has its own key, derived from a secret key. */
export const createKeyedNames = (secretKeys: readonly Buffer[]): KeyedNames => {
  const derived = new Map<string, Buffer[]>();
  const keysFor = (purpose: string): Buffer[] => {
    const made = derived.get(purpose);
    if (made) return made;
    const keys = secretKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `campus-gateway ${purpose}`, 32)));
    derived.set(purpose, keys);
    return keys;
  };
  const name = (key: Buffer, parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return {
    one(purpose, ...parts) {
      const [key] = keysFor(purpose);
      if (key === undefined) throw new Error('no secret key to make names with');
      return name(key, parts);
    },
    all: (purpose, ...parts) => keysFor(purpose).map((key) => name(key, parts)),
  };
};
