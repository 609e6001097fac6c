import type { Clock } from '../../lib/clock.ts';
import { LineFull, Semaphore } from '../../lib/semaphore.ts';
import type { CallContext, Student } from '../context.ts';
import { Failure } from '../errors.ts';
import type { FileTickets } from './file-tickets.ts';
import type { ImageType } from './images/image-types.ts';
import type { ImageStore } from './ports.ts';
import type { PrepareImage } from './prepare-image.ts';
import { type ImageUse, parseImageKey, type StoredImage } from './types.ts';

/** Bytes, inclusive. */
const largestUpload = 5 * 1_048_576;

const stagedLifeMs = 3_600_000;
/** Uploads that are taken in at the same time; each may hold its largest size in memory until it is kept. */
const uploadsAtOnce = 32;
const uploadLine = 256;
const retryAfterSeconds = 10;

const uploadTypes: readonly ImageType[] = ['png', 'jpeg'];

interface StagedImage {
  readonly id: string;
  readonly md5: string;
}

interface Deps {
  readonly images: ImageStore;
  readonly tickets: FileTickets;
  readonly prepare: PrepareImage;
  readonly clock: Clock;
}

export const createImages = ({ images, tickets, prepare, clock }: Deps) => {
  const places = new Semaphore(uploadsAtOnce, uploadLine);
  return {
    /**
     * Receives one upload and keeps it for an hour, to be named by an update. Only its bytes tell what it is. `receive`
     * throws `image-too-large` as soon as more than `largest` bytes arrive.
     * @throws Failure `rate-limited`, `overloaded`, `image-too-large`, `image-unsupported`, `image-store-failed`, and
     *   what `receive` throws
     */
    async uploadImage(
      { userid }: Student,
      use: ImageUse,
      context: CallContext,
      receive: (largest: number) => Promise<Uint8Array>,
    ): Promise<StagedImage> {
      try {
        return await places.run(context.signal, async () => {
          const image = await prepare(await receive(largestUpload), use, uploadTypes, context.signal);
          context.signal.throwIfAborted();
          const now = clock.now();
          const { id } = await images.stage(userid, image, { now, expiresAt: now + stagedLifeMs });
          return { id, md5: image.md5 };
        });
      } catch (error) {
        if (error instanceof LineFull) throw new Failure('overloaded', { retryAfterSeconds, cause: error });
        throw error;
      }
    },
    /**
     * The image behind an address that was given out, and for how many seconds the address is still good.
     * @throws Failure `forbidden`, `image-address-expired`, `image-unknown`
     */
    async openImage(
      key: string,
      ticket: { readonly expires: string; readonly signature: string },
    ): Promise<StoredImage & { readonly secondsLeft: number }> {
      const secondsLeft = tickets.check(key, ticket);
      const named = parseImageKey(key);
      const image = named === null ? null : await images.findConfirmed(named);
      if (image === null) throw new Failure('image-unknown');
      return { ...image, secondsLeft };
    },
  };
};
