import type { CompiledQuery } from 'kysely';
import type { TokenRecord, TokenStore } from '../domain/accounts/ports.ts';
import type { Runner } from './run.ts';
import { nextOf } from './users-lock.ts';

interface TokenRow {
  readonly userid: string;
  readonly expires_at: number;
  readonly owner: string | null;
}

export class SqlTokenStore implements TokenStore {
  readonly #runner: Runner;
  /** Every call of every student asks this: built once, run with the parameters of the moment. */
  readonly #find: CompiledQuery<TokenRow>;

  constructor(runner: Runner) {
    this.#runner = runner;
    this.#find = runner.db
      .selectFrom('tokens')
      .leftJoin('users', 'users.userid', 'tokens.userid')
      .select(['tokens.userid', 'tokens.expires_at', 'users.userid as owner'])
      .where('tokens.hash', '=', '')
      .where('tokens.expires_at', '>', 0)
      .compile();
  }

  async find(hash: string, now: number): Promise<(TokenRecord & { userExists: boolean }) | null> {
    const { rows } = await this.#runner.run('find token', (db) =>
      db.executeQuery<TokenRow>({ ...this.#find, parameters: [hash, now] }),
    );
    const [row] = rows;
    return row === undefined ? null : { userid: row.userid, expiresAt: row.expires_at, userExists: row.owner !== null };
  }

  async slide(hash: string, expiresAt: number): Promise<void> {
    await this.#runner.run('slide token', (db) =>
      db.updateTable('tokens').set({ expires_at: expiresAt }).where('hash', '=', hash).execute(),
    );
  }

  delete(hash: string, now: number): Promise<number | null> {
    return this.#runner.transact<number | null>('delete token', async (transaction) => {
      const token = await transaction.selectFrom('tokens').select('userid').where('hash', '=', hash).executeTakeFirst();
      if (token === undefined) return null;
      // Of two last tokens that go at the same moment, the second deletion must count none.
      await nextOf(transaction, token.userid, 'session_revision');
      await transaction.deleteFrom('tokens').where('hash', '=', hash).execute();
      const { live } = await transaction
        .selectFrom('tokens')
        .select((to) => to.fn.countAll<number>().as('live'))
        .where('userid', '=', token.userid)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow();
      return live;
    });
  }

  deleteAll(userid: string): Promise<number> {
    return this.#runner.transact('delete tokens', async (transaction) => {
      await nextOf(transaction, userid, 'session_revision');
      const { numDeletedRows } = await transaction.deleteFrom('tokens').where('userid', '=', userid).executeTakeFirst();
      return Number(numDeletedRows);
    });
  }

  sweep(now: number): Promise<number> {
    return this.#runner.run('sweep tokens', async (db) => {
      const { numDeletedRows } = await db.deleteFrom('tokens').where('expires_at', '<=', now).executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
}
