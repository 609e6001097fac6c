import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import type { Log } from '../../domain/context.ts';
import type { KeyedNames } from '../../lib/hash.ts';
import { type Clock, systemClock } from '../../lib/time.ts';
import { emptySchema, migrate, SchemaRefused, type SchemaState, schemaStateOf } from '../migrations/migrate.ts';
import type { Tables } from '../schema.ts';
import { type Cleaning, cutLog, Erasure, vacuumOnce, vacuumTables } from './erasure.ts';
import { type LookUps, type OpenPool, openPool } from './postgres.ts';
import { NodeSqliteDriver, sqliteDialect } from './sqlite.ts';
import { storageFailure } from './storage-failure.ts';
import { checkRoomToCopy, copyBeforeUpgrade, sweepUpgradeCopies } from './upgrade-copies.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * How opening treats the schema.
 * - `migrate`: makes it in an empty database and brings an older one up to date, after a copy of a SQLite file
 * - `migrate without copy`: the same, and deletes earlier copies
 * - `create`: makes it in an empty database and refuses an older one
 * - `current`: refuses an older or missing one
 * - `look`: the same, and reads only
 */
export type DatabaseAccess = 'migrate' | 'migrate without copy' | 'create' | 'current' | 'look';

export interface DatabaseOptions {
  readonly log: Log;
  /** Lets a migration name rows by the keys of the service. */
  readonly names?: KeyedNames;
  readonly clock?: Clock;
  readonly access?: DatabaseAccess;
}

const connections = 10;
const statementTimeoutMs = 10_000;
/** How long a replica waits while another one migrates. */
const migrationTimeoutMs = 300_000;
/** PostgreSQL cleans whole tables, so the deletions of half a minute share one cleaning. */
const vacuumGatherMs = 30_000;

interface OpenedDatabase extends Pick<Database, 'db' | 'lookUps' | 'newer' | 'path'> {
  readonly clean: Cleaning;
  readonly postgres?: OpenPool;
}

export class Database {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  readonly erasure: Erasure;
  readonly lookUps: LookUps;
  /** Path of the SQLite file; null if there is none. */
  readonly path: string | null;
  /** The last migration of a newer version whose schema this one can use; null: the schema is that of this version. */
  readonly newer: string | null;
  readonly #postgres: OpenPool | undefined;

  constructor({ db, clean, newer, path, lookUps, postgres }: OpenedDatabase, options: DatabaseOptions) {
    const { log, clock = systemClock } = options;
    this.kind = postgres ? 'postgres' : 'sqlite';
    this.db = db;
    this.erasure = new Erasure({ clean, clock, log, gatherMs: postgres ? vacuumGatherMs : 0 });
    this.lookUps = lookUps;
    this.path = path;
    this.newer = newer;
    this.#postgres = postgres;
  }

