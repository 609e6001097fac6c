import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Dialect, Kysely, sql } from 'kysely';
import type { Log } from '../../domain/context.ts';
import type { KeyedNames } from '../../lib/hash.ts';
import { type Clock, systemClock } from '../../lib/time.ts';
import { emptySchema, migrate, SchemaRefused, type SchemaState, schemaOf } from '../migrations/migrate.ts';
import type { Tables } from '../schema.ts';
import { type Cleaning, cutLog, Erasure, vacuumOnce, vacuumTables } from './erasure.ts';
import { type LookUps, type PoolState, postgresDialect } from './postgres.ts';
import { NodeSqliteDialect } from './sqlite.ts';
import { storageFailure } from './storage-failure.ts';
import { checkRoomToCopy, copyBeforeUpgrade, type FreeBytes, sweepUpgradeCopies } from './upgrade-copies.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Database {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  readonly erasure: Erasure;
  /** Null where there is no connection that only reads. */
  readonly lookUps: LookUps | null;
  /** Of the SQLite file; null where there is none. */
  readonly path: string | null;
  /** The schema of a newer version, which this one can use but does not know all of; null: it is that of this one. */
  readonly newer: string | null;
  /** Null where there is one connection only, which is never waited for. */
  pool(): PoolState | null;
  close(): Promise<void>;
}

/**
 * Says what opening may do to the schema.
 * - `migrate`: makes that of an empty database, brings an older one up to date, and copies a SQLite file first
 * - `migrate without copy`: the same, and deletes copies that are there
 * - `create`: makes that of an empty database, and refuses an older one
 * - `current`: refuses an older or missing one
 * - `look`: the same, and reads only
 */
export type Access = 'migrate' | 'migrate without copy' | 'create' | 'current' | 'look';

const wantsThere = (access: Access | undefined): boolean => access === 'look' || access === 'current';

