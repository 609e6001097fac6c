import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { Deadline } from '../../lib/time.ts';
import type { LookUps } from './postgres.ts';

const busyPrimaryCode = 5;
/** SQLite blocks the event loop while it waits, so it waits briefly and the driver does the rest. */
const busyTimeoutMs = 2;
const busyPauseMs = 5;
/** How long a writer waits for another process, its wait in the queue included. */
const busyPatienceMs = 5_000;
const statementsKept = 200;

const pragmas = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  `pragma busy_timeout = ${busyTimeoutMs}`,
  'pragma foreign_keys = on',
  // Overwrites what an erased account leaves in freed pages.
  'pragma secure_delete = on',
];

const readerPragmas = [`pragma busy_timeout = ${busyTimeoutMs}`, 'pragma query_only = on'];

const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === busyPrimaryCode;

interface Prepared {
  readonly statement: StatementSync;
  /** Kept, because asking a statement for its columns builds a description of each. */
  readonly returnsRows: boolean;
}

export class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, Prepared>({ max: statementsKept });
  /** How long the next statement may wait; null: the usual time from its first try. */
  patience: Deadline | null = null;

  /**
   * `look`: writes nothing to the file. SQLite leaves `-wal` and `-shm` without data beside it; removing them could hit a
   * service that starts at that moment.
   */
  static async open(path: string, access: 'write' | 'read' | 'look'): Promise<NodeSqliteConnection> {
    const connection = new NodeSqliteConnection(new DatabaseSync(path, { readOnly: access === 'look' }));
    for (const pragma of access === 'write' ? pragmas : readerPragmas) await run(connection, pragma);
    return connection;
  }

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#database.close();
  }

  /**
   * Tries a statement again, without blocking the event loop, while another process holds the write lock. A transaction
   * takes the lock when it begins, so no statement in it has to wait.
   */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    let { patience } = this;
    this.patience = null;
    for (;;) {
      try {
        return this.#execute(query);
      } catch (error) {
        if (!isDatabaseBusy(error) || this.inTransaction) throw error;
        patience ??= new Deadline(busyPatienceMs);
        if (patience.passed) throw error;
        await pause(busyPauseMs);
      }
    }
  }

  streamQuery(): never {
    throw new Error('streaming is not supported by the node:sqlite driver');
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = this.#prepare(query.sql);
    // The types of parameters and rows are the query builder's promise, which every Kysely driver takes on trust.
    const parameters = query.parameters as readonly SQLInputValue[];
    if (returnsRows) return { rows: statement.all(...parameters) as R[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  }

  #prepare(sql: string): Prepared {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

const run = (connection: DatabaseConnection, statement: string): Promise<unknown> =>
  connection.executeQuery(CompiledQuery.raw(statement));

const reading = /^\s*select\b/i;

/** Kysely's connection until it is released. It shares the reader until its first write, then has the writer to itself. */
class SqliteUse implements DatabaseConnection {
  readonly #driver: NodeSqliteDriver;
  /** Set while the connection writes; resolves with the function that lets the next writer in. */
  #turn: Promise<() => void> | null = null;

  constructor(driver: NodeSqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer } = this.#driver;
    if (this.#turn === null && reader !== null && reading.test(query.sql)) return reader.executeQuery(query);
    if (this.#turn === null) {
      // Starts before the queue, so that all that wait for another process are refused at one time.
      const patience = new Deadline(busyPatienceMs);
      this.#turn = this.#driver.enterQueue();
      await this.#turn;
      writer.patience = patience;
    }
    await this.#turn;
    return writer.executeQuery(query);
  }

  streamQuery(): never {
    throw new Error('streaming is not supported by the node:sqlite driver');
  }

  async release(): Promise<void> {
    if (this.#turn === null) return;
    const letNextIn = await this.#turn;
    this.#turn = null;
    letNextIn();
  }
}

/** A writer, used by one statement or transaction at a time, and a reader, which waits for no writer of any process. */
export class NodeSqliteDriver implements Driver, LookUps {
  readonly #path: string;
  readonly #access: 'write' | 'look';
  #writer: NodeSqliteConnection | null = null;
  #reader: NodeSqliteConnection | null = null;
  #lastWriter: Promise<void> = Promise.resolve();

  /** `path`: a file, or `:memory:` */
  constructor(path: string, access: 'write' | 'look') {
    this.#path = path;
    this.#access = access;
  }

  get writer(): NodeSqliteConnection {
    if (this.#writer === null) throw new Error('the database is not open');
    return this.#writer;
  }

  /** Null for a database in memory, which only its one connection sees. */
  get reader(): NodeSqliteConnection | null {
    return this.#reader;
  }

  async init(): Promise<void> {
    this.#writer = await NodeSqliteConnection.open(this.#path, this.#access);
    const reads = this.#access === 'look' ? 'look' : 'read';
    if (this.#path !== ':memory:') this.#reader = await NodeSqliteConnection.open(this.#path, reads);
  }

  /** Asks the reader, without what the query builder does around every statement. */
  async rows<R extends object>(_name: string, query: CompiledQuery<R>): Promise<R[]> {
    if (this.#reader === null) throw new Error('no connection that only reads');
    return (await this.#reader.executeQuery<R>(query)).rows;
  }

  /** Waits for earlier writers. Resolves with the function that lets the next one in. */
  async enterQueue(): Promise<() => void> {
    const before = this.#lastWriter;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastWriter = promise;
    await before;
    return resolve;
  }

  async acquireConnection(): Promise<SqliteUse> {
    return new SqliteUse(this);
  }

  /** `immediate`: a transaction that began as a reader could not become a writer next to another writer. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await run(connection, 'begin immediate');
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await run(connection, 'commit');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk makes SQLite roll back by itself; a second rollback would hide the first error.
    if (this.writer.inTransaction) await run(connection, 'rollback');
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return connection instanceof SqliteUse ? connection.release() : Promise.resolve();
  }

  async destroy(): Promise<void> {
    // The last connection to close removes the log, which the reader cannot.
    this.#reader?.close();
    this.#writer?.close();
    this.#reader = null;
    this.#writer = null;
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite rolls back table definitions, so a migration is done wholly or not at all. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver itself makes writers wait: it knows reads from writes. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export const sqliteDialect = (driver: NodeSqliteDriver): Dialect => ({
  createDriver: () => driver,
  createAdapter: () => new NodeSqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});
