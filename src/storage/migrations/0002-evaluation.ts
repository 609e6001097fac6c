import type { Kysely } from 'kysely';

/** One evaluation task per student, with the lease of whoever is at work on it. */
export const evaluation = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('evaluation_tasks')
    .addColumn('userid', 'text', (column) =>
      column.primaryKey().notNull().references('users.userid').onDelete('cascade'),
    )
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('snapshot', 'text', (column) => column.notNull())
    .addColumn('active', 'bigint', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('evaluation_tasks_by_lease')
    .on('evaluation_tasks')
    .columns(['active', 'lease_until'])
    .execute();
};
