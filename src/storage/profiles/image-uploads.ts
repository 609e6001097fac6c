import type { Transaction } from 'kysely';
import { uploadLimit } from '../../domain/profiles/upload-limits.ts';
import type { Runner } from '../database/run.ts';
import type { Tables } from '../schema.ts';

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

/** Forgets uploads that count no more. */
export const sweepUploads = (runner: Runner, now: number): Promise<number> =>
  runner.deleted('sweep uploads', (db) =>
    db.deleteFrom('image_uploads').where('uploaded_at', '<=', now - uploadLimit.windowMs),
  );
