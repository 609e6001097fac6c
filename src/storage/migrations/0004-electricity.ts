import type { Kysely } from 'kysely';

/** The room tree of the campus, the end of its last refresh, and the rooms that students chose. */
export const electricity = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('room_trees')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .addColumn('buildings', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('room_refreshes')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('room_bindings')
    .addColumn('userid', 'text', (column) =>
      column.primaryKey().notNull().references('users.userid').onDelete('cascade'),
    )
    .addColumn('room_code', 'text', (column) => column.notNull())
    .addColumn('room_name', 'text', (column) => column.notNull())
    .addColumn('display_text', 'text', (column) => column.notNull())
    .addColumn('bound_at', 'bigint', (column) => column.notNull())
    .execute();
};