export interface DatabaseOptions {
  readonly log: Log;
  /** For what a migration names by the keys of the service. Left out: there is nothing to name. */
  readonly names?: KeyedNames;
  readonly clock?: Clock;
  readonly access?: Access;
  /** Room for the copy; left out: what the file system says. */
  readonly freeBytes?: FreeBytes;
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

const ready = async <T>(
  dialect: Dialect,
  prepare: (db: Kysely<Tables>) => Promise<T>,
): Promise<{ readonly db: Kysely<Tables>; readonly prepared: T }> => {
  const db = new Kysely<Tables>({ dialect });
  try {
    return { db, prepared: await prepare(db) };
  } catch (error) {
    await db.destroy();
    throw error;
  }
};

const database = (
  kind: DatabaseKind,
  db: Kysely<Tables>,
  clean: Cleaning,
  { log, clock = systemClock }: DatabaseOptions,
  {
    pool = () => null,
    lookUps = null,
    path = null,
    newer,
  }: Pick<Database, 'newer'> & Partial<Pick<Database, 'pool' | 'lookUps' | 'path'>>,
): Database => {
  const erasure = new Erasure({ clean, clock, log, gatherMs: kind === 'postgres' ? vacuumGatherMs : 0 });
  const close = async (): Promise<void> => {
    await erasure.close();
    await lookUps?.close();
    await db.destroy();
  };
  return { kind, db, erasure, lookUps, path, newer, pool, close };
};

/**
 * Makes the schema that of this version, as far as `access` allows.
 * @returns where the database stood before
 */
const prepareSchema = async (
  db: Kysely<Tables>,
  { access = 'migrate', log, names, clock = systemClock }: DatabaseOptions,
  copyFirst: (from: string) => Promise<void> = async () => {},
): Promise<SchemaState> => {
  const state = await schemaOf(db);
  const { from, to, pending } = state;
  if (pending.length === 0) return state;
  if (from === null) {
    if (wantsThere(access)) throw new SchemaRefused('NO_DATABASE', 'there is no database yet');
  } else {
    if (wantsThere(access) || access === 'create') {
      throw new SchemaRefused(`OLDER_SCHEMA ${from}, not ${to}`, 'the database has the schema of an older version');
    }
    if (access === 'migrate') await copyFirst(from);
  }
  const applied = await migrate(db, clock.now(), names);
  if (from !== null && applied.length > 0) log.info({ from, to }, 'migrated');
  return state;
};

const openSqlite = async (path: string, options: DatabaseOptions): Promise<Database> => {
  const { access, clock = systemClock } = options;
  if (wantsThere(access) && path !== ':memory:' && !existsSync(path))
    throw new SchemaRefused('NO_DATABASE', 'there is no file');
  if (access === 'look' || path === ':memory:') {
    const dialect = access === 'look' ? new NodeSqliteDialect(path, 'look') : new NodeSqliteDialect(path);
    const { db, prepared } = await ready(dialect, (opened) => prepareSchema(opened, options));
    const file = path === ':memory:' ? {} : { path };
    return database('sqlite', db, async () => true, options, { ...file, newer: prepared.newer });
  }
  prepareFile(path);
  const dialect = new NodeSqliteDialect(path);
  const { db, prepared } = await ready(dialect, async (opened) => {
    const state = await prepareSchema(opened, options, (from) =>
      copyBeforeUpgrade(opened, { path, from, now: clock.now(), freeBytes: options.freeBytes }),
    );
    sweepUpgradeCopies(path, access === 'migrate without copy' ? Number.POSITIVE_INFINITY : clock.now());
    await vacuumOnce(opened, state.from === null, options.log);
    // A process that was killed may have left deleted content in the log.
    await cutLog(opened)();
    return state;
  });
  return database('sqlite', db, cutLog(db), options, { path, lookUps: dialect.lookUps, newer: prepared.newer });
};

const openPostgres = async (url: string, options: DatabaseOptions): Promise<Database> => {
  // Waiting for another replica's migration takes longer than any statement of the service may.
  const { log } = options;
  const reads = options.access === 'look';
  const patient = await postgresDialect({ url, log, connections: 1, statementTimeoutMs: migrationTimeoutMs, reads });
  const { db: migrating, prepared } = await ready(patient.dialect, (opened) => prepareSchema(opened, options));
  await migrating.destroy();
  const { dialect, lookUps, pool } = await postgresDialect({ url, log, connections, statementTimeoutMs, reads });
  const { db } = await ready(dialect, (opened) => sql`select 1`.execute(opened));
  return database('postgres', db, vacuumTables(db), options, { pool, lookUps, newer: prepared.newer });
};

/** The path of a SQLite file; null for PostgreSQL. @throws Error for a url of another form, without quoting it */
const pathIn = (url: string): string | null => {
  if (url.startsWith('sqlite:')) return sqlitePath(url);
  if (/^postgres(ql)?:\/\//.test(url)) return null;
  throw new Error('the database url must begin with sqlite: or postgres://');
};

/**
 * Where a database stands and what opening it would do to its schema. Nothing is written.
 * @throws Failure `storage-failed`, also where opening it would find no room for its copy
 */
export const schemaAt = async (url: string, { access, log, freeBytes }: DatabaseOptions): Promise<SchemaState> => {
  const path = pathIn(url);
  try {
    if (path !== null && !existsSync(path)) return emptySchema;
    const settings = { url, log, connections: 1, statementTimeoutMs, reads: true };
    const dialect = path === null ? (await postgresDialect(settings)).dialect : new NodeSqliteDialect(path, 'look');
    const db = new Kysely<Tables>({ dialect });
    try {
      const state = await schemaOf(db);
      const isCopied = path !== null && access === 'migrate' && state.from !== null && state.pending.length > 0;
      if (isCopied) await checkRoomToCopy(path, freeBytes);
      return state;
    } finally {
      await db.destroy();
    }
  } catch (error) {
    throw storageFailure('open', error);
  }
};

/**
 * Opens the database that `url` names (`sqlite:./data/campus.db`, `sqlite::memory:`, `postgres://…`) and, unless told
 * otherwise, brings its schema up to date. A missing SQLite file and its folder are created, readable by this account only.
 * @throws Failure `storage-failed`; Error for a url of another form, without quoting it
 */
export const openDatabase = async (url: string, options: DatabaseOptions): Promise<Database> => {
  const path = pathIn(url);
  try {
    return await (path === null ? openPostgres(url, options) : openSqlite(path, options));
  } catch (error) {
    throw storageFailure('open', error);
  }
};
