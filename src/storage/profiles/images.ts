import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure, isFailure } from '../../domain/errors.ts';
import { asImageType } from '../../domain/profiles/images/image-types.ts';
import type { ImageStore } from '../../domain/profiles/types.ts';
import { has, lockUser } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import { confirmed, countUpload, insertImage, knownImages, makeRoom, staged, sweepUploads } from './image-rows.ts';

/** Overwriting megabytes in one statement holds up everything else. */
const sweptAtOnce = 4;
const sweptPerRun = 4_000;

export const createImageStore = (runner: Runner): ImageStore => {
  const sweepSome = (now: number): Promise<number> =>
    runner.deleted('sweep images', (db) =>
      db
        .deleteFrom('images')
        .where('id', 'in', (to) =>
          to.selectFrom('images').select('id').where('expires_at', '<=', now).limit(sweptAtOnce),
        )
        // Checked again, in the row that is deleted: an update may have confirmed it since the choice was made.
        .where('expires_at', '<=', now),
    );

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
    /** A few at a time, with room for other work between them; what is left waits for the next sweep. */
    async sweep(now) {
      let removed = 0;
      while (removed < sweptPerRun) {
        const some = await sweepSome(now);
        removed += some;
        if (some < sweptAtOnce) break;
        await nextTurn();
      }
      await sweepUploads(runner, now);
      return removed;
    },
  };
};
