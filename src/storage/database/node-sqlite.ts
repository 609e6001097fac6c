import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { Deadline } from '../../lib/deadline.ts';

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
