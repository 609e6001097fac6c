import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import type { Log } from '../../domain/context.ts';
import type { KeyedNames } from '../../lib/hash.ts';
import { type Clock, systemClock } from '../../lib/time.ts';
import { emptySchema, migrate, SchemaRefused, type SchemaState, schemaOf } from '../migrations/migrate.ts';
import type { Tables } from '../schema.ts';
import { type Cleaning, cutLog, Erasure, vacuumOnce, vacuumTables } from './erasure.ts';
import { type LookUps, type OpenPool, openPool } from './postgres.ts';
import { NodeSqliteDriver, sqliteDialect } from './sqlite.ts';
import { storageFailure } from './storage-failure.ts';
import { checkRoomToCopy, copyBeforeUpgrade, type FreeBytes, sweepUpgradeCopies } from './upgrade-copies.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/**
 * Says what opening may do to the schema.
 * - `migrate`: makes that of an empty database, brings an older one up to date, and copies a SQLite file first
 * - `migrate without copy`: the same, and deletes copies that are there
 * - `create`: makes that of an empty database, and refuses an older one
 * - `current`: refuses an older or missing one
 * - `look`: the same, and reads only
 */
export type Access = 'migrate' | 'migrate without copy' | 'create' | 'current' | 'look';

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

/** Connections at work, and statements that wait for one. */
export interface PoolState {
  readonly active: number;
  readonly waiting: number;
}

interface Opened {
  readonly db: Kysely<Tables>;
  readonly clean: Cleaning;
  readonly newer: string | null;
  readonly path?: string | null;
  readonly lookUps: LookUps | null;
  readonly postgres?: OpenPool;
}

export class Database {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Tables>;
  readonly erasure: Erasure;
  /** Null where there is no connection that only reads. */
  readonly lookUps: LookUps | null;
  /** Of the SQLite file; null where there is none. */
  readonly path: string | null;
  /** The schema of a newer version, which this one can use but does not know all of; null: it is that of this one. */
  readonly newer: string | null;
  readonly #postgres: OpenPool | undefined;

  constructor({ db, clean, newer, path = null, lookUps, postgres }: Opened, options: DatabaseOptions) {
    const { log, clock = systemClock } = options;
    this.kind = postgres ? 'postgres' : 'sqlite';
    this.db = db;
    this.erasure = new Erasure({ clean, clock, log, gatherMs: postgres ? vacuumGatherMs : 0 });
    this.lookUps = lookUps;
    this.path = path;
    this.newer = newer;
    this.#postgres = postgres;
  }

  /** Null where there is one connection only, which is never waited for. */
  pool(): PoolState | null {
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

const wantsThere = (access: Access | undefined): boolean => access === 'look' || access === 'current';

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

const inMemory = ':memory:';

/** Only the service's own account may look into the folder and the file; SQLite gives its side files the same mode. */
const prepareFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
};

const openSqlite = async (path: string, options: DatabaseOptions): Promise<Database> => {
  const { access, log, clock = systemClock, freeBytes } = options;
  const isFile = path !== inMemory;
  const looks = access === 'look';
  if (wantsThere(access) && isFile && !existsSync(path)) throw new SchemaRefused('NO_DATABASE', 'there is no file');
  if (isFile && !looks) prepareFile(path);
  const driver = new NodeSqliteDriver(path, looks ? 'look' : 'write');
  const { db, prepared } = await ready(sqliteDialect(driver), async (opened) => {
    if (!isFile || looks) return prepareSchema(opened, options);
    const state = await prepareSchema(opened, options, (from) =>
      copyBeforeUpgrade(opened, { path, from, now: clock.now(), freeBytes }),
    );
    sweepUpgradeCopies(path, access === 'migrate without copy' ? Number.POSITIVE_INFINITY : clock.now());
    await vacuumOnce(opened, state.from === null, log);
    // A process that was killed may have left deleted content in the log.
    await cutLog(opened)();
    return state;
  });
  const { newer } = prepared;
  if (!isFile) return new Database({ db, newer, clean: async () => true, lookUps: null }, options);
  const clean = looks ? async () => true : cutLog(db);
  return new Database({ db, newer, clean, path, lookUps: driver }, options);
};

const openPostgres = async (url: string, options: DatabaseOptions): Promise<Database> => {
  const { log } = options;
  const reads = options.access === 'look';
  // Waiting for another replica's migration takes longer than any statement of the service may.
  const patient = await openPool({ url, log, connections: 1, statementTimeoutMs: migrationTimeoutMs, reads });
  const migrating = await ready(new PostgresDialect(patient), (opened) => prepareSchema(opened, options));
  await migrating.db.destroy();
  const postgres = await openPool({ url, log, connections, statementTimeoutMs, reads });
  const { db } = await ready(new PostgresDialect(postgres), (opened) => sql`select 1`.execute(opened));
  const { lookUps } = postgres;
  return new Database({ db, newer: migrating.prepared.newer, clean: vacuumTables(db), lookUps, postgres }, options);
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

/**
 * Where a database stands and what opening it would do to its schema. Nothing is written.
 * @throws Failure `storage-failed`, also where opening it would find no room for its copy
 */
export const schemaAt = async (url: string, { access, log, freeBytes }: DatabaseOptions): Promise<SchemaState> => {
  const path = pathIn(url);
  try {
    if (path !== null && !existsSync(path)) return emptySchema;
    const dialect =
      path === null
        ? new PostgresDialect(await openPool({ url, log, connections: 1, statementTimeoutMs, reads: true }))
        : sqliteDialect(new NodeSqliteDriver(path, 'look'));
    const { db, prepared: state } = await ready(dialect, schemaOf);
    await db.destroy();
    const isCopied = path !== null && access === 'migrate' && state.from !== null && state.pending.length > 0;
    if (isCopied) await checkRoomToCopy(path, freeBytes);
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
