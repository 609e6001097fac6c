import type { ExpressionBuilder, Transaction } from 'kysely';
import { guardNumbers } from '../../domain/accounts/guard/numbers.ts';
import type { FoundToken, NewToken, TokenStore } from '../../domain/accounts/ports.ts';
import { sessionId } from '../../domain/accounts/token-form.ts';
import { type MarkRow, markColumns, marksOf } from '../campus/student-marks.ts';
import { type ChangeNumber, ExactMemory } from '../database/exact-memory.ts';
import type { Runner } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type Sealer } from '../seal.ts';
import { settleGrants, settleHooksOf } from './grants.ts';
import { createPersonalTokenStore, grantOf, withId } from './personal-tokens.ts';
import { nextOf } from './users-lock.ts';

interface TokenRow extends MarkRow {
  readonly userid: string;
  readonly expires_at: number;
  readonly ends_at: number;
  readonly last_used_at: number;
  readonly created_at: number;
  readonly name: string | null;
  readonly scopes: string | null;
  readonly copies_only: number;
}

const live = (now: number) => (to: ExpressionBuilder<Tables, 'tokens'>) =>
  to.and([to('tokens.expires_at', '>', now), to('tokens.ended_at', 'is', null)]);

const { agedMs, loggedOutMs } = guardNumbers.endedTokens;

/** What an ended token is: its hash proves for a while whose it was, network and client are forgotten. */
const ended = (now: number, provesMs: number) => ({
  ended_at: now,
  proves_until: now + provesMs,
  sealed_network: null,
  sealed_client: null,
});

/** Ends the oldest of the live tokens of logins, so that `keep` are left. */
export const endOldest = async (
  transaction: Transaction<Tables>,
  { userid, now, keep }: { readonly userid: string; readonly now: number; readonly keep: number },
): Promise<void> => {
  await transaction
    .updateTable('tokens')
    .set(ended(now, agedMs))
    .where('userid', '=', userid)
    .where('name', 'is', null)
    .where(live(now))
    .where(
      'sequence',
      'not in',
      transaction
        .selectFrom('tokens')
        .select('sequence')
        .where('userid', '=', userid)
        .where('name', 'is', null)
        .where(live(now))
        .orderBy('sequence', 'desc')
        .limit(keep),
    )
    .execute();
};

/**
 * Ends all tokens of a student's logins but that with the sequence `except`; returns how many of them were live. What ended
 * before proves no longer than what ends now.
 */
export const endTokens = async (
  transaction: Transaction<Tables>,
  {
    userid,
    now,
    provesMs,
    except = 0,
  }: { readonly userid: string; readonly now: number; readonly provesMs: number; readonly except?: number },
): Promise<number> => {
  const provesUntil = now + provesMs;
  const rows = await transaction
    .updateTable('tokens')
    .set(ended(now, provesMs))
    .where('userid', '=', userid)
    .where('name', 'is', null)
    .where('ended_at', 'is', null)
    .where('sequence', '<>', except)
    .returning('expires_at')
    .execute();
  await transaction
    .updateTable('tokens')
    .set({ proves_until: provesUntil })
    .where('userid', '=', userid)
    .where('proves_until', '>', provesUntil)
    .execute();
  return rows.filter(({ expires_at: expiresAt }) => expiresAt > now).length;
};

/** Inserts the token of a login; `sequence` is its place in the order of those of its user. */
export const insertToken = async (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  token: NewToken & { userid: string; now: number },
  sequence: number,
): Promise<void> => {
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
      sealed_network: sealer.seal(token.tokenNetwork, places.network(token)),
      sealed_client: token.tokenClient == null ? null : sealer.seal(token.tokenClient, places.client(token)),
      ended_at: null,
      proves_until: null,
      name: null,
      scopes: null,
      copies_only: 0,
      replaced_by: null,
    })
    .execute();
};

