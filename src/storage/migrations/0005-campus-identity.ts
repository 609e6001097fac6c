import type { Kysely } from 'kysely';

/** One row: the campus that the database belongs to. */
export const campusIdentity = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('campus_identity')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('identity', 'text', (column) => column.notNull())
    .execute();
};
