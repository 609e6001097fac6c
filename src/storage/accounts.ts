import { randomInt } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type {
  AccountStore,
  Erasing,
  PasswordPair,
  SavedSession,
  StoredPair,
  UserRecord,
} from '../domain/accounts/ports.ts';
import type { SettledGrants } from '../domain/accounts/tokens/personal-tokens.ts';
import { failures } from '../domain/errors.ts';
import { AccountErasure } from './account-erasure.ts';
import { countRows, countUser, insertNew } from './database/rows.ts';
import { usableCode } from './invites.ts';
import { settleGrants } from './personal-tokens.ts';
import { noWrites, type Tables } from './schema.ts';
import { SealBroken, type Sealer, sealedPlaces } from './seal.ts';
import { endTrust, putPieces, replacePieces } from './sessions.ts';
import { Store } from './store.ts';
import { asStep } from './student-marks.ts';
import { endingColumns, endOldest, endTokens, insertLogin } from './tokens.ts';

/**
 * Start of a new user's counters. Late work for an erased account may still carry old numbers, which must not match
 * when the same student id registers again.
 */
const firstNumber = (now: number): number => now * 1_000 + randomInt(1_000);

type PairColumns = Pick<Tables['credentials'], 'sealed_password' | 'sealed_vpn_password'>;

const sealPair = (sealer: Sealer, userid: string, pair: PasswordPair): PairColumns => ({
  sealed_password: sealer.seal(pair.password, sealedPlaces.password({ userid })),
  sealed_vpn_password: sealer.seal(pair.vpnPassword, sealedPlaces.vpnPassword({ userid })),
});

/** @throws SealBroken */
const openPair = (sealer: Sealer, userid: string, columns: PairColumns): PasswordPair => ({
  password: sealer.open(columns.sealed_password, sealedPlaces.password({ userid })),
  vpnPassword: sealer.open(columns.sealed_vpn_password, sealedPlaces.vpnPassword({ userid })),
});

const columns = ['userid', 'created_at as createdAt', 'last_login_at as lastLoginAt'] as const;

/** Where nothing is known of the guard, nothing of it is left. */
const wholly: Erasing = { lease: '', left: () => null };

const standingOf = (db: Kysely<Tables>, userid: string) =>
  db.selectFrom('users').select('erased_at').where('userid', '=', userid);

type Registration = Parameters<AccountStore['register']>[0];
type Login = Parameters<AccountStore['recordLogin']>[0];

/** Counts a use of the invite code and spends the token. False: one of them is not valid any more. */
const useInvite = async (transaction: Transaction<Tables>, { invite, now }: Registration): Promise<boolean> => {
  if (invite.expiresAt <= now) return false;
  const code = await transaction
    .updateTable('invite_codes')
    .set((to) => ({ used: to('used', '+', 1) }))
    .where('code', '=', invite.code)
    .where(usableCode(now))
    .returning('code')
    .executeTakeFirst();
  if (code === undefined) return false;
  const token = await transaction
    .insertInto('invite_tokens')
    .values({ hash: invite.hash, code: invite.code, created_at: now, expires_at: invite.expiresAt, used_at: now })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ used_at: now }).where('invite_tokens.used_at', 'is', null),
    )
    .returning('code')
    .executeTakeFirst();
  return token !== undefined;
};

export class SqlAccountStore extends Store implements Omit<AccountStore, 'markPairRefused'> {
  readonly erasure = new AccountErasure(this.deps);
  /** Unsealed for an unknown student id, so that timing does not tell who is registered. */
  readonly #dummyPair = sealPair(this.deps.sealer, '', { password: 'none', vpnPassword: 'none' });

  findUser(userid: string): Promise<UserRecord | null> {
    return this.runner.one('find user', (db) =>
      db.selectFrom('users').select(columns).where('userid', '=', userid).where('erased_at', 'is', null),
    );
  }

  async standing(userid: string): ReturnType<AccountStore['standing']> {
    const user = await this.runner.one('look for user', (db) => standingOf(db, userid));
    return user === null ? 'free' : user.erased_at === null ? 'registered' : 'erasing';
  }

