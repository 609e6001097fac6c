import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { Failure, isFailure } from '../../domain/errors.ts';
import {
  type ImageChange,
  type ImageRef,
  type ImageUse,
  type NewImage,
  stagedAtOnce,
  uploadLimit,
} from '../../domain/profiles/types.ts';
import { asImageType } from '../../lib/images/image-types.ts';
import { has, lockUser } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import type { ImageState, Tables } from '../schema.ts';

/** The state of images that profiles and themes may show. */
export const confirmed: ImageState = 'confirmed';
export const staged: ImageState = 'staged';
const replaced: ImageState = 'replaced';

/** Columns of an image that was joined to what shows it; the id is that of its bytes, so null without them. */
interface JoinedImage {
  readonly id: string | null;
  readonly type: string | null;
  readonly md5: string | null;
}

export const asImageRef = (use: ImageUse, { id, type, md5 }: JoinedImage): ImageRef | null => {
  const imageType = type === null ? null : asImageType(type);
  return id === null || imageType === null || md5 === null ? null : { id, use, type: imageType, md5 };
};

export const insertImage = async (
  transaction: Transaction<Tables>,
  userid: string,
  image: NewImage,
  entry: { state: ImageState; now: number; expiresAt: number | null },
): Promise<void> => {
  const { id, use, type, md5, tag, bytes } = image;
  await transaction
    .insertInto('images')
    .values({
      ...{ id, userid, purpose: use, state: entry.state, type, md5, tag, size: bytes.length },
      ...{ created_at: entry.now, expires_at: entry.expiresAt },
    })
    .execute();
  await transaction.insertInto('image_bytes').values({ image: id, bytes }).execute();
};

const isUsable = (now: number) => (to: ExpressionBuilder<Tables, 'images'>) =>
  to.or([to('state', '=', confirmed), to.and([to('state', '=', staged), to('expires_at', '>', now)])]);

/** The student's images that can be shown and hold the same kept bytes. */
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
    .where(isUsable(now));

/**
 * Drops the oldest staged images of a use where one more would be too many, and their bytes at once: a sweep is up
 * to ten minutes away, in which many could come. Returns a moment by which the next one is the newest.
 */
export const makeRoom = async (
  transaction: Transaction<Tables>,
  userid: string,
  use: ImageUse,
  now: number,
): Promise<number> => {
  const waiting = await transaction
    .selectFrom('images')
    .select(['id', 'created_at'])
    .where(has({ userid, purpose: use, state: staged }))
    .orderBy('created_at', 'desc')
    .execute();
  const ids = waiting.slice(stagedAtOnce[use] - 1).map(({ id }) => id);
  if (ids.length > 0) {
    await transaction.deleteFrom('image_bytes').where('image', 'in', ids).execute();
    await transaction.updateTable('images').set({ state: replaced, expires_at: now }).where('id', 'in', ids).execute();
  }
  return Math.max(now, (waiting[0]?.created_at ?? 0) + 1);
};

/** How far apart clocks of replicas may be. A moment beyond that was noted by a clock that was wrong. */
const clockToleranceMs = 60_000;

/**
 * Counts one upload of a student whose row is locked. Null; or the seconds until the next one, where there have been
 * as many as there may be, and then it is not counted.
 */
export const countUpload = async (
  transaction: Transaction<Tables>,
  userid: string,
  now: number,
): Promise<number | null> => {
  const { most, windowMs } = uploadLimit;
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
  if (oldest !== undefined) return Math.max(1, Math.ceil((oldest.uploaded_at + windowMs - now) / 1_000));
  await transaction.insertInto('image_uploads').values({ userid, uploaded_at: now }).execute();
  return null;
};

export const sweepUploads = (runner: Runner, now: number): Promise<number> =>
  runner.deletedInPieces('sweep uploads', 'image_uploads', (to) => to('uploaded_at', '<=', now - uploadLimit.windowMs));

/** One student's images within one update. */
export class ImageChanges {
  readonly #transaction: Transaction<Tables>;
  readonly #userid: string;
  readonly #now: number;
  readonly #confirmed = new Set<string>();
  /** True once a statement about images has failed. */
  failed = false;
  /** Whether new images are among the uploads that are allowed; null until there is one. */
  #allowed: boolean | null = null;

  constructor(transaction: Transaction<Tables>, userid: string, now: number) {
    this.#transaction = transaction;
    this.#userid = userid;
    this.#now = now;
  }

