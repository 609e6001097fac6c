import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { failures } from '../domain/errors.ts';
import type { ImageChange, ImageUse, NewImage } from '../domain/profiles/types.ts';
import { hasValues, lockUser } from './database/rows.ts';
import { asImageFailure, confirmed, countUpload, insertImage, isUsableImage, knownImages, replaced } from './images.ts';
import type { Tables } from './schema.ts';
import type { StoreDeps } from './store.ts';

/** One update of a student's rows, with the images that it changes. */
export class ProfileUpdate {
  readonly transaction: Transaction<Tables>;
  readonly userid: string;
  readonly now: number;
  readonly #uploads: StoreDeps['numbers']['uploads'];
  /** A statement about images has failed. */
  failed = false;
  /** Whether the upload limit allows new images; null until there is one. */
  #allowed: boolean | null = null;

  constructor(
    transaction: Transaction<Tables>,
    { userid, now, uploads }: Pick<ProfileUpdate, 'userid' | 'now'> & Pick<StoreDeps['numbers'], 'uploads'>,
  ) {
    this.#uploads = uploads;
    this.transaction = transaction;
    this.userid = userid;
    this.now = now;
  }

  /** An image was left out because there were too many uploads. */
  get refused(): boolean {
    return this.#allowed === false;
  }

  /**
   * Returns the image that a place shows after the change. Several places may show one image, which is stored once.
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
    if (await this.#step(() => this.#confirm(id, place.use))) return id;
    throw failures.stagedImageUnusable(place.part);
  }

  /** Leaves images that nothing shows any more to the next sweep. */
  async release(): Promise<void> {
    const { userid, now } = this;
    await this.#step(() =>
      this.transaction
        .updateTable('images')
        .set({ state: replaced, expires_at: now })
        .where(hasValues({ userid, state: confirmed }))
        .where((to) => to.not(to.exists(selectShown(to, userid))))
        .execute(),
    );
  }

  /** Returns the new image, one that is stored already, or the current one after too many uploads. */
  async #store(image: NewImage, current: string | null): Promise<string | null> {
    const { transaction, userid, now } = this;
    const known = await knownImages(transaction, userid, image, now).execute();
    // An image that an app has got from us and sends back has lost its metadata: it has another MD5.
    if (known.some(({ id }) => id === current)) return current;
    const same = known.find(({ md5 }) => md5 === image.md5);
    if (same !== undefined && (await this.#confirm(same.id, image.use))) return same.id;
    // An update counts as one upload, with one image or two.
    this.#allowed ??= (await countUpload(transaction, this.#uploads, userid, now)) === 0;
    if (!this.#allowed) return current;
    await insertImage(transaction, userid, image, { state: confirmed, created_at: now, expires_at: null });
    return image.id;
  }

  async #confirm(id: string, use: ImageUse): Promise<boolean> {
    const row = await this.transaction
      .updateTable('images')
      .set({ state: confirmed, expires_at: null })
      .where(hasValues({ id, userid: this.userid, purpose: use }))
      .where(isUsableImage(this.now))
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

/** Places of the student that show the image of the outer query. */
const selectShown = (to: ExpressionBuilder<Tables, 'images'>, userid: string) =>
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

/** Updates one student's rows in one transaction. @throws Failure `image-store-failed` where the rows of images fail */
export const updateWithImages = async <T>(
  { runner, numbers: { uploads } }: StoreDeps,
  operation: string,
  { userid, now }: { readonly userid: string; readonly now: number },
  work: (update: ProfileUpdate) => Promise<T>,
): Promise<T> => {
  let update: ProfileUpdate | null = null;
  try {
    return await runner.transact(operation, async (transaction) => {
      if (!(await lockUser(transaction, userid))) throw failures.tokenUserGone();
      update = new ProfileUpdate(transaction, { userid, now, uploads });
      return work(update);
    });
  } catch (error) {
    throw (update as ProfileUpdate | null)?.failed ? asImageFailure(error) : error;
  }
};
