import { createHmac, hkdfSync } from 'node:crypto';

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
