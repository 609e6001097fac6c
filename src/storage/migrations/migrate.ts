import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { KeyedNames } from '../../lib/hash.ts';
import { guardRowsMigration, takeOverGuard } from './guard-rows.ts';
import { statements } from './statements.ts';

/** The keys are for rows that a migration names. */
const migrationsWith = (now: number, names: KeyedNames | undefined): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(statements).map(([name, text]): [string, Migration] => [
      name,
      {
        async up(db) {
          for (const statement of text.split(';')) await sql.raw(statement).execute(db);
          if (name === guardRowsMigration) await takeOverGuard(db, names, now);
        },
      },
    ]),
  );

const ownMigrations = Object.keys(statements).sort();
export const newest = ownMigrations.at(-1) ?? '';
const numberOf = (name: string): number => Number.parseInt(name, 10);

/** Says which migrations a database has. */
export interface SchemaState {
  /** The last migration that was applied; null: the database is empty. */
  readonly from: string | null;
  readonly to: string;
  /** Migrations of this version that were not applied, in their order. */
  readonly pending: readonly string[];
  /** The last migration of a newer version whose database this one can use; null: there is none. */
  readonly newer: string | null;
}

export const emptySchema: SchemaState = { from: null, to: newest, pending: ownMigrations, newer: null };

/** The database cannot be used in its present state. Operators read the code, which names the schema. */
export class SchemaRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SchemaRefused';
    this.code = code;
  }
}

const tooNew = (name: string): SchemaRefused =>
  new SchemaRefused(`UNKNOWN_SCHEMA ${name}`, 'the database was migrated by a newer version');

/** False once a newer version has dropped what this one needs. */
export const isReadableHere = async <T>(db: Kysely<T>): Promise<boolean> => {
  const { rows } = await sql<{ min_reader: number }>`select min_reader from schema_info`.execute(db);
  return (rows[0]?.min_reader ?? 0) <= numberOf(newest);
};

/** @throws SchemaRefused when a newer version has left what this one cannot use */
export const schemaStateOf = async <T>(db: Kysely<T>): Promise<SchemaState> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return emptySchema;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  const from = applied.at(-1) ?? null;
  const pending = ownMigrations.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !ownMigrations.includes(name)).at(-1) ?? null;
  // A database that lacks some of ours and has others is of another line of versions.
  if (newer !== null && (pending.length > 0 || !(await isReadableHere(db)))) throw tooNew(newer);
  return { from, to: newest, pending, newer };
};

/**
 * Applies what is pending. Kysely holds an advisory lock on PostgreSQL and the write lock on SQLite, so of several
 * replicas that start at once one does the work and the others find it done.
 * @returns the names of the migrations that were applied now
 */
export const migrate = async <T>(db: Kysely<T>, now: number, names?: KeyedNames): Promise<string[]> => {
  const provider: MigrationProvider = { getMigrations: async () => migrationsWith(now, names) };
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return results.map((result) => result.migrationName);
  // A newer version that started at the same moment may have migrated it further.
  const { pending } = await schemaStateOf(db);
  if (pending.length > 0) throw error;
  return [];
};
