import { createHmac, hkdfSync } from 'node:crypto';
import { equalInConstantTime } from '../../lib/hash.ts';
import type { ImageType } from '../../lib/images/image-types.ts';
import { Semaphore } from '../../lib/queues.ts';
import { type Clock, HOUR_MS } from '../../lib/time.ts';
import type { CallContext, Student } from '../context.ts';
import { failures } from '../errors.ts';
import { limitFailure, limits } from '../limits.ts';
import { enterQueue, type PrepareImage } from './prepare-image.ts';
import { type ImageStore, type ImageUse, parseImageKey, type StoredImage } from './types.ts';

/** Lifetime of an image address. */
const lifeSeconds = 3_600;

/** Derived, so that the keys that seal secrets sign nothing themselves. */
const signingKey = (secret: Buffer): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'image addresses', 32));

/** Signs addresses of images. The first key signs and all verify, so addresses outlive a change of keys. */
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
     * Returns the seconds for which the ticket is still valid. Called before any look-up, so that a caller never learns
     * which images exist.
     * @throws Failure `forbidden` for a ticket that is not ours or not for this key, `image-address-expired`
     */
    check(key: string, { expires, signature }: { readonly expires: string; readonly signature: string }): number {
      const isOurs = keys.some((secret) => equalInConstantTime(signature, sign(secret, key, expires)));
      if (!isOurs) throw failures.forbidden('image address');
      const left = Math.ceil(Number(expires) - clock.now() / 1_000);
      if (left <= 0) throw failures.imageAddressExpired();
      return left;
    },
  };
};

export type FileTickets = ReturnType<typeof createFileTickets>;

/** Bytes, inclusive. */
const largestUpload = 5 * 1_048_576;

const stagedLifeMs = HOUR_MS;
/** Most simultaneous uploads; each may hold its largest size in memory. */
const uploadsAtOnce = 32;
const uploadsWaiting = 256;

const uploadTypes: readonly ImageType[] = ['png', 'jpeg'];

interface StagedImage {
  readonly id: string;
  readonly md5: string;
}

interface ImageDeps {
  readonly images: ImageStore;
  readonly tickets: FileTickets;
  readonly prepare: PrepareImage;
  readonly clock: Clock;
}

export const createImages = ({ images, tickets, prepare, clock }: ImageDeps) => {
  const uploads = new Semaphore(uploadsAtOnce, uploadsWaiting);
  return {
    /**
     * Stores one upload for an hour, until an update names it. `receive` throws `image-too-large` once more than `largest`
     * bytes arrive.
     * @throws Failure `rate-limited`, `overloaded`, `image-too-large`, `image-unsupported`, `image-store-failed`, and
     *   what `receive` throws
     */
    async uploadImage(
      { userid }: Student,
      use: ImageUse,
      context: CallContext,
      receive: (largest: number) => Promise<Uint8Array>,
    ): Promise<StagedImage> {
      const { signal } = context;
      using _place = await enterQueue(uploads, signal);
      const image = await prepare(await receive(largestUpload), use, uploadTypes, signal);
      signal.throwIfAborted();
      const now = clock.now();
      const staged = await images.stage(userid, image, { now, expiresAt: now + stagedLifeMs });
      if ('waitMs' in staged) throw limitFailure(limits.uploads, staged.waitMs);
      return { ...staged, md5: image.md5 };
    },
    /**
     * `secondsLeft`: for how long the address is still valid.
     * @throws Failure `forbidden`, `image-address-expired`, `image-unknown`
     */
    async openImage(
      key: string,
      ticket: { readonly expires: string; readonly signature: string },
    ): Promise<StoredImage & { readonly secondsLeft: number }> {
      const secondsLeft = tickets.check(key, ticket);
      const named = parseImageKey(key);
      const image = named === null ? null : await images.findConfirmed(named);
      if (image === null) throw failures.imageUnknown();
      return { ...image, secondsLeft };
    },
  };
};
