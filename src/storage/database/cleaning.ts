import { type Kysely, sql } from 'kysely';
import type { Log } from '../../domain/context.ts';
import type { Tables } from '../schema.ts';
import type { Cleaning } from './erasure.ts';
import { DatabaseError } from './storage-failure.ts';

/** In `user_version` of a file in which no version before this rule has left anything in unused pages. */
const cleanFile = 1;

/**
 * Deleted content is overwritten in the database file (`secure_delete`), but the log before it keeps every page as it
 * was. This moves the log into the file and cuts it to nothing, unless somebody is still reading from it.
 */
export const cutLog =
  (db: Kysely<Tables>): Cleaning =>
  async () => {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    return rows[0]?.busy === 0;
  };

/** Writes a file of a former version anew, once: its unused pages may hold what was deleted long ago. */
export const vacuumOnce = async (db: Kysely<Tables>, isNew: boolean, log: Log): Promise<void> => {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  if ((rows[0]?.user_version ?? 0) >= cleanFile) return;
  try {
    if (!isNew) await sql`vacuum`.execute(db);
    await sql.raw(`pragma user_version = ${cleanFile}`).execute(db);
  } catch (error) {
    log.warn({ err: new DatabaseError('vacuum', error) }, 'database file not written anew; the next start tries again');
  }
};

/**
 * Lets PostgreSQL reuse the place of what was deleted: small tables first, since the server may end a long cleaning.
 * Tables that another replica is cleaning are left to it.
 */
export const vacuumTables =
  (db: Kysely<Tables>): Cleaning =>
  async () => {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = current_schema() and pg_has_role(current_user, tableowner, 'member')
      order by pg_table_size(format('%I.%I', schemaname, tablename)::regclass)`.execute(db);
    await sql.raw(`vacuum (skip_locked) ${rows.map(({ name }) => name).join(', ')}`).execute(db);
    return true;
  };
