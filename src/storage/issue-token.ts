import type { Transaction } from 'kysely';
import type { Tables } from './schema.ts';
import { nextOf } from './users-lock.ts';

/** Inserts a token as the newest of its user and returns its place in the order; null when the user is gone. */
export const insertNewestToken = async (
  transaction: Transaction<Tables>,
  token: { userid: string; tokenHash: string; tokenExpiresAt: number; now: number },
): Promise<number | null> => {
  const sequence = await nextOf(transaction, token.userid, 'token_sequence');
  if (sequence === null) return null;
  await transaction
    .insertInto('tokens')
    .values({
      hash: token.tokenHash,
      userid: token.userid,
      sequence,
      created_at: token.now,
      expires_at: token.tokenExpiresAt,
    })
    .execute();
  return sequence;
};
