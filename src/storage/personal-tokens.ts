import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import {
  type GrantKind,
  grantKinds,
  type PersonalToken,
  type PersonalTokenStore,
  type SettledGrants,
} from '../domain/accounts/tokens/personal-tokens.ts';
import type { PersonalGrant } from '../domain/context.ts';
import { isScope } from '../domain/scopes.ts';
import { tokenId } from '../lib/hash.ts';
import { countRows, countUser, hasValues } from './database/rows.ts';
import type { Tables } from './schema.ts';
import { openOrNull, type Sealer, sealedPlaces, sealOrNull } from './seal.ts';
import { Store } from './store.ts';

/** The condition that a token has this id. */
export const withId = (id: string) => sql<boolean>`substr(hash, 1, ${sql.lit(tokenId('0'.repeat(64)).length)}) = ${id}`;

type TokenRow = Tables['tokens'];

interface IssuedToken extends Pick<TokenRow, 'hash' | 'userid' | 'sequence' | 'created_at' | 'expires_at' | 'ends_at'> {
  readonly network: string | null;
  readonly client?: string | null;
  /** Left out for the token of a login. */
  readonly grant?: PersonalGrant;
}

export const insertToken = async (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  { network, client, grant, ...token }: IssuedToken,
): Promise<void> => {
  const row: TokenRow = {
    ...token,
    last_used_at: token.created_at,
    ended_at: null,
    proves_until: null,
    replaced_by: null,
    sealed_network: sealOrNull(sealer, network, sealedPlaces.network(token)),
    sealed_client: sealOrNull(sealer, client, sealedPlaces.client(token)),
    name: grant?.name ?? null,
    scopes: grant?.scopes.join(' ') ?? null,
    copies_only: grant?.copiesOnly ? 1 : 0,
  };
  await transaction.insertInto('tokens').values(row).execute();
};

/** Null for the token of a login. A later version may know more scopes. */
export const grantOf = ({ name, scopes, copies_only }: Pick<TokenRow, 'name' | 'scopes' | 'copies_only'>) =>
  name === null ? null : { name, scopes: (scopes ?? '').split(' ').filter(isScope), copiesOnly: copies_only === 1 };

/** The condition that a token is live at `now`. */
export const isLiveToken = (now: number) => (to: ExpressionBuilder<Tables, 'tokens'>) =>
  to.and([to('tokens.expires_at', '>', now), to('tokens.ended_at', 'is', null)]);

/** Live personal tokens of a student. */
const isLivePersonal = (userid: string, now: number) => (to: ExpressionBuilder<Tables, 'tokens'>) =>
  to.and([to('userid', '=', userid), to('name', 'is not', null), isLiveToken(now)(to)]);

type TokenToMake = Parameters<PersonalTokenStore['make']>[1];

export class SqlPersonalTokenStore extends Store implements PersonalTokenStore {
  make(userid: string, token: TokenToMake, most: number): ReturnType<PersonalTokenStore['make']> {
    return this.runner.transact('make personal token', async (transaction, refuse) => {
      const user = await countUser(transaction, userid, { session_revision: 1 });
      if (user === undefined) return 'user-gone';
      const own = transaction
        .selectFrom('tokens')
        .where(isLivePersonal(userid, token.now))
        .where('replaced_by', 'is', null);
      if ((await countRows(own)) >= most) return refuse('full');
      await this.#insert(transaction, user, token);
      return 'made';
    });
  }

  list(userid: string, now: number): Promise<PersonalToken[]> {
    return this.runner.run('list personal tokens', async (db) => {
      const own = db.selectFrom('tokens').selectAll().where(isLivePersonal(userid, now));
      const rows = await own.orderBy('sequence').execute();
      return rows.flatMap((row) => {
        const grant = grantOf(row);
        if (grant === null) return [];
        return {
          ...grant,
          id: tokenId(row.hash),
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          lastUsedAt: row.last_used_at,
          network: openOrNull(this.deps.sealer, row.sealed_network, sealedPlaces.network({ userid })),
          replacedBy: row.replaced_by,
        };
      });
    });
  }

  rename(userid: string, id: string, name: string, now: number): Promise<boolean> {
    return this.runner.hasUpdated('rename personal token', (db) =>
      db.updateTable('tokens').set({ name }).where(isLivePersonal(userid, now)).where(withId(id)),
    );
  }

  rotate(
    userid: string,
    id: string,
    { newId, oldEndsAt, ...entry }: Parameters<PersonalTokenStore['rotate']>[2],
  ): ReturnType<PersonalTokenStore['rotate']> {
    return this.runner.transact('rotate personal token', async (transaction) => {
      const user = await countUser(transaction, userid, { session_revision: 1 });
      if (user === undefined) return 'unknown';
      const all = transaction.selectFrom('tokens').selectAll().where(isLivePersonal(userid, entry.now));
      const old = await all.where(withId(id)).executeTakeFirst();
      const grant = old === undefined ? null : grantOf(old);
      if (old === undefined || grant === null) return 'unknown';
      if (old.replaced_by !== null) return 'replaced';
      await transaction
        .deleteFrom('tokens')
        .where(hasValues({ userid, replaced_by: id }))
        .execute();
      await transaction
        .updateTable('tokens')
        .set({ replaced_by: newId, expires_at: Math.min(old.expires_at, oldEndsAt) })
        .where('hash', '=', old.hash)
        .execute();
      const expiresAt = entry.now + (old.ends_at - old.created_at);
      await this.#insert(transaction, user, { ...entry, grant, expiresAt });
      return 'rotated';
    });
  }

  #insert(
    transaction: Transaction<Tables>,
    { userid, session_revision: revision }: Tables['users'],
    { hash, now, expiresAt, network, grant }: TokenToMake,
  ): Promise<void> {
    return insertToken(transaction, this.deps.sealer, {
      hash,
      userid,
      // Below those of logins, which count those that ended before.
      sequence: -revision,
      created_at: now,
      expires_at: expiresAt,
      ends_at: expiresAt,
      network,
      grant,
    });
  }
}

interface Settling {
  readonly userid: string;
  readonly keep: readonly GrantKind[];
  readonly now: number;
  /** Settles only the hooks that this session made: a thief may have made them. */
  readonly madeBy?: string;
}

/** The live grants of each kind; false: that kind is left alone. */
const rowsOf = ({ now, madeBy }: Settling) => ({
  feeds: madeBy === undefined && sql`"calendar_feeds" where 1 = 1`,
  hooks: madeBy === undefined ? sql`"event_hooks" where 1 = 1` : sql`"event_hooks" where made_by = ${madeBy}`,
  tokens: madeBy === undefined && sql`"tokens" where name is not null and ended_at is null and expires_at > ${now}`,
});

/** Ends all grants but those of the kinds in `keep`. The caller has locked the users row, so none is added. */
export const settleGrants = async (transaction: Transaction<Tables>, settling: Settling): Promise<SettledGrants> => {
  const settled = { kept: {}, ended: {} } as const satisfies SettledGrants;
  const rows = rowsOf(settling);
  for (const kind of grantKinds) {
    if (rows[kind] === false) continue;
    const isKept = settling.keep.includes(kind);
    const ofStudent = sql`${rows[kind]} and userid = ${settling.userid}`;
    const counting = sql<{ count: number }>`select count(*) as count from ${ofStudent}`.execute(transaction);
    const count = Number((await counting).rows[0]?.count ?? 0);
    if (!isKept) await sql`delete from ${ofStudent}`.execute(transaction);
    if (count > 0) Object.assign(isKept ? settled.kept : settled.ended, { [kind]: count });
  }
  return settled;
};
