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
import { Deadline } from '../../lib/time.ts';
import type { LookUps } from './postgres.ts';

const busyPrimaryCode = 5;
/** node:sqlite blocks the event loop while it waits, so the engine waits briefly and the driver does the rest. */
const busyTimeoutMs = 2;
const busyPauseMs = 5;
/** How long a writer waits for another process, its own turn included. */
export const busyPatienceMs = 5_000;
const statementsKept = 200;

const pragmas = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  `pragma busy_timeout = ${busyTimeoutMs}`,
  'pragma foreign_keys = on',
  // Overwrites what an erased account leaves in freed pages.
  'pragma secure_delete = on',
];

/** Of a connection that only reads. */
const readerPragmas = [`pragma busy_timeout = ${busyTimeoutMs}`, 'pragma query_only = on'];

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === busyPrimaryCode;

/** Asking a statement for its columns builds a description of each: once is enough. */
interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

export class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, Prepared>({ max: statementsKept });
  /** Of a writer: began with its place in the queue, so that all who wait for another process are refused at one time. */
  patience: Deadline | null = null;

  /**
   * `look`: of a file that nothing is written to. SQLite leaves `-wal` and `-shm` without data beside it; removing
   * them could hit a service that starts at that moment.
   */
  static async open(path: string, access: 'write' | 'read' | 'look'): Promise<NodeSqliteConnection> {
    const database = new DatabaseSync(path, { readOnly: access === 'look' });
    try {
      const connection = new NodeSqliteConnection(database);
      for (const pragma of access === 'write' ? pragmas : readerPragmas) {
        await connection.executeQuery(CompiledQuery.raw(pragma));
      }
      return connection;
    } catch (error) {
      database.close();
      throw error;
    }
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
   * Another process may hold the write lock. Statements that find it held did nothing and are tried again, without
   * blocking the event loop. Inside a transaction this cannot happen: it takes the lock when it begins.
   */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    let patience = this.patience;
    for (;;) {
      try {
        const { statement, returnsRows } = this.#prepare(query.sql);
        // The types of parameters and rows are the query builder's promise, which every Kysely driver takes on trust.
        const parameters = query.parameters as readonly SQLInputValue[];
        if (returnsRows) return { rows: statement.all(...parameters) as R[] };
        const { changes, lastInsertRowid } = statement.run(...parameters);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      } catch (error) {
        if (!isBusy(error) || this.#database.isTransaction) throw error;
        patience ??= new Deadline(busyPatienceMs);
        if (patience.passed) throw error;
        await pause(busyPauseMs);
      }
    }
  }

  streamQuery(): never {
    throw new Error('streaming is not supported by the node:sqlite driver');
  }

  #prepare(sql: string): Prepared {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    const prepared = {
      statement,
      returnsRows: statement.columns().length > 0,
    };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

const reading = /^\s*select\b/i;

/**
 * The result of `acquireConnection`, until it is released. As long as it only reads, it shares a connection with all others
 * that do, and never waits; from its first other statement on it has the one that writes to itself, reads included.
 */
class SqliteUse implements DatabaseConnection {
  readonly #reader: NodeSqliteConnection | null;
  readonly #writer: NodeSqliteConnection;
  readonly #line: Line;
  #turn: Promise<() => void> | null = null;
  #patience: Deadline | null = null;

  constructor(reader: NodeSqliteConnection | null, writer: NodeSqliteConnection, line: Line) {
    this.#reader = reader;
    this.#writer = writer;
    this.#line = line;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#turn === null && this.#reader !== null && reading.test(query.sql)) {
      return this.#reader.executeQuery(query);
    }
    if (this.#turn === null) {
      this.#patience = new Deadline(busyPatienceMs);
      this.#turn = this.#line.enter();
    }
    await this.#turn;
    this.#writer.patience = this.#patience;
    // Only the first statement waits for the lock: a later one waits as long as any other.
    this.#patience = null;
    return this.#writer.executeQuery(query);
  }

  streamQuery(): never {
    throw new Error('streaming is not supported by the node:sqlite driver');
  }

  async release(): Promise<void> {
    if (this.#turn === null) return;
    (await this.#turn)();
    this.#turn = null;
  }
}

/** Who writes, one after the other. */
class Line {
  #last: Promise<void> = Promise.resolve();

  /** Resolves with what lets the next one in. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

const run = (connection: DatabaseConnection, statement: string): Promise<unknown> =>
  connection.executeQuery(CompiledQuery.raw(statement));

class NodeSqliteDriver implements Driver {
  readonly #path: string;
  readonly #access: 'write' | 'look';
  readonly #line = new Line();
  #writer: NodeSqliteConnection | undefined;
  #reader: NodeSqliteConnection | undefined;

  constructor(path: string, access: 'write' | 'look') {
    this.#path = path;
    this.#access = access;
  }

  async init(): Promise<void> {
    try {
      this.#writer = await NodeSqliteConnection.open(this.#path, this.#access);
      // A database in memory is there for its own connection alone.
      const reads = this.#access === 'look' ? 'look' : 'read';
      if (this.#path !== ':memory:') this.#reader = await NodeSqliteConnection.open(this.#path, reads);
    } catch (error) {
      await this.destroy();
      throw error;
    }
  }

  async read<R extends object>(query: CompiledQuery<R>): Promise<R[]> {
    if (this.#reader === undefined) throw new Error('the database is not open');
    return (await this.#reader.executeQuery<R>(query)).rows;
  }

  async acquireConnection(): Promise<SqliteUse> {
    if (this.#writer === undefined) throw new Error('the database is not open');
    return new SqliteUse(this.#reader ?? null, this.#writer, this.#line);
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
    if (this.#writer?.inTransaction) await run(connection, 'rollback');
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return connection instanceof SqliteUse ? connection.release() : Promise.resolve();
  }

  async destroy(): Promise<void> {
    // The last one to close takes the log away, which a connection that only reads could not.
    this.#reader?.close();
    this.#writer?.close();
    this.#reader = undefined;
    this.#writer = undefined;
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** SQLite can roll back table definitions, so a migration is done wholly or not at all. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** The driver decides who waits for whom: it knows reads from writes. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Kysely over `node:sqlite`: one connection that writes, used by one statement or transaction at a time, and one for the
 * reads of all others, which wait for no writer of this process or another.
 */
export class NodeSqliteDialect implements Dialect {
  readonly #driver: NodeSqliteDriver;

  /** `path`: a file, or `:memory:`; `look`: of a file that nothing is written to. */
  constructor(path: string, access: 'write' | 'look' = 'write') {
    this.#driver = new NodeSqliteDriver(path, access);
  }

  createDriver(): Driver {
    return this.#driver;
  }

  /** A look-up goes to the connection that reads, past what the query builder does around every statement. */
  get lookUps(): LookUps {
    return {
      rows: (_name, query) => this.#driver.read(query),
      close: async () => {},
    };
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }

  // biome-ignore lint/suspicious/noExplicitAny: the type that Kysely's own interface uses here.
  createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}
