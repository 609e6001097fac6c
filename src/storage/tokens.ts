import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import type { NewToken, TokenRecord, TokenStore } from '../domain/accounts/ports.ts';
import type { GrantKind, SettledGrants } from '../domain/accounts/tokens/personal-tokens.ts';
import { tokenId } from '../lib/hash.ts';
import { countRows, hasValues, lockUser } from './database/rows.ts';
import { grantOf, insertToken, isLiveToken, SqlPersonalTokenStore, settleGrants, withId } from './personal-tokens.ts';
import type { Tables } from './schema.ts';
import { openOrNull, type Sealer, sealedPlaces, sealOrNull } from './seal.ts';
import { endTrust } from './sessions.ts';
import { Store, type StoreDeps } from './store.ts';
import { markColumns, studentMarksOf } from './student-marks.ts';

/** Tokens that the student's logins have issued. */
const ofLogins = (userid: string) => (to: ExpressionBuilder<Tables, 'tokens'>) =>
  to.and([to('userid', '=', userid), to('name', 'is', null)]);

/** Columns of a token that ends: its hash identifies the student for a while, network and client are forgotten. */
export const endingColumns = ({ numbers }: Pick<StoreDeps, 'numbers'>, now: number) => ({
  ended_at: now,
  proves_until: now + numbers.endedTokens.provesMs,
  sealed_network: null,
  sealed_client: null,
});

type Ending = ReturnType<typeof endingColumns>;

/** Ends the oldest live tokens of logins, so that `keep` are left. */
export const endOldest = async (
  transaction: Transaction<Tables>,
  userid: string,
  ending: Ending,
  keep: number,
): Promise<void> => {
  const isLive = isLiveToken(ending.ended_at);
  const own = transaction.selectFrom('tokens').select('sequence').where(ofLogins(userid)).where(isLive);
  await transaction
    .updateTable('tokens')
    .set(ending)
    .where(ofLogins(userid))
    .where(isLive)
    .where('sequence', 'not in', own.orderBy('sequence', 'desc').limit(keep))
    .execute();
};

/**
 * Ends all tokens of a student's logins but the one with the sequence `except`. Earlier tokens identify the student no
 * longer than these.
 */
export const endTokens = async (
  transaction: Transaction<Tables>,
  userid: string,
  ending: Ending,
  except = 0,
): Promise<void> => {
  await transaction
    .updateTable('tokens')
    .set(ending)
    .where(ofLogins(userid))
    .where('ended_at', 'is', null)
    .where('sequence', '<>', except)
    .execute();
  await transaction
    .updateTable('tokens')
    .set({ proves_until: ending.proves_until })
    .where('userid', '=', userid)
    .where('proves_until', '>', ending.proves_until)
    .execute();
};

/** `sequence`: the place of the token in the order in which the student's tokens were issued. */
export const insertLogin = (
  transaction: Transaction<Tables>,
  sealer: Sealer,
  { userid, now, ...token }: NewToken & { userid: string; now: number },
  sequence: number,
): Promise<void> =>
  insertToken(transaction, sealer, {
    hash: token.tokenHash,
    userid,
    sequence,
    created_at: now,
    expires_at: token.tokenExpiresAt,
    ends_at: token.tokenEndsAt,
    network: token.tokenNetwork,
    client: token.tokenClient,
  });

/** Ends the live token that fits. Returns how many its student still has; null where there is no such token. */
const endOne = async (
  transaction: Transaction<Tables>,
  isMeant: (to: ExpressionBuilder<Tables, 'tokens'>) => Expression<SqlBool>,
  ending: Ending,
): Promise<number | null> => {
  const isLive = isLiveToken(ending.ended_at);
  const found = transaction.selectFrom('tokens').select(['userid', 'hash']).where(isMeant).where(isLive);
  const token = await found.executeTakeFirst();
  if (token === undefined) return null;
  const { userid, hash } = token;
  // If the last two tokens end at the same time, the second one must count none left.
  await lockUser(transaction, userid);
  await transaction.deleteFrom('tokens').where('hash', '=', hash).where('name', 'is not', null).execute();
  await transaction.updateTable('tokens').set(ending).where('hash', '=', hash).execute();
  return countRows(transaction.selectFrom('tokens').where('userid', '=', userid).where(isLive));
};

export class SqlTokenStore extends Store implements TokenStore {
  readonly personal = new SqlPersonalTokenStore(this.deps);
  /** Built once, because every call asks this. */
  readonly #find = this.runner.db
    .selectFrom('tokens')
    .leftJoin('users', 'users.userid', 'tokens.userid')
    .leftJoin('credentials', 'credentials.userid', 'tokens.userid')
    .leftJoin('room_bindings', 'room_bindings.userid', 'tokens.userid')
    .select(['tokens.userid', 'tokens.expires_at as expiresAt', 'tokens.ends_at as endsAt'])
    .select(['tokens.last_used_at as lastUsedAt', 'tokens.created_at as issuedAt'])
    .select(['tokens.name', 'tokens.scopes', 'tokens.copies_only', ...markColumns])
    .where('tokens.hash', '=', '')
    .where('tokens.expires_at', '>', 0)
    .where('tokens.ended_at', 'is', null)
    .compile();

