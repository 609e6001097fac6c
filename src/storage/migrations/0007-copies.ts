import type { Kysely } from 'kysely';

/** Sealed copies of what students have read, and the counters of writes that end their freshness. */
export const copies = async (db: Kysely<unknown>): Promise<void> => {
  for (const application of ['academics', 'labor_club', 'electricity']) {
    for (const column of [`${application}_writes`, `${application}_writing_until`]) {
      await db.schema
        .alterTable('users')
        .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
        .execute();
    }
  }
  // No index on read_at: it changes most often, and PostgreSQL updates a row in place while no index knows the column.
  await db.schema
    .createTable('copies')
    .addColumn('userid', 'text', (column) => column.notNull().references('users.userid').onDelete('cascade'))
    .addColumn('read', 'text', (column) => column.notNull())
    .addColumn('params', 'text', (column) => column.notNull())
    .addColumn('shape', 'bigint', (column) => column.notNull())
    .addColumn('sealed_value', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('writes', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('copies_key', ['userid', 'read', 'params'])
    .execute();
};