  readPair(userid: string): Promise<StoredPair | null> {
    const { runner, sealer } = this.deps;
    return runner.run('read credentials', async (db) => {
      const row = await db.selectFrom('credentials').selectAll().where('userid', '=', userid).executeTakeFirst();
      if (row === undefined) {
        openPair(sealer, '', this.#dummyPair);
        return null;
      }
      try {
        const pair = openPair(sealer, userid, row);
        return { pair, version: row.version, refusedStep: asStep(row.refused_step) };
      } catch (error) {
        if (error instanceof SealBroken) throw failures.storedCredentialsUnreadable(error.fault, { cause: error });
        throw error;
      }
    });
  }

  register(entry: Registration): ReturnType<AccountStore['register']> {
    const { runner, sealer } = this.deps;
    const { userid, now } = entry;
    return runner.transact('register', async (transaction, refuse) => {
      // Each of these waits for any transaction that holds its row, and then sees what that one wrote.
      if (!(await useInvite(transaction, entry))) return refuse('invite-token-invalid');
      const first = firstNumber(now);
      const user = {
        userid,
        created_at: now,
        last_login_at: now,
        token_sequence: 1,
        event_seq: 0,
        session_generation: first,
        session_revision: first,
        erased_at: null,
        ...noWrites,
      };
      if (!(await insertNew(transaction, 'users', user))) {
        const other = await standingOf(transaction, userid).executeTakeFirst();
        return refuse(other?.erased_at ? 'userid-erasing' : 'userid-taken');
      }
      await transaction
        .insertInto('credentials')
        .values({ userid, ...sealPair(sealer, userid, entry.pair), version: first, refused_step: null })
        .execute();
      await insertLogin(transaction, sealer, entry, 1);
      await putPieces(transaction, sealer, { userid, revision: first, now }, entry.session ?? []);
      return { generation: first, revision: first };
    });
  }

  async recordLogin(entry: Login): Promise<{ grants: SettledGrants; saved: SavedSession } | 'user-gone'> {
    const { runner, sealer, erased } = this.deps;
    const { userid, newPair, session = null, now, revokeOthers } = entry;
    const outcome = await runner.transact('record login', async (transaction) => {
      const begins = session === null ? 0 : 1;
      const counts = { token_sequence: 1, session_generation: begins, session_revision: begins };
      const user = await countUser(transaction, userid, counts, { last_login_at: now });
      if (user === undefined) return 'user-gone';
      const { token_sequence: sequence, session_generation: generation, session_revision: revision } = user;
      await insertLogin(transaction, sealer, entry, sequence);
      const ending = endingColumns(this.deps, now);
      if (revokeOthers === null) await endOldest(transaction, userid, ending, entry.keep);
      else await endTokens(transaction, userid, ending, sequence);
      const own = { userid, revision, now };
      if (session !== null) await replacePieces(transaction, sealer, own, session, newPair === null);
      else if (newPair !== null) await endTrust(transaction, userid);
      if (newPair !== null) await this.#putPair(transaction, userid, newPair, now);
      const grants = revokeOthers && (await settleGrants(transaction, { userid, now, keep: revokeOthers.keep }));
      return { grants: grants ?? { kept: {}, ended: {} }, saved: { generation, revision } };
    });
    if (newPair !== null) erased();
    return outcome;
  }

  async deleteUser(
    userid: string,
    erasing: Erasing = wholly,
    rest: 'soon' | 'whole' = 'soon',
  ): ReturnType<AccountStore['deleteUser']> {
    if (!(await this.erasure.begin(userid, erasing))) return null;
    if (rest === 'soon') return (await this.erasure.soon(userid)) ? 'erased' : 'erasing';
    await this.erasure.whole(userid);
    return 'erased';
  }

  /** Counts students whose stored passwords were sealed by a key that is missing. */
  foreignSeals(): Promise<number> {
    const { prefixes } = this.deps.sealer;
    const foreign = prefixes.map((prefix) => sql<boolean>`sealed_password not like ${`${prefix}%`}`);
    return this.runner.run('check keys', (db) =>
      countRows(db.selectFrom('credentials').where((to) => to.and(foreign))),
    );
  }

  listUsers(page: { after: string; limit: number }): Promise<Array<UserRecord & { tokens: number }>> {
    return this.runner.all(
      'list users',
      (db) =>
        db
          .selectFrom('users')
          .select(columns)
          .select((to) =>
            to
              .selectFrom('tokens')
              .whereRef('tokens.userid', '=', 'users.userid')
              .where('tokens.ended_at', 'is', null)
              .select((count) => count.fn.countAll<number>().as('tokens'))
              .as('tokens'),
          )
          .where('userid', '>', page.after)
          .where('erased_at', 'is', null)
          .orderBy('userid')
          .limit(page.limit),
      (user) => ({ ...user, tokens: user.tokens ?? 0 }),
    );
  }

  async #putPair(transaction: Transaction<Tables>, userid: string, pair: PasswordPair, now: number): Promise<void> {
    await transaction
      .insertInto('credentials')
      .values({
        userid,
        ...sealPair(this.deps.sealer, userid, pair),
        version: firstNumber(now),
        refused_step: null,
      })
      .onConflict((conflict) =>
        conflict.column('userid').doUpdateSet((to) => ({
          sealed_password: to.ref('excluded.sealed_password'),
          sealed_vpn_password: to.ref('excluded.sealed_vpn_password'),
          version: to('credentials.version', '+', 1),
          refused_step: null,
        })),
      )
      .execute();
  }
}
