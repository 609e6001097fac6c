import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DeleteResult,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
  type Transaction,
  type UpdateResult,
} from 'kysely';
import type { Tables } from '../schema.ts';
import type { Database, DatabaseKind } from './database.ts';
import type { LookUps } from './postgres.ts';
import { storageFailure } from './storage-failure.ts';

const attempts = 3;
/** Most rows per statement of a sweep: these go within a few milliseconds, even if they hold kilobytes. */
const rowsPerStatement = 200;
/** Most students whose rows one statement of a sweep looks through. */
const studentsPerStatement = 40;
/** PostgreSQL rolled the whole transaction back: serialization failure, deadlock. */
const rollbackCodes = new Set(['40001', '40P01']);

/** Statements that make a connection stop waiting for the disk, and wait again. */
const syncing = {
  sqlite: ['pragma synchronous = normal', 'pragma synchronous = full'],
  postgres: ['set synchronous_commit = off', 'reset synchronous_commit'],
} as const;

const wasRolledBack = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && rollbackCodes.has(error.code);

/** Repeats work that PostgreSQL has rolled back because of another connection. */
const repeat = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !wasRolledBack(error)) throw error;
    }
  }
};

type TransactionWork<T> = (transaction: Transaction<Tables>, refuse: (result: T) => never) => Promise<T>;

const inTransaction = async <T>(db: Kysely<Tables>, work: TransactionWork<T>): Promise<T> => {
  const rolledBack = new Error('transaction taken back');
  const refused: Array<{ readonly result: T }> = [];
  const refuse = (result: T): never => {
    refused.push({ result });
    throw rolledBack;
  };
  try {
    return await db.transaction().execute((transaction) => work(transaction, refuse));
  } catch (error) {
    const [refusal] = refused;
    if (error !== rolledBack || refusal === undefined) throw error;
    return refusal.result;
  }
};

export type FirstRow<R> = (db: Kysely<Tables>) => { executeTakeFirst(): Promise<R | undefined> };

/** Students: those with `userid > after and userid <= upTo`. */
export interface Among {
  readonly after: string;
  readonly upTo: string;
}

/** Selects rows of a table; the columns of `order` sort them and tell them apart. */
interface SelectPage {
  readonly table: string;
  readonly where: RawBuilder<unknown>;
  readonly order: readonly string[];
  readonly limit: number;
}

/** Runs the statements of every store. Errors become `storage-failed`, named after the operation. */
export class Runner {
  readonly db: Kysely<Tables>;
  readonly kind: DatabaseKind;
  readonly #lookUps: LookUps;

  constructor({ db, lookUps, kind }: Pick<Database, 'db' | 'lookUps' | 'kind'>) {
    this.db = db;
    this.#lookUps = lookUps;
    this.kind = kind;
  }

  /**
   * Runs a compiled read. It falls back to `db` if the connection for look-ups fails, or a pooler in between knows no
   * prepared statements.
   */
  lookUp<R extends object>(
    operation: string,
    compiled: CompiledQuery<R>,
    parameters: readonly unknown[],
  ): Promise<R[]> {
    const query: CompiledQuery<R> = { ...compiled, parameters };
    return this.run(operation, async (db) => {
      const rows = await this.#lookUps.rows(operation, query).catch(() => null);
      return rows ?? (await db.executeQuery(query)).rows;
    });
  }

  async run<T>(operation: string, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    try {
      return await work(this.db);
    } catch (error) {
      throw storageFailure(operation, error);
    }
  }

  /** Runs one statement that may meet a deadlock. */
  statement<T>(operation: string, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.run(operation, (db) => repeat(() => work(db)));
  }

  /** The first row of a query; null when there is none. */
  one<R>(operation: string, query: FirstRow<R>): Promise<R | null> {
    return this.run(operation, async (db) => (await query(db).executeTakeFirst()) ?? null);
  }

  async first<R, T>(operation: string, query: FirstRow<R>, map: (row: R) => T): Promise<T | null> {
    const row = await this.one(operation, query);
    return row === null ? null : map(row);
  }

  all<R, T>(
    operation: string,
    query: (db: Kysely<Tables>) => { execute(): Promise<R[]> },
    map: (row: R) => T,
  ): Promise<T[]> {
    return this.run(operation, async (db) => (await query(db).execute()).map(map));
  }

  async finish(operation: string, statement: (db: Kysely<Tables>) => { execute(): Promise<unknown> }): Promise<void> {
    await this.run(operation, (db) => statement(db).execute());
  }

  /** Returns true if the update found its row. */
  async hasUpdated(operation: string, update: FirstRow<UpdateResult>): Promise<boolean> {
    return (await this.countUpdated(operation, update)) > 0;
  }

