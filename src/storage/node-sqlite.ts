import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { Deadline } from '../lib/deadline.ts';
import type { ChangeNumber } from './exact-memory.ts';
import { changesTokens } from './watched-changes.ts';

const busyPrimaryCode = 5;
/** node:sqlite blocks the event loop while it waits, so the engine waits briefly and the driver does the rest. */
const busyTimeoutMs = 20;
const busyPauseMs = 5;
const busyPatienceMs = 5_000;
const statementsKept = 200;

const pragmas = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  `pragma busy_timeout = ${busyTimeoutMs}`,
  'pragma foreign_keys = on',
  // What an erased account leaves in freed pages is overwritten.
  'pragma secure_delete = on',
];

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === busyPrimaryCode;

const asParameter = (value: unknown): SQLInputValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`sqlite cannot store a parameter of type ${typeof value}`);
};

/** Asking a statement for its columns builds a description of each: once is enough. */
interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
  readonly changesTokens: boolean;
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, Prepared>({ max: statementsKept });
  readonly #version: StatementSync;
  #seen: unknown;
  #changes = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#version = database.prepare('pragma data_version');
    this.#seen = this.#versionNow();
  }

  /** Grows with every change that a look for a token could see: `data_version` tells of other connections' only. */
  changes(asks: boolean): number {
    if (!asks) return this.#changes;
    const version = this.#versionNow();
    if (version === undefined || version !== this.#seen) this.#changes += 1;
    this.#seen = version;
    return this.#changes;
  }

  /** Undefined while the database cannot say. */
  #versionNow(): unknown {
    try {
      return this.#version.get()?.data_version;
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  /**
   * Another process may hold the write lock. Statements that find it held did nothing and are tried again, without
   * blocking the event loop. Inside a transaction this cannot happen: it takes the lock when it begins.
   */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const patience = new Deadline(busyPatienceMs);
    for (;;) {
      try {
        return this.#run<R>(query);
      } catch (error) {
        if (!isBusy(error) || this.#database.isTransaction || patience.passed) throw error;
        await pause(busyPauseMs);
      }
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator, and nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported by the node:sqlite driver');
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows, changesTokens } = this.#prepare(query.sql);
    if (changesTokens) this.#changes += 1;
    const parameters = query.parameters.map(asParameter);
    if (returnsRows) {
      const rows: unknown[] = statement.all(...parameters);
      // The row type is the query builder's promise; this is where every Kysely driver takes it on trust.
      return { rows: rows as R[] };
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const prepared = {
      statement,
      returnsRows: statement.columns().length > 0,
      changesTokens: changesTokens(sql),
    };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #path: string;
  #database: DatabaseSync | undefined;
  #connection: NodeSqliteConnection | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async init(): Promise<void> {
    const database = new DatabaseSync(this.#path);
    this.#database = database;
    this.#connection = new NodeSqliteConnection(database);
    try {
      for (const pragma of pragmas) await this.#connection.executeQuery(CompiledQuery.raw(pragma));
    } catch (error) {
      await this.destroy();
      throw error;
    }
  }

  /** Null while the database is not open. */
  changes(asks: boolean): number | null {
    return this.#connection?.changes(asks) ?? null;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === undefined) throw new Error('the database is not open');
    return this.#connection;
  }

  /** `immediate`: a transaction that began as a reader could not become a writer next to another writer. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk makes SQLite roll back by itself; a second rollback would hide the first error.
    if (this.#database?.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
    this.#connection = undefined;
  }
}

/** SQLite can roll back table definitions, so a migration is done wholly or not at all. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely over `node:sqlite`; one connection, used by one query or transaction at a time. */
export class NodeSqliteDialect implements Dialect {
  readonly #driver: NodeSqliteDriver;

  /** `path`: a file, or `:memory:`. */
  constructor(path: string) {
    this.#driver = new NodeSqliteDriver(path);
  }

  createDriver(): Driver {
    return this.#driver;
  }

  /** Another number after every change that a look for a token could see; null while the database is not open. */
  readonly changes: ChangeNumber = {
    asked: () => this.#driver.changes(true),
    known: () => this.#driver.changes(false),
  };

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }

  // biome-ignore lint/suspicious/noExplicitAny: the type that Kysely's own interface uses here.
  createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}
