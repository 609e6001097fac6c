import type { Kysely } from 'kysely';

/** Calendar feeds: their secrets as hashes, what they show and what they show it from sealed. */
export const feeds = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('calendar_feeds')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('userid', 'text', (column) => column.notNull().references('users.userid').onDelete('cascade'))
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('classes', 'bigint', (column) => column.notNull())
    .addColumn('exams', 'bigint', (column) => column.notNull())
    .addColumn('activities', 'bigint', (column) => column.notNull())
    .addColumn('alarm_minutes', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('polled_at', 'bigint')
    .addColumn('seen', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('in_doubt', 'bigint', (column) => column.notNull())
    .addColumn('had', 'text', (column) => column.notNull())
    .addColumn('sealed_calendar', 'text')
    .addColumn('sealed_sources', 'text')
    .execute();
  await db.schema.createIndex('calendar_feeds_userid').on('calendar_feeds').column('userid').execute();
};
