import { type CompiledQuery, type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { guardNumbers } from '../domain/accounts/guard/numbers.ts';
import type { FoundToken, TokenSession, TokenStore } from '../domain/accounts/ports.ts';
import { sessionId } from '../domain/accounts/tokens.ts';
import { type ChangeNumber, ExactMemory } from './exact-memory.ts';
import type { Runner } from './run.ts';
import type { Tables } from './schema.ts';
import { SealBroken, type SealedPlace, type Sealer } from './seal.ts';
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

export class SqlTokenStore implements TokenStore {
  readonly #runner: Runner;
  readonly #sealer: Sealer;
  /** Every call of every student asks this: built once, run with the parameters of the moment. */
  readonly #find: CompiledQuery<TokenRow>;

  readonly #memory: ExactMemory<FoundToken>;

  constructor(runner: Runner, sealer: Sealer, changes: ChangeNumber) {
    this.#runner = runner;
    this.#sealer = sealer;
    this.#memory = new ExactMemory(changes);
    this.#find = runner.db
      .selectFrom('tokens')
      .leftJoin('users', 'users.userid', 'tokens.userid')
      .leftJoin('credentials', 'credentials.userid', 'tokens.userid')
      .leftJoin('room_bindings', 'room_bindings.userid', 'tokens.userid')
      .select(['tokens.userid', 'tokens.expires_at', 'tokens.ends_at', 'tokens.last_used_at', ...markColumns])
      .where('tokens.hash', '=', '')
      .where('tokens.expires_at', '>', 0)
      .where('tokens.ended_at', 'is', null)
      .compile();
  }

  async find(hash: string, now: number): Promise<FoundToken | null> {
    return this.known(hash, now) ?? this.#memory.read(hash, () => this.#look(hash, now));
  }

  known(hash: string, now: number): FoundToken | null {
    const known = this.#memory.get(hash);
    return known !== undefined && known.expiresAt > now ? known : null;
  }

  async #look(hash: string, now: number): Promise<FoundToken | null> {
    const [row] = await this.#runner.lookUp<TokenRow>('find token', { ...this.#find, parameters: [hash, now] });
    if (row === undefined) return null;
    const { userid, expires_at: expiresAt, ends_at: endsAt, last_used_at: lastUsedAt } = row;
    return { userid, expiresAt, endsAt, lastUsedAt, marks: marksOf(row) };
  }

  bearer(hash: string, now: number): Promise<string | null> {
    const oldest = now - guardNumbers.endedTokensMs;
    return this.#runner.run('find bearer', async (db) => {
      const row = await db
        .selectFrom('tokens')
        .select('userid')
        .where('hash', '=', hash)
        .where('expires_at', '>', oldest)
        .where((to) => to.or([to('ended_at', 'is', null), to('ended_at', '>', oldest)]))
        .executeTakeFirst();
      return row?.userid ?? null;
    });
  }

  async slide(hash: string, use: Parameters<TokenStore['slide']>[1]): Promise<void> {
    const { userid, network } = use;
    const where = network === null ? {} : { sealed_network: this.#sealer.seal(network, networkPlace(userid)) };
    await this.#runner.run('slide token', (db) =>
      db
        .updateTable('tokens')
        .set({ expires_at: use.expiresAt, last_used_at: use.usedAt, ...where })
        .where('hash', '=', hash)
        .execute(),
    );
  }

  delete(hash: string, now: number): Promise<number | null> {
    return this.#runner.transact<number | null>('delete token', async (transaction) => {
      const token = await transaction.selectFrom('tokens').select('userid').where('hash', '=', hash).executeTakeFirst();
      return token === undefined ? null : this.#deleteOne(transaction, token.userid, hash, now);
    });
  }

  deleteById(userid: string, id: string, now: number): Promise<number | null> {
    return this.#runner.transact<number | null>('delete session', async (transaction) => {
      const token = await transaction
        .selectFrom('tokens')
        .select('hash')
        .where('userid', '=', userid)
        .where(live(now))
        .where(sql<boolean>`substr(hash, 1, ${sql.lit(sessionId('0'.repeat(64)).length)}) = ${id}`)
        .executeTakeFirst();
      return token === undefined ? null : this.#deleteOne(transaction, userid, token.hash, now);
    });
  }

  async #deleteOne(transaction: Transaction<Tables>, userid: string, hash: string, now: number): Promise<number> {
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
  }

  deleteAll(userid: string, now: number): Promise<number> {
    return this.#runner.transact('delete tokens', async (transaction) => {
      await nextOf(transaction, userid, 'session_revision');
      const rows = await transaction
        .deleteFrom('tokens')
        .where('userid', '=', userid)
        .returning(['expires_at', 'ended_at'])
        .execute();
      return rows.filter((row) => row.ended_at === null && row.expires_at > now).length;
    });
  }

  list(userid: string, now: number): Promise<TokenSession[]> {
    return this.#runner.run('list tokens', async (db) => {
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
        network: this.#network(userid, row.sealed_network),
      }));
    });
  }

  sweep(now: number): Promise<number> {
    const oldest = now - guardNumbers.endedTokensMs;
    return this.#runner.run('sweep tokens', async (db) => {
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
  }

  #network(userid: string, sealed: string | null): string | null {
    try {
      return sealed === null ? null : this.#sealer.open(sealed, networkPlace(userid));
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}
