import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { PersonalTokenStore } from '../../domain/accounts/personal-tokens.ts';
import { scopesOf } from '../../domain/accounts/scopes.ts';
import { sessionId } from '../../domain/accounts/token-form.ts';
import { roundedUse } from '../../domain/accounts/tokens.ts';
import type { PersonalGrant } from '../../domain/context.ts';
import { countOf, nextOf } from '../database/rows.ts';
import type { Runner } from '../database/run.ts';
import { places, type Tables } from '../schema.ts';
import { openOrNull, type Sealer } from '../seal.ts';

/** The token whose id it is. */
export const withId = (id: string) =>
  sql<boolean>`substr(hash, 1, ${sql.lit(sessionId('0'.repeat(64)).length)}) = ${id}`;

type Row = Tables['tokens'];

/** A token as it is issued: by a login, unless it says otherwise. */
export const newToken = (
  token: Pick<Row, 'hash' | 'userid' | 'sequence' | 'created_at' | 'expires_at' | 'ends_at' | 'sealed_network'> &
    Partial<Row>,
): Row => ({
  last_used_at: token.created_at,
  ...{ sealed_client: null, ended_at: null, proves_until: null },
  ...{ name: null, scopes: null, copies_only: 0, replaced_by: null },
  ...token,
});

/** Null for the token of a login. */
export const grantOf = ({
  name,
  scopes,
  copies_only: copiesOnly,
}: Pick<Row, 'name' | 'scopes' | 'copies_only'>): PersonalGrant | null =>
  name === null ? null : { name, scopes: scopesOf(scopes ?? ''), copiesOnly: copiesOnly === 1 };

const live = (userid: string, now: number) => (to: ExpressionBuilder<Tables, 'tokens'>) =>
  to.and([
    to('userid', '=', userid),
    to('name', 'is not', null),
    to('expires_at', '>', now),
    to('ended_at', 'is', null),
  ]);

export const createPersonalTokenStore = (runner: Runner, sealer: Sealer): PersonalTokenStore => {
  const insert = async (
    transaction: Transaction<Tables>,
    place: { readonly userid: string; readonly revision: number },
    token: Parameters<PersonalTokenStore['make']>[1],
  ): Promise<void> => {
    const { userid, revision } = place;
    const { hash, now, expiresAt, network, grant } = token;
    const row = newToken({
      // Its sequence is below those of logins, which count those that ended before.
      ...{ hash, userid, sequence: -revision, created_at: now, expires_at: expiresAt, ends_at: expiresAt },
      sealed_network: network === null ? null : sealer.seal(network, places.network({ userid })),
      ...{ name: grant.name, scopes: grant.scopes.join(' '), copies_only: grant.copiesOnly ? 1 : 0 },
    });
    await transaction.insertInto('tokens').values(row).execute();
  };

  return {
    make: (userid, token, most) =>
      runner.transact<Awaited<ReturnType<PersonalTokenStore['make']>>>(
        'make personal token',
        async (transaction, refuse) => {
          const revision = await nextOf(transaction, userid, 'session_revision');
          if (revision === null) return 'user-gone';
          const own = transaction.selectFrom('tokens').where(live(userid, token.now)).where('replaced_by', 'is', null);
          if ((await countOf(own)) >= most) return refuse('full');
          await insert(transaction, { userid, revision }, token);
          return 'made';
        },
      ),
    list: (userid, now) =>
      runner.run('list personal tokens', async (db) => {
        const rows = await db
          .selectFrom('tokens')
          .selectAll()
          .where(live(userid, now))
          .orderBy('sequence', 'asc')
          .execute();
        return rows.flatMap((row) => {
          const grant = grantOf(row);
          if (grant === null) return [];
          return {
            ...grant,
            id: sessionId(row.hash),
            createdAt: row.created_at,
            expiresAt: row.expires_at,
            lastUsedAt: roundedUse(row.last_used_at, row.created_at),
            network: openOrNull(sealer, row.sealed_network, places.network({ userid })),
            replacedBy: row.replaced_by,
          };
        });
      }),
    rename: (userid, id, name, now) =>
      runner
        .updated('rename personal token', (db) =>
          db.updateTable('tokens').set({ name }).where(live(userid, now)).where(withId(id)),
        )
        .then((updated) => updated > 0),
    rotate: (userid, id, { newId, oldEndsAt, ...entry }) =>
      runner.transact<Awaited<ReturnType<PersonalTokenStore['rotate']>>>(
        'rotate personal token',
        async (transaction) => {
          const revision = await nextOf(transaction, userid, 'session_revision');
          if (revision === null) return 'unknown';
          const old = await transaction
            .selectFrom('tokens')
            .selectAll()
            .where(live(userid, entry.now))
            .where(withId(id))
            .executeTakeFirst();
          const grant = old === undefined ? null : grantOf(old);
          if (old === undefined || grant === null) return 'unknown';
          if (old.replaced_by !== null) return 'replaced';
          await transaction.deleteFrom('tokens').where('userid', '=', userid).where('replaced_by', '=', id).execute();
          await transaction
            .updateTable('tokens')
            .set({ replaced_by: newId, expires_at: Math.min(old.expires_at, oldEndsAt) })
            .where('hash', '=', old.hash)
            .execute();
          const expiresAt = entry.now + (old.ends_at - old.created_at);
          await insert(transaction, { userid, revision }, { ...entry, grant, expiresAt });
          return 'rotated';
        },
      ),
  };
};
