import { createHmac, hkdfSync } from 'node:crypto';

/** Names what one student was answered, so that nobody who sees the name can guess the answer from it. */
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

/** The tags of values in memory, for answers that are made of one value and of nothing else. */
export class KnownTags {
  readonly #last = new WeakMap<object, { readonly name: string; readonly tag: string }>();

  /** `name`: whose answer to what it is; while it stays the same, `make` is called once for a value. */
  of(value: object, name: string, make: () => string): string {
    const last = this.#last.get(value);
    if (last?.name === name) return last.tag;
    const tag = make();
    this.#last.set(value, { name, tag });
    return tag;
  }
}
