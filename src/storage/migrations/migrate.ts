import type { Kysely } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { accounts } from './0001-accounts.ts';
import { evaluation } from './0002-evaluation.ts';
import { profiles } from './0003-profiles.ts';
import { electricity } from './0004-electricity.ts';
import { campusIdentity } from './0005-campus-identity.ts';
import { guard } from './0006-guard.ts';
import { copies } from './0007-copies.ts';
import { feeds } from './0008-feeds.ts';

/** Applied by nobody but who makes a database. */
export const firstMigration = '0001-accounts';

/** Applied in the order of their names; a name is never changed or reused once released. */
const migrations: Record<string, Migration> = {
  [firstMigration]: { up: accounts },
  '0002-evaluation': { up: evaluation },
  '0003-profiles': { up: profiles },
  '0004-electricity': { up: electricity },
  '0005-campus-identity': { up: campusIdentity },
  '0006-guard': { up: guard },
  '0007-copies': { up: copies },
  '0008-feeds': { up: feeds },
};

/** The database knows migrations that this version does not. */
class UnknownSchema extends Error {
  readonly code = 'UNKNOWN_SCHEMA';

  constructor(cause: unknown) {
    super('the database was migrated by a newer version', { cause });
    this.name = 'UnknownSchema';
  }
}

const isUnknownSchema = (error: unknown): boolean =>
  error instanceof Error && /^corrupted migrations: .* is missing$/.test(error.message);

const provider: MigrationProvider = { getMigrations: async () => migrations };

/**
 * Brings the database to the latest schema. Kysely holds an advisory lock on PostgreSQL and the write lock on SQLite
 * meanwhile, so of several replicas that start at once one does the work and the others find it done.
 * @returns the names of the migrations that were applied now
 */
export const migrate = async <T>(db: Kysely<T>): Promise<string[]> => {
  const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest();
  if (error !== undefined) throw isUnknownSchema(error) ? new UnknownSchema(error) : error;
  return results.map((result) => result.migrationName);
};
