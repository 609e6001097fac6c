import { type Kysely, sql } from 'kysely';

/** 180 days: the default of `TOKEN_MAX_DAYS`, for tokens that were issued without an absolute end. */
const LIFE_MS = 180 * 86_400_000;

/** What the login guard remembers, and what tokens need to have an absolute end and to be listed. */
export const guard = async (db: Kysely<unknown>): Promise<void> => {
  // Cool-downs of some minutes: the new rules begin with an empty memory.
  await db.schema.dropTable('guards').execute();
  await db.schema
    .createTable('guard_memory')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('memory', 'text', (column) => column.notNull())
    .addColumn('touched_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('guard_memory_by_age').on('guard_memory').column('touched_at').execute();

  for (const name of ['ends_at', 'last_used_at']) {
    await db.schema
      .alterTable('tokens')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable('tokens').addColumn('sealed_network', 'text').execute();
  await db.schema.alterTable('tokens').addColumn('ended_at', 'bigint').execute();
  await sql`update tokens set ends_at = created_at + ${sql.lit(LIFE_MS)}, last_used_at = created_at`.execute(db);
};
