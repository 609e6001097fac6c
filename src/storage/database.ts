import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Dialect, Kysely, sql } from 'kysely';
import type { Log } from '../domain/context.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { cutLog, vacuumOnce, vacuumTables } from './cleaning.ts';
import { type Cleaning, Erasure } from './erasure.ts';
import type { ChangeNumber } from './exact-memory.ts';
import type { LookUps } from './look-ups.ts';
import { firstMigration, migrate } from './migrations/migrate.ts';
import { NodeSqliteDialect } from './node-sqlite.ts';
import { type PoolState, postgresDialect } from './postgres.ts';
import type { Tables } from './schema.ts';
import { storageFailure } from './storage-failure.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Database {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  readonly erasure: Erasure;
  /** Of what a look for a token sees; null on PostgreSQL, which cannot tell without being asked. */
  readonly changes: ChangeNumber;
  /** Null where there is one connection for everything. */
  readonly lookUps: LookUps | null;
  /** Null where there is one connection only, which nobody waits for. */
  pool(): PoolState | null;
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly log: Log;
  readonly clock?: Clock;
}

const connections = 10;
const statementTimeoutMs = 10_000;
/** A replica waits this long while another one migrates. */
const migrationTimeoutMs = 300_000;
/** PostgreSQL cleans whole tables: deletions of half a minute share it. */
const vacuumGatherMs = 30_000;

/** Only the service's own account may look into the folder and the file; SQLite gives its side files the same mode. */
const prepareFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
};

const sqlitePath = (url: string): string => {
  const rest = url.slice('sqlite:'.length);
  if (rest === ':memory:') return rest;
  if (rest === '' || /^\/\/[^/]/.test(rest))
    throw new Error('a SQLite database is named sqlite:./relative/path, sqlite:/absolute/path or sqlite::memory:');
  return resolve(rest);
};

const ready = async (dialect: Dialect, prepare: (db: Kysely<Tables>) => Promise<unknown>): Promise<Kysely<Tables>> => {
  const db = new Kysely<Tables>({ dialect });
  try {
    await prepare(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
};

/** Only SQLite tells of changes without being asked for the rows. */
const nobodyTells: ChangeNumber = { asked: () => null, known: () => null };

const database = (
  kind: DatabaseKind,
  db: Kysely<Tables>,
  clean: Cleaning,
  { log, clock = systemClock }: DatabaseOptions,
  { pool = () => null, changes = nobodyTells, lookUps = null }: Partial<Pick<Database, 'pool' | 'changes' | 'lookUps'>>,
): Database => {
  const erasure = new Erasure({ clean, clock, log, gatherMs: kind === 'postgres' ? vacuumGatherMs : 0 });
  const close = async (): Promise<void> => {
    await erasure.close();
    await lookUps?.close();
    await db.destroy();
  };
  return { kind, db, erasure, changes, lookUps, pool, close };
};

const openSqlite = async (path: string, options: DatabaseOptions): Promise<Database> => {
  const dialect = new NodeSqliteDialect(path);
  const { changes } = dialect;
  if (path === ':memory:') {
    const db = await ready(dialect, migrate);
    return database('sqlite', db, async () => true, options, { changes });
  }
  prepareFile(path);
  const db = await ready(dialect, async (opened) => {
    const applied = await migrate(opened);
    await vacuumOnce(opened, applied.includes(firstMigration), options.log);
    // A process that was killed may have left deleted content in the log.
    await cutLog(opened)();
  });
  return database('sqlite', db, cutLog(db), options, { changes });
};

const openPostgres = async (url: string, options: DatabaseOptions): Promise<Database> => {
  // Waiting for another replica's migration takes longer than any statement of the service may.
  const { log } = options;
  const patient = await postgresDialect({ url, log, connections: 1, statementTimeoutMs: migrationTimeoutMs });
  const migrating = await ready(patient.dialect, migrate);
  await migrating.destroy();
  const { dialect, lookUps, pool } = await postgresDialect({ url, log, connections, statementTimeoutMs });
  const db = await ready(dialect, (opened) => sql`select 1`.execute(opened));
  return database('postgres', db, vacuumTables(db), options, { pool, lookUps });
};

/**
 * Opens the database that `url` names (`sqlite:./data/campus.db`, `sqlite::memory:`, `postgres://…`) and brings its
 * schema up to date. A missing SQLite file and its folder are created, readable by this account only.
 * @throws Failure `storage-failed`; Error for a url of another form, without quoting it
 */
export const openDatabase = async (url: string, options: DatabaseOptions): Promise<Database> => {
  const path = url.startsWith('sqlite:') ? sqlitePath(url) : null;
  if (path === null && !/^postgres(ql)?:\/\//.test(url))
    throw new Error('the database url must begin with sqlite: or postgres://');
  try {
    return await (path === null ? openPostgres(url, options) : openSqlite(path, options));
  } catch (error) {
    throw storageFailure('open', error);
  }
};
