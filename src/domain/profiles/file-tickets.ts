import { createHmac, hkdfSync } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { equalInConstantTime } from '../../lib/hash.ts';
import { Failure } from '../errors.ts';

/** How long an address of an image works. */
const lifeSeconds = 3_600;

/** The keys that seal secrets never sign anything themselves. */
const signingKey = (secret: Buffer): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'image addresses', 32));

/**
 * What proves that this service gave out the address of an image. The first key signs, all of them verify, so addresses
 * outlive a change of keys.
 */
export const createFileTickets = (secretKeys: readonly Buffer[], clock: Clock) => {
  const keys = secretKeys.map(signingKey);
  const [first] = keys;
  if (first === undefined) throw new Error('at least one secret key is needed');
  const sign = (secret: Buffer, key: string, expires: string): string =>
    createHmac('sha256', secret).update(`${expires}\n${key}`).digest('base64url');

  return {
    /** `expires`: Unix seconds; `signature`: 43 base64url characters. */
    issue(key: string) {
      const expires = Math.floor(clock.now() / 1_000) + lifeSeconds;
      return { expires, signature: sign(first, key, String(expires)) };
    },
    /**
     * Returns the seconds that the ticket is still good for. Checked before anything is looked up, so that nobody
     * learns which images exist.
     * @throws Failure `forbidden` for a ticket that is not ours or not for this key, `image-address-expired`
     */
    check(key: string, { expires, signature }: { readonly expires: string; readonly signature: string }): number {
      const isOurs = keys.some((secret) => equalInConstantTime(signature, sign(secret, key, expires)));
      if (!isOurs) throw new Failure('forbidden', { reason: 'image address' });
      const left = Math.ceil(Number(expires) - clock.now() / 1_000);
      if (left <= 0) throw new Failure('image-address-expired');
      return left;
    },
  };
};

export type FileTickets = ReturnType<typeof createFileTickets>;
