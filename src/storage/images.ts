import type { ExpressionBuilder, Transaction } from 'kysely';
import { failures, isFailure } from '../domain/errors.ts';
import type { ImageRef, ImageStore, ImageUse, NewImage, StoredImage } from '../domain/profiles/types.ts';
import { asImageType } from '../lib/images/image-types.ts';
import { hasValues, lockUser } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { Store, type StoreDeps } from './store.ts';

/** `staged` until an update names it, `confirmed` while something shows it, `replaced` until the next sweep. */
type ImageState = 'staged' | 'confirmed' | 'replaced';

/** Profiles and themes show only confirmed images. */
export const confirmed: ImageState = 'confirmed';
const staged: ImageState = 'staged';
export const replaced: ImageState = 'replaced';

/** Images of a student that wait for an update: an avatar, and two backgrounds for each of two modes. */
const stagedAtOnce: Readonly<Record<ImageUse, number>> = { avatar: 1, background: 4 };

/** Columns of an image joined to its profile or theme; `id` is that of its bytes, so null without them. */
type JoinedImage = Readonly<Record<'id' | 'type' | 'md5', string | null>>;

export const asImageRef = (use: ImageUse, { id, type, md5 }: JoinedImage): ImageRef | null => {
  const imageType = type === null ? null : asImageType(type);
  return id === null || imageType === null || md5 === null ? null : { id, use, type: imageType, md5 };
};

export const insertImage = async (
  transaction: Transaction<Tables>,
  userid: string,
  image: NewImage,
  columns: Pick<Tables['images'], 'state' | 'created_at' | 'expires_at'>,
): Promise<void> => {
  const { id, use, type, md5, tag, bytes } = image;
  const row = { id, userid, purpose: use, type, md5, tag, size: bytes.length, ...columns };
  await transaction.insertInto('images').values(row).execute();
  await transaction.insertInto('image_bytes').values({ image: id, bytes }).execute();
};

export const isUsableImage = (now: number) => (to: ExpressionBuilder<Tables, 'images'>) =>
  to.or([to('state', '=', confirmed), to.and([to('state', '=', staged), to('expires_at', '>', now)])]);

/** Finds the student's usable images with the same stored bytes. */
export const knownImages = (
  transaction: Transaction<Tables>,
  userid: string,
  { use, tag }: Pick<NewImage, 'use' | 'tag'>,
  now: number,
) =>
  transaction
    .selectFrom('images')
    .innerJoin('image_bytes', 'image_bytes.image', 'images.id')
    .select(['images.id', 'images.md5'])
    .where('userid', '=', userid)
    .where('purpose', '=', use)
    .where('tag', '=', tag)
    .where(isUsableImage(now));

/**
 * Drops the oldest staged images if one more would be too many, with their bytes, because many could come before the
 * next sweep. Returns a `created_at` that makes the next image the newest.
 */
const makeRoom = async (
  transaction: Transaction<Tables>,
  userid: string,
  use: ImageUse,
  now: number,
): Promise<number> => {
  const waiting = await transaction
    .selectFrom('images')
    .select(['id', 'created_at'])
    .where(hasValues({ userid, purpose: use, state: staged }))
    .orderBy('created_at', 'desc')
    .execute();
  const ids = waiting.slice(stagedAtOnce[use] - 1).map(({ id }) => id);
  if (ids.length > 0) {
    await transaction.deleteFrom('image_bytes').where('image', 'in', ids).execute();
    await transaction.updateTable('images').set({ state: replaced, expires_at: now }).where('id', 'in', ids).execute();
  }
  return Math.max(now, (waiting[0]?.created_at ?? 0) + 1);
};

/** Clocks of replicas may differ by this much; a later time was written by a wrong clock. */
const clockToleranceMs = 60_000;

/** Counts an upload of a student whose row is locked. Over the limit, it only returns the milliseconds to wait. */
export const countUpload = async (
  transaction: Transaction<Tables>,
  { most, windowMs }: StoreDeps['numbers']['uploads'],
  userid: string,
  now: number,
): Promise<number> => {
  const recent = await transaction
    .selectFrom('image_uploads')
    .select('uploaded_at')
    .where('userid', '=', userid)
    .where('uploaded_at', '>', now - windowMs)
    .where('uploaded_at', '<=', now + clockToleranceMs)
    .orderBy('uploaded_at', 'desc')
    .limit(most)
    .execute();
  const oldest = recent[most - 1];
  if (oldest !== undefined) return Math.max(1, oldest.uploaded_at + windowMs - now);
  await transaction.insertInto('image_uploads').values({ userid, uploaded_at: now }).execute();
  return 0;
};

/** Turns a storage failure into `image-store-failed`. */
export const asImageFailure = (error: unknown): unknown =>
  isFailure(error, 'storage-failed')
    ? failures.imageStoreFailed(error.reason ?? 'images', { cause: error.cause })
    : error;

export class SqlImageStore extends Store implements ImageStore {
  async stage(
    userid: string,
    image: NewImage,
    { now, expiresAt }: Parameters<ImageStore['stage']>[2],
  ): ReturnType<ImageStore['stage']> {
    const staging = this.runner.transact('stage image', async (transaction) => {
      if (!(await lockUser(transaction, userid))) throw failures.tokenUserGone();
      const known = await knownImages(transaction, userid, image, now).execute();
      const stored = known.find(({ md5 }) => md5 === image.md5);
      if (stored !== undefined) {
        const waiting = hasValues({ id: stored.id, state: staged });
        await transaction.updateTable('images').set({ expires_at: expiresAt }).where(waiting).execute();
        return { id: stored.id };
      }
      const waitMs = await countUpload(transaction, this.deps.numbers.uploads, userid, now);
      if (waitMs > 0) return { waitMs };
      const createdAt = await makeRoom(transaction, userid, image.use, now);
      await insertImage(transaction, userid, image, { state: staged, created_at: createdAt, expires_at: expiresAt });
      return { id: image.id };
    });
    return staging.catch((error: unknown) => {
      throw asImageFailure(error);
    });
  }

  findConfirmed({ id, use, type }: Parameters<ImageStore['findConfirmed']>[0]): Promise<StoredImage | null> {
    return this.runner.first(
      'find image',
      (db) =>
        db
          .selectFrom('images')
          .innerJoin('image_bytes', 'image_bytes.image', 'images.id')
          .select(['images.tag', 'image_bytes.bytes'])
          .where(hasValues({ id, purpose: use, type, state: confirmed })),
      ({ tag, bytes }) => ({ type, tag, bytes }),
    );
  }
}
