import { Failure, isFailure } from '../../domain/errors.ts';
import type { ImageStore } from '../../domain/profiles/types.ts';
import { asImageType } from '../../lib/images/image-types.ts';
import { has, lockUser } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import { confirmed, countUpload, insertImage, knownImages, makeRoom, staged, sweepUploads } from './image-rows.ts';

/** Overwriting megabytes in one statement holds up everything else. */
const sweptAtOnce = 4;

export const createImageStore = (runner: Runner): ImageStore => {
  return {
    async stage(userid, image, { now, expiresAt }) {
      try {
        return await runner.transact('stage image', async (transaction) => {
          if (!(await lockUser(transaction, userid))) throw new Failure('token-user-gone');
          const kept = await knownImages(transaction, userid, image, now).execute();
          const stored = kept.find(({ md5 }) => md5 === image.md5);
          if (stored !== undefined) {
            const waiting = has({ id: stored.id, state: staged });
            await transaction.updateTable('images').set({ expires_at: expiresAt }).where(waiting).execute();
            return { id: stored.id };
          }
          const retryAfterSeconds = await countUpload(transaction, userid, now);
          if (retryAfterSeconds !== null) throw new Failure('rate-limited', { retryAfterSeconds, reason: 'uploads' });
          const createdAt = await makeRoom(transaction, userid, image.use, now);
          await insertImage(transaction, userid, image, { state: staged, now: createdAt, expiresAt });
          return { id: image.id };
        });
      } catch (error) {
        if (!isFailure(error, 'storage-failed')) throw error;
        throw new Failure('image-store-failed', { reason: 'stage image', cause: error.cause });
      }
    },
    findConfirmed: ({ id, use, type }) =>
      runner.run('find image', async (db) => {
        const row = await db
          .selectFrom('images')
          .innerJoin('image_bytes', 'image_bytes.image', 'images.id')
          .select(['images.type', 'images.tag', 'image_bytes.bytes'])
          .where('images.id', '=', id)
          .where('images.purpose', '=', use)
          .where('images.type', '=', type)
          .where('images.state', '=', confirmed)
          .executeTakeFirst();
        const imageType = row === undefined ? null : asImageType(row.type);
        return row === undefined || imageType === null ? null : { type: imageType, tag: row.tag, bytes: row.bytes };
      }),
    /** An update may confirm an image between two statements, but not within one. */
    async sweep(now) {
      const removed = await runner.deletedInPieces(
        'sweep images',
        'images',
        (to) => to('expires_at', '<=', now),
        sweptAtOnce,
      );
      await sweepUploads(runner, now);
      return removed;
    },
  };
};
