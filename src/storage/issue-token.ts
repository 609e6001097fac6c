import type { Transaction } from 'kysely';
import type { NewToken } from '../domain/accounts/ports.ts';
import type { Tables } from './schema.ts';
import type { Sealer } from './seal.ts';
import { networkPlace } from './tokens.ts';
import { nextOf } from './users-lock.ts';

/** Inserts a token as the newest of its user and returns its place in the order; null when the user is gone. */
export const insertNewestToken = async (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  token: NewToken & { userid: string; now: number },
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
      ends_at: token.tokenEndsAt,
      last_used_at: token.now,
      sealed_network: sealer.seal(token.tokenNetwork, networkPlace(token.userid)),
      ended_at: null,
    })
    .execute();
  return sequence;
};
