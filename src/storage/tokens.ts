import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { guardNumbers } from '../domain/accounts/guard/numbers.ts';
import type { FoundToken, NewToken, TokenStore } from '../domain/accounts/ports.ts';
import { sessionId } from '../domain/accounts/tokens.ts';
import { type ChangeNumber, ExactMemory } from './exact-memory.ts';
import type { Runner } from './run.ts';
import type { Tables } from './schema.ts';
import { openOrNull, type SealedPlace, type Sealer } from './seal.ts';
import { type MarkRow, markColumns, marksOf } from './student-marks.ts';
import { nextOf } from './users-lock.ts';

interface TokenRow extends MarkRow {
  readonly userid: string;
  readonly expires_at: number;
  readonly ends_at: number;
  readonly last_used_at: number;
}

export const networkPlace = (userid: string): SealedPlace => ({ userid, field: 'token-network' });

const live = (now: number) => (to: ExpressionBuilder<Tables, 'tokens'>) =>
  to.and([to('tokens.expires_at', '>', now), to('tokens.ended_at', 'is', null)]);

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

export const createTokenStore = (runner: Runner, sealer: Sealer, changes: ChangeNumber): TokenStore => {
  const memory = new ExactMemory<FoundToken>(changes);
  /** Every call of every student asks this: built once, run with the parameters of the moment. */
  const find = runner.db
    .selectFrom('tokens')
    .leftJoin('users', 'users.userid', 'tokens.userid')
    .leftJoin('credentials', 'credentials.userid', 'tokens.userid')
    .leftJoin('room_bindings', 'room_bindings.userid', 'tokens.userid')
    .select(['tokens.userid', 'tokens.expires_at', 'tokens.ends_at', 'tokens.last_used_at', ...markColumns])
    .where('tokens.hash', '=', '')
    .where('tokens.expires_at', '>', 0)
    .where('tokens.ended_at', 'is', null)
    .compile();

  const known = (hash: string, now: number): FoundToken | null => {
    const found = memory.get(hash);
    return found !== undefined && found.expiresAt > now ? found : null;
  };

  const look = async (hash: string, now: number): Promise<FoundToken | null> => {
    const [row] = await runner.lookUp<TokenRow>('find token', { ...find, parameters: [hash, now] });
    if (row === undefined) return null;
    const { userid, expires_at: expiresAt, ends_at: endsAt, last_used_at: lastUsedAt } = row;
    return { userid, expiresAt, endsAt, lastUsedAt, marks: marksOf(row) };
  };

  const deleteOne = async (
    transaction: Transaction<Tables>,
    userid: string,
    hash: string,
    now: number,
  ): Promise<number> => {
    // Of two last tokens that go at the same moment, the second deletion must count none.
    await nextOf(transaction, userid, 'session_revision');
    await transaction.deleteFrom('tokens').where('hash', '=', hash).execute();
    const { count } = await transaction
      .selectFrom('tokens')
      .select((to) => to.fn.countAll<number>().as('count'))
      .where('userid', '=', userid)
      .where(live(now))
      .executeTakeFirstOrThrow();
    return count;
  };

  return {
    find: async (hash, now) => known(hash, now) ?? memory.read(hash, () => look(hash, now)),
    known,
    bearer(hash, now) {
      const oldest = now - guardNumbers.endedTokensMs;
      return runner.run('find bearer', async (db) => {
        const row = await db
          .selectFrom('tokens')
          .select('userid')
          .where('hash', '=', hash)
          .where('expires_at', '>', oldest)
          .where((to) => to.or([to('ended_at', 'is', null), to('ended_at', '>', oldest)]))
          .executeTakeFirst();
        return row?.userid ?? null;
      });
    },
    async slide(hash, use) {
      const { userid, network } = use;
      const where = network === null ? {} : { sealed_network: sealer.seal(network, networkPlace(userid)) };
      await runner.run('slide token', (db) =>
        db
          .updateTable('tokens')
          .set({ expires_at: use.expiresAt, last_used_at: use.usedAt, ...where })
          .where('hash', '=', hash)
          .execute(),
      );
    },
    delete: (hash, now) =>
      runner.transact<number | null>('delete token', async (transaction) => {
        const token = await transaction
          .selectFrom('tokens')
          .select('userid')
          .where('hash', '=', hash)
          .executeTakeFirst();
        return token === undefined ? null : deleteOne(transaction, token.userid, hash, now);
      }),
    deleteById: (userid, id, now) =>
      runner.transact<number | null>('delete session', async (transaction) => {
        const token = await transaction
          .selectFrom('tokens')
          .select('hash')
          .where('userid', '=', userid)
          .where(live(now))
          .where(sql<boolean>`substr(hash, 1, ${sql.lit(sessionId('0'.repeat(64)).length)}) = ${id}`)
          .executeTakeFirst();
        return token === undefined ? null : deleteOne(transaction, userid, token.hash, now);
      }),
    deleteAll: (userid, now) =>
      runner.transact('delete tokens', async (transaction) => {
        await nextOf(transaction, userid, 'session_revision');
        const rows = await transaction
          .deleteFrom('tokens')
          .where('userid', '=', userid)
          .returning(['expires_at', 'ended_at'])
          .execute();
        return rows.filter((row) => row.ended_at === null && row.expires_at > now).length;
      }),
    list: (userid, now) =>
      runner.run('list tokens', async (db) => {
        const rows = await db
          .selectFrom('tokens')
          .select(['hash', 'created_at', 'last_used_at', 'sealed_network'])
          .where('userid', '=', userid)
          .where(live(now))
          .orderBy('sequence', 'desc')
          .execute();
        return rows.map((row) => ({
          id: sessionId(row.hash),
          createdAt: row.created_at,
          lastUsedAt: row.last_used_at,
          network: openOrNull(sealer, row.sealed_network, networkPlace(userid)),
        }));
      }),
    sweep(now) {
      const oldest = now - guardNumbers.endedTokensMs;
      return runner.run('sweep tokens', async (db) => {
        await db
          .updateTable('tokens')
          .set((to) => ({ ended_at: to.ref('expires_at') }))
          .where('expires_at', '<=', now)
          .where('ended_at', 'is', null)
          .execute();
        const { numDeletedRows } = await db
          .deleteFrom('tokens')
          .where((to) => to.or([to('expires_at', '<=', oldest), to('ended_at', '<=', oldest)]))
          .executeTakeFirst();
        return Number(numDeletedRows);
      });
    },
  };
};