  /** Connections at work, and statements that wait for one; null on SQLite. */
  pool(): { readonly active: number; readonly waiting: number } | null {
    if (this.#postgres === undefined) return null;
    const { totalCount, idleCount, waitingCount } = this.#postgres.pool;
    return { active: totalCount - idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await this.erasure.close();
    await this.#postgres?.lookUps.close();
    await this.db.destroy();
  }
}

const openReady = async <T>(
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

const wantsThere = (access: DatabaseAccess | undefined): boolean => access === 'look' || access === 'current';

/** Brings the schema to this version, as far as `access` allows. Returns its state before. */
const prepareSchema = async (
  db: Kysely<Tables>,
  { access = 'migrate', log, names, clock = systemClock }: DatabaseOptions,
  copyFirst?: (from: string) => Promise<void>,
): Promise<SchemaState> => {
  const state = await schemaStateOf(db);
  const { from, to, pending } = state;
  if (pending.length === 0) return state;
  if (from === null) {
    if (wantsThere(access)) throw new SchemaRefused('NO_DATABASE', 'there is no database yet');
  } else {
    if (wantsThere(access) || access === 'create') {
      throw new SchemaRefused(`OLDER_SCHEMA ${from}, not ${to}`, 'the database has the schema of an older version');
    }
    if (access === 'migrate') await copyFirst?.(from);
  }
  const applied = await migrate(db, clock.now(), names);
  if (from !== null && applied.length > 0) log.info({ from, to }, 'migrated');
  return state;
};

const inMemory = ':memory:';

/** Makes folder and file for this account alone; SQLite gives its side files the same mode. */
const prepareFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
};

const openSqlite = async (path: string, options: DatabaseOptions): Promise<Database> => {
  const { access, log, clock = systemClock } = options;
  const isFile = path !== inMemory;
  const looks = access === 'look';
  if (wantsThere(access) && isFile && !existsSync(path)) throw new SchemaRefused('NO_DATABASE', 'there is no file');
  if (isFile && !looks) prepareFile(path);
  const driver = new NodeSqliteDriver(path, looks ? 'look' : 'write');
  const { db, prepared: state } = await openReady(sqliteDialect(driver), async (opened) => {
    if (!isFile || looks) return prepareSchema(opened, options);
    const before = await prepareSchema(opened, options, (from) =>
      copyBeforeUpgrade(opened, { path, from, now: clock.now() }),
    );
    sweepUpgradeCopies(path, access === 'migrate without copy' ? Number.POSITIVE_INFINITY : clock.now());
    await vacuumOnce(opened, before.from === null, log);
    // A process that was killed may have left deleted content in the log.
    await cutLog(opened)();
    return before;
  });
  const opened = { db, newer: state.newer, path: isFile ? path : null, lookUps: driver, clean: cutLog(db) };
  return new Database(opened, options);
};

const openPostgres = async (url: string, options: DatabaseOptions): Promise<Database> => {
  const { log } = options;
  const reads = options.access === 'look';
  // Waiting for another replica's migration takes longer than any statement of the service may.
  const patient = await openPool({ url, log, connections: 1, statementTimeoutMs: migrationTimeoutMs, reads });
  const migrating = await openReady(new PostgresDialect(patient), (opened) => prepareSchema(opened, options));
  await migrating.db.destroy();
  const postgres = await openPool({ url, log, connections, statementTimeoutMs, reads });
  const { db } = await openReady(new PostgresDialect(postgres), (opened) => sql`select 1`.execute(opened));
  const { newer } = migrating.prepared;
  const { lookUps } = postgres;
  return new Database({ db, newer, path: null, lookUps, clean: vacuumTables(db), postgres }, options);
};

/** The path of a SQLite file; null for PostgreSQL. @throws Error for a url of another form, without quoting it */
const pathIn = (url: string): string | null => {
  if (/^postgres(ql)?:\/\//.test(url)) return null;
  const [, path = ''] = /^sqlite:(?!\/\/[^/])(.+)$/s.exec(url) ?? [];
  if (path !== '') return path === inMemory ? path : resolve(path);
  throw new Error(
    'the database url must be postgres://…, sqlite:./relative/path, sqlite:/absolute/path or sqlite::memory:',
  );
};

/** Reads the state of a schema. @throws Failure `storage-failed`, also where opening would find no room for its copy */
export const schemaAt = async (url: string, { access, log }: DatabaseOptions): Promise<SchemaState> => {
  const path = pathIn(url);
  try {
    if (path !== null && !existsSync(path)) return emptySchema;
    const dialect =
      path === null
        ? new PostgresDialect(await openPool({ url, log, connections: 1, statementTimeoutMs, reads: true }))
        : sqliteDialect(new NodeSqliteDriver(path, 'look'));
    const { db, prepared: state } = await openReady(dialect, schemaStateOf);
    await db.destroy();
    const isCopied = path !== null && access === 'migrate' && state.from !== null && state.pending.length > 0;
    if (isCopied) await checkRoomToCopy(path);
    return state;
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
