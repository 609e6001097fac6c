import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { Deadline } from '../../lib/deadline.ts';
import { changesTokens } from './exact-memory.ts';

const busyPrimaryCode = 5;
/** node:sqlite blocks the event loop while it waits, so the engine waits briefly and the driver does the rest. */
const busyTimeoutMs = 2;
const busyPauseMs = 5;
const busyPatienceMs = 5_000;
const statementsKept = 200;
/** An answer to whether other connections have changed something is good for one turn of the event loop, and no longer. */
const versionLifeMs = 5;

const pragmas = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  `pragma busy_timeout = ${busyTimeoutMs}`,
  'pragma foreign_keys = on',
  // What an erased account leaves in freed pages is overwritten.
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
  readonly changesTokens: boolean;
  /** A transaction. */
  readonly ends: boolean;
}

export class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new LRUCache<string, Prepared>({ max: statementsKept });
  readonly #version: StatementSync;
  #seen: unknown;
  #changes = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The transaction under way has made changes that others see only after its end. */
  #changing = false;

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
    this.#version = database.prepare('pragma data_version');
    this.#seen = this.#versionNow();
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#database.close();
  }

  /** Grows with every change that a token look-up could see; those of other connections are missing until `isStill` asks. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether there was no change since: `data_version` tells of other connections alone. */
  isStill(changes: number | null): boolean {
    if (changes !== this.#changes) return false;
    const now = performance.now();
    if (now - this.#askedAt < versionLifeMs) return true;
    this.#askedAt = now;
    setImmediate(this.#endOfTurn);
    const version = this.#versionNow();
    if (version !== undefined && version === this.#seen) return true;
    this.#changes += 1;
    this.#seen = version;
    return false;
  }

  readonly #endOfTurn = (): void => {
    this.#askedAt = Number.NEGATIVE_INFINITY;
  };

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
    let patience: Deadline | null = null;
    for (;;) {
      try {
        const { statement, returnsRows, changesTokens, ends } = this.#prepare(query.sql);
        if (changesTokens || ends) this.#note(changesTokens, ends);
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

  /** What a transaction changes is seen by readers when it is committed, and not before. */
  #note(changesTokens: boolean, ends: boolean): void {
    if (!ends && this.#database.isTransaction) this.#changing = true;
    else {
      if (changesTokens || this.#changing) this.#changes += 1;
      this.#changing = false;
    }
  }

  #prepare(sql: string): Prepared {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#database.prepare(sql);
    const prepared = {
      statement,
      returnsRows: statement.columns().length > 0,
      changesTokens: changesTokens(sql),
      ends: sql === 'commit' || sql === 'rollback',
    };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}