  /** An image was left out because there were too many uploads. */
  get refused(): boolean {
    return this.#allowed === false;
  }

  /**
   * The image that a place shows after the change. One image may be named for several places, and again for a place
   * that shows it; what is stored already is not stored again.
   * @throws Failure `staged-image-unusable` {part}
   */
  async resolve(
    place: { readonly use: ImageUse; readonly part: string },
    change: ImageChange | undefined,
    current: string | null,
  ): Promise<string | null> {
    if (change === undefined) return current;
    if (change.action === 'remove') return null;
    if (change.action === 'store') return this.#step(() => this.#store(change.image, current));
    const { id } = change;
    if (!this.#confirmed.has(id) && !(await this.#step(() => this.#confirm(id, place.use)))) {
      throw new Failure('staged-image-unusable', { part: place.part });
    }
    this.#confirmed.add(id);
    return id;
  }

  /** Marks the images that nothing shows any more; a sweep removes them. */
  async release(): Promise<void> {
    const [userid, now] = [this.#userid, this.#now];
    await this.#step(() =>
      this.#transaction
        .updateTable('images')
        .set({ state: replaced, expires_at: now })
        .where(has({ userid, state: confirmed }))
        .where((to) => to.not(to.exists(shown(to, userid))))
        .execute(),
    );
  }

  /** The image that is stored already, the new one, or the current one when there were too many new ones. */
  async #store(image: NewImage, current: string | null): Promise<string | null> {
    const [transaction, userid, now] = [this.#transaction, this.#userid, this.#now];
    const kept = await knownImages(transaction, userid, image, now).execute();
    // A picture that an app got from us and sends back has lost its metadata: it is the same one under another MD5.
    if (kept.some(({ id }) => id === current)) return current;
    const same = kept.find(({ md5 }) => md5 === image.md5);
    if (same !== undefined && (await this.#confirm(same.id, image.use))) return same.id;
    // One update is one upload, with one image or two.
    this.#allowed ??= (await countUpload(transaction, userid, now)) === null;
    if (!this.#allowed) return current;
    await insertImage(transaction, userid, image, { state: confirmed, now, expiresAt: null });
    return image.id;
  }

  async #confirm(id: string, use: ImageUse): Promise<boolean> {
    const row = await this.#transaction
      .updateTable('images')
      .set({ state: confirmed, expires_at: null })
      .where(has({ id, userid: this.#userid, purpose: use }))
      .where(isUsable(this.#now))
      .where('id', 'in', (to) => to.selectFrom('image_bytes').select('image').where('image', '=', id))
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async #step<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }
}

/** Every place of the student that shows the image of the outer statement. */
const shown = (to: ExpressionBuilder<Tables, 'images'>, userid: string) =>
  to
    .selectFrom('users')
    .leftJoin('user_profiles', 'user_profiles.userid', 'users.userid')
    .leftJoin('client_themes', 'client_themes.userid', 'users.userid')
    .leftJoin('app_profiles', 'app_profiles.userid', 'users.userid')
    .select(sql`1`.as('one'))
    .where('users.userid', '=', userid)
    .where((inner) =>
      inner.or([
        inner('user_profiles.avatar_image', '=', inner.ref('images.id')),
        inner('client_themes.light_image', '=', inner.ref('images.id')),
        inner('client_themes.dark_image', '=', inner.ref('images.id')),
        inner('app_profiles.background_image', '=', inner.ref('images.id')),
      ]),
    );

/** An update of one student's rows; a failure of the image rows is told apart from any other. */
export const updateWithImages = async <T>(
  runner: Runner,
  operation: string,
  entry: { readonly userid: string; readonly now: number },
  work: (transaction: Transaction<Tables>, images: ImageChanges) => Promise<T>,
): Promise<T> => {
  const { userid, now } = entry;
  let images: ImageChanges | null = null;
  try {
    return await runner.transact(operation, async (transaction) => {
      if (!(await lockUser(transaction, userid))) throw new Failure('token-user-gone');
      images = new ImageChanges(transaction, userid, now);
      return work(transaction, images);
    });
  } catch (error) {
    throw imageFailure(error, images);
  }
};

const imageFailure = (error: unknown, images: ImageChanges | null): unknown =>
  images?.failed === true && isFailure(error, 'storage-failed')
    ? new Failure('image-store-failed', { reason: error.reason ?? 'images', cause: error.cause })
    : error;