  async find(hash: string, now: number): Promise<TokenRecord | null> {
    const [row] = await this.runner.lookUp('find token', this.#find, [hash, now]);
    if (row === undefined) return null;
    const { userid, expiresAt, endsAt, lastUsedAt, issuedAt } = row;
    return { userid, expiresAt, endsAt, lastUsedAt, issuedAt, personal: grantOf(row), marks: studentMarksOf(row) };
  }

  bearer(hash: string, now: number): Promise<string | null> {
    return this.runner.first(
      'find bearer',
      (db) =>
        db
          .selectFrom('tokens')
          .select('userid')
          .where('hash', '=', hash)
          .where((to) =>
            to.or([
              to('proves_until', '>', now),
              to.and([to('ended_at', 'is', null), to('expires_at', '>', now - this.deps.numbers.endedTokens.provesMs)]),
            ]),
          ),
      (row) => row.userid,
    );
  }

  slide(hash: string, { userid, network, expiresAt, usedAt }: Parameters<TokenStore['slide']>[1]): Promise<void> {
    const sealed = sealOrNull(this.deps.sealer, network, sealedPlaces.network({ userid }));
    return this.runner.finish('slide token', (db) =>
      db
        .updateTable('tokens')
        // Columns that are undefined stay as they are.
        .set({ expires_at: expiresAt ?? undefined, last_used_at: usedAt, sealed_network: sealed ?? undefined })
        .where('hash', '=', hash)
        .where('ended_at', 'is', null),
    );
  }

  end(hash: string, now: number): Promise<number | null> {
    const ending = endingColumns(this.deps, now);
    return this.runner.transact('end token', (transaction) => endOne(transaction, hasValues({ hash }), ending));
  }

  endPersonal(userid: string, id: string, now: number): Promise<number | null> {
    const isMeant = (to: ExpressionBuilder<Tables, 'tokens'>) =>
      to.and([to('userid', '=', userid), to('name', 'is not', null), withId(id)]);
    const ending = endingColumns(this.deps, now);
    return this.runner.transact('end personal token', (transaction) => endOne(transaction, isMeant, ending));
  }

  endLogin(userid: string, id: string, keep: readonly GrantKind[], now: number): ReturnType<TokenStore['endLogin']> {
    return this.runner.transact('end session', async (transaction) => {
      const isMeant = (to: ExpressionBuilder<Tables, 'tokens'>) => to.and([ofLogins(userid)(to), withId(id)]);
      const left = await endOne(transaction, isMeant, endingColumns(this.deps, now));
      if (left === null) return null;
      return { left, grants: await settleGrants(transaction, { userid, keep, now, madeBy: id }) };
    });
  }

  endAll(userid: string, keep: readonly GrantKind[], now: number): Promise<SettledGrants> {
    return this.runner.transact('end tokens', async (transaction) => {
      await lockUser(transaction, userid);
      await endTokens(transaction, userid, endingColumns(this.deps, now));
      await endTrust(transaction, userid);
      return settleGrants(transaction, { userid, keep, now });
    });
  }

  /** Does the same, and neither those tokens nor any that ended before identify the student. `tokens`: how many were live. */
  revokeAll(
    userid: string,
    keep: readonly GrantKind[],
    now: number,
  ): Promise<{ readonly tokens: number; readonly grants: SettledGrants }> {
    return this.runner.transact('revoke tokens', async (transaction) => {
      await lockUser(transaction, userid);
      const rows = await transaction
        .deleteFrom('tokens')
        .where(ofLogins(userid))
        .returning(['expires_at', 'ended_at'])
        .execute();
      const tokens = rows.filter((row) => row.ended_at === null && row.expires_at > now).length;
      return { tokens, grants: await settleGrants(transaction, { userid, keep, now }) };
    });
  }

  list(userid: string, now: number): ReturnType<TokenStore['list']> {
    return this.runner.all(
      'list tokens',
      (db) =>
        db
          .selectFrom('tokens')
          .select(['hash', 'created_at', 'last_used_at', 'sealed_network', 'sealed_client'])
          .where(ofLogins(userid))
          .where(isLiveToken(now))
          .orderBy('sequence', 'desc'),
      (row) => ({
        id: tokenId(row.hash),
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        network: openOrNull(this.deps.sealer, row.sealed_network, sealedPlaces.network({ userid })),
        client: openOrNull(this.deps.sealer, row.sealed_client, sealedPlaces.client({ userid })),
      }),
    );
  }

  /** Ends expired tokens of logins, and forgets all but the last of a student who logs in and out all day. */
  async sweep(now: number): Promise<number> {
    const { runner } = this;
    const { provesMs, logins } = this.deps.numbers.endedTokens;
    const isExpired = (to: ExpressionBuilder<Tables, 'tokens'>) =>
      to.and([to('expires_at', '<=', now), to('ended_at', 'is', null), to('name', 'is', null)]);
    await runner.inPieces(() =>
      runner.countUpdated('end tokens', (db) =>
        db
          .updateTable('tokens')
          .set((to) => ({
            ...endingColumns(this.deps, now),
            ended_at: to.ref('expires_at'),
            proves_until: to('expires_at', '+', provesMs),
          }))
          .where(runner.someOf('tokens', isExpired)),
      ),
    );
    return runner.deletedByStudents('sweep logins', (db, { after, upTo }) =>
      db
        .deleteFrom('tokens')
        .where('userid', '>', after)
        .where('userid', '<=', upTo)
        .where('ended_at', 'is not', null)
        .where('sequence', '<=', (to) =>
          to
            .selectFrom('users')
            .select((user) => user('token_sequence', '-', logins).as('oldest'))
            .whereRef('users.userid', '=', 'tokens.userid')
            // Those go in pieces.
            .where('users.erased_at', 'is', null),
        ),
    );
  }
}