  countUpdated(operation: string, update: FirstRow<UpdateResult>): Promise<number> {
    return this.run(operation, async (db) => Number((await update(db).executeTakeFirst())?.numUpdatedRows ?? 0));
  }

  countDeleted(operation: string, deletion: FirstRow<DeleteResult>): Promise<number> {
    return this.run(operation, async (db) => Number((await deletion(db).executeTakeFirst())?.numDeletedRows ?? 0));
  }

  /** Reads whole rows a page at a time, with room for other work between pages. The last page may be empty. */
  async *pages<R extends object>(operation: string, { table, where, order, limit }: SelectPage): AsyncGenerator<R[]> {
    const key = sql.join(order.map((column) => sql.ref(column)));
    let after = sql``;
    for (;;) {
      const page = sql<R>`select * from ${sql.table(table)} where ${where}${after} order by ${key} limit ${limit}`;
      const { rows } = await this.run(operation, (db) => page.execute(db));
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < limit) return;
      after = sql` and (${key}) > (${sql.join(order.map((column) => Reflect.get(last, column)))})`;
      await nextTurn();
    }
  }

  /** A condition for a statement of `inPieces`: some rows that `over` finds by an index. */
  someOf<T extends keyof Tables>(
    table: T,
    over: (to: ExpressionBuilder<Tables, T>) => Expression<SqlBool>,
    most = rowsPerStatement,
  ): RawBuilder<SqlBool> {
    const condition = over(expressionBuilder<Tables, T>());
    // A row may move, but not within one statement.
    const place = this.kind === 'postgres' ? sql`ctid` : sql`rowid`;
    return sql`${place} in (select ${place} from ${sql.table(table)} where ${condition} limit ${most})`;
  }

  /** Repeats a statement until it finds no rows, with room for other work between. Returns how many it found. */
  async inPieces(work: () => Promise<number>): Promise<number> {
    let rows = 0;
    for (;;) {
      const some = await work();
      rows += some;
      if (some === 0) return rows;
      await nextTurn();
    }
  }

  /** Deletes some of the rows that `over` finds by an index. Returns how many they were. */
  deletedPiece<T extends keyof Tables>(
    operation: string,
    table: T,
    over: (to: ExpressionBuilder<Tables, T>) => Expression<SqlBool>,
    most?: number,
  ): Promise<number> {
    return this.run(operation, async (db) => {
      const deletion = sql`delete from ${sql.table(table)} where ${this.someOf(table, over, most)}`;
      return Number((await deletion.execute(db)).numAffectedRows ?? 0);
    });
  }

  deletedInPieces<T extends keyof Tables>(...piece: Parameters<typeof this.deletedPiece<T>>): Promise<number> {
    return this.inPieces(() => this.deletedPiece(...piece));
  }

  /** Deletes rows of a few students at a time. */
  deletedByStudents(
    operation: string,
    deletion: (db: Kysely<Tables>, among: Among) => ReturnType<FirstRow<DeleteResult>>,
  ): Promise<number> {
    return this.byStudents(operation, (among) => this.countDeleted(operation, (db) => deletion(db, among)));
  }

  /** Does something to rows of a few students at a time, and returns to how many. */
  async byStudents(operation: string, work: (among: Among) => Promise<number>): Promise<number> {
    let rows = 0;
    for (let after = ''; ; ) {
      const page = await this.run(operation, (db) =>
        db
          .selectFrom('users')
          .select('userid')
          .where('userid', '>', after)
          .orderBy('userid')
          .limit(studentsPerStatement)
          .execute(),
      );
      const upTo = page.at(-1)?.userid;
      if (upTo === undefined) return rows;
      rows += await work({ after, upTo });
      after = upTo;
      await nextTurn();
    }
  }

  /**
   * Runs a transaction; `refuse(result)` rolls it back and returns the result. Writers of one student's rows change the
   * users row first: on PostgreSQL, where a statement sees what was committed before it began, that lock orders them.
   */
  transact<T>(operation: string, work: TransactionWork<T>): Promise<T> {
    return this.run(operation, (db) => repeat(() => inTransaction(db, work)));
  }

  /** Runs a transaction that may be lost when the machine fails, because it does not wait for the disk. */
  transactUnsynced<T>(operation: string, work: TransactionWork<T>): Promise<T> {
    const [off, on] = syncing[this.kind];
    return this.run(operation, (db) =>
      db.connection().execute(async (connection) => {
        await sql.raw(off).execute(connection);
        try {
          return await repeat(() => inTransaction(connection, work));
        } finally {
          await sql.raw(on).execute(connection);
        }
      }),
    );
  }
}