export const createTokenStore = (runner: Runner, sealer: Sealer, changes: ChangeNumber): TokenStore => {
  const memory = new ExactMemory<FoundToken>(changes);
  /** Every call of every student asks this: built once, run with the parameters of the moment. */
  const find = runner.db
    .selectFrom('tokens')
    .leftJoin('users', 'users.userid', 'tokens.userid')
    .leftJoin('credentials', 'credentials.userid', 'tokens.userid')
    .leftJoin('room_bindings', 'room_bindings.userid', 'tokens.userid')
    .select(['tokens.userid', 'tokens.expires_at', 'tokens.ends_at', 'tokens.last_used_at', 'tokens.created_at'])
    .select(['tokens.name', 'tokens.scopes', 'tokens.copies_only', ...markColumns])
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
    const { userid, expires_at: expiresAt, ends_at: endsAt, last_used_at: lastUsedAt, created_at: issuedAt } = row;
    return { userid, expiresAt, endsAt, lastUsedAt, issuedAt, personal: grantOf(row), marks: marksOf(row) };
  };

  /** The hash of the live token with that id; its name is null where a login has issued it. */
  const findById = async (
    transaction: Transaction<Tables>,
    { userid, id, now }: { readonly userid: string; readonly id: string; readonly now: number },
    name: 'is' | 'is not',
  ): Promise<string | null> => {
    const token = await transaction
      .selectFrom('tokens')
      .select('hash')
      .where('userid', '=', userid)
      .where('name', name, null)
      .where(live(now))
      .where(withId(id))
      .executeTakeFirst();
    return token?.hash ?? null;
  };

  const endOne = async (
    transaction: Transaction<Tables>,
    userid: string,
    hash: string,
    now: number,
  ): Promise<number> => {
    // Of two last tokens that end at the same moment, the second must count none.
    await nextOf(transaction, userid, 'session_revision');
    await transaction.deleteFrom('tokens').where('hash', '=', hash).where('name', 'is not', null).execute();
    await transaction.updateTable('tokens').set(ended(now, loggedOutMs)).where('hash', '=', hash).execute();
    const { count } = await transaction
      .selectFrom('tokens')
      .select((to) => to.fn.countAll<number>().as('count'))
      .where('userid', '=', userid)
      .where(live(now))
      .executeTakeFirstOrThrow();
    return count;
  };

  return {
    personal: createPersonalTokenStore(runner, sealer),
    find: async (hash, now) => known(hash, now) ?? memory.read(hash, () => look(hash, now)),
    known,
    bearer: (hash, now) =>
      runner.run('find bearer', async (db) => {
        const row = await db
          .selectFrom('tokens')
          .select('userid')
          .where('hash', '=', hash)
          .where((to) =>
            to.or([
              to('proves_until', '>', now),
              to.and([to('ended_at', 'is', null), to('expires_at', '>', now - agedMs)]),
            ]),
          )
          .executeTakeFirst();
        return row?.userid ?? null;
      }),
    async slide(hash, use) {
      const { userid, network } = use;
      const where = network === null ? {} : { sealed_network: sealer.seal(network, places.network({ userid })) };
      await runner.run('slide token', (db) =>
        db
          .updateTable('tokens')
          .set({ ...(use.expiresAt === null ? {} : { expires_at: use.expiresAt }), last_used_at: use.usedAt, ...where })
          .where('hash', '=', hash)
          .where('ended_at', 'is', null)
          .execute(),
      );
    },
    end: (hash, now) =>
      runner.transact<number | null>('end token', async (transaction) => {
        const token = await transaction
          .selectFrom('tokens')
          .select('userid')
          .where('hash', '=', hash)
          .where(live(now))
          .executeTakeFirst();
        return token === undefined ? null : endOne(transaction, token.userid, hash, now);
      }),
    endPersonal: (userid, id, now) =>
      runner.transact<number | null>('end personal token', async (transaction) => {
        const hash = await findById(transaction, { userid, id, now }, 'is not');
        return hash === null ? null : endOne(transaction, userid, hash, now);
      }),
    endLogin: (userid, id, keep, now) =>
      runner.transact('end session', async (transaction) => {
        const hash = await findById(transaction, { userid, id, now }, 'is');
        if (hash === null) return null;
        const left = await endOne(transaction, userid, hash, now);
        return { left, grants: await settleHooksOf(transaction, { userid, madeBy: id, keep }) };
      }),
    endAll: (userid, keep, now) =>
      runner.transact('end tokens', async (transaction) => {
        await nextOf(transaction, userid, 'session_revision');
        const tokens = await endTokens(transaction, { userid, now, provesMs: loggedOutMs });
        return { tokens, grants: await settleGrants(transaction, { userid, keep, now }) };
      }),
    revokeAll: (userid, keep, now) =>
      runner.transact('revoke tokens', async (transaction) => {
        await nextOf(transaction, userid, 'session_revision');
        const rows = await transaction
          .deleteFrom('tokens')
          .where('userid', '=', userid)
          .where('name', 'is', null)
          .returning(['expires_at', 'ended_at'])
          .execute();
        const tokens = rows.filter((row) => row.ended_at === null && row.expires_at > now).length;
        return { tokens, grants: await settleGrants(transaction, { userid, keep, now }) };
      }),
    list: (userid, now) =>
      runner.run('list tokens', async (db) => {
        const rows = await db
          .selectFrom('tokens')
          .select(['hash', 'created_at', 'last_used_at', 'sealed_network', 'sealed_client'])
          .where('userid', '=', userid)
          .where('name', 'is', null)
          .where(live(now))
          .orderBy('sequence', 'desc')
          .execute();
        return rows.map((row) => ({
          id: sessionId(row.hash),
          createdAt: row.created_at,
          lastUsedAt: row.last_used_at,
          network: openOrNull(sealer, row.sealed_network, places.network({ userid })),
          client: openOrNull(sealer, row.sealed_client, places.client({ userid })),
        }));
      }),
    sweep: (now) =>
      runner.run('sweep tokens', async (db) => {
        await db.deleteFrom('tokens').where('name', 'is not', null).where('expires_at', '<=', now).execute();
        await db
          .updateTable('tokens')
          .set((to) => ({
            ended_at: to.ref('expires_at'),
            proves_until: to('expires_at', '+', agedMs),
            sealed_network: null,
            sealed_client: null,
          }))
          .where('expires_at', '<=', now)
          .where('ended_at', 'is', null)
          .execute();
        const { numDeletedRows } = await db
          .deleteFrom('tokens')
          .where('ended_at', 'is not', null)
          .where((to) =>
            to.or([
              to('proves_until', '<=', now),
              // Who logs in and out all day long leaves a hash each time.
              to(
                'sequence',
                '<=',
                to
                  .selectFrom('users')
                  .select((user) => user('token_sequence', '-', guardNumbers.endedTokens.logins).as('oldest'))
                  .whereRef('users.userid', '=', 'tokens.userid'),
              ),
            ]),
          )
          .executeTakeFirst();
        return Number(numDeletedRows);
      }),
  };
};
