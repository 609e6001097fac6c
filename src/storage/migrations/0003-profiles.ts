import type { Kysely } from 'kysely';

/** Profiles, the two sets of theme settings, and images. */
export const profiles = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('images')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('userid', 'text', (column) => column.notNull().references('users.userid').onDelete('cascade'))
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('md5', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await db.schema.createIndex('images_by_user').on('images').columns(['userid', 'state']).execute();
  await db.schema.createIndex('images_by_expiry').on('images').column('expires_at').execute();

  // Apart from the row that changes state: SQLite writes a changed row anew, with everything in it.
  await db.schema
    .createTable('image_bytes')
    .addColumn('image', 'text', (column) => column.primaryKey().notNull().references('images.id').onDelete('cascade'))
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('user_profiles')
    .addColumn('userid', 'text', (column) =>
      column.primaryKey().notNull().references('users.userid').onDelete('cascade'),
    )
    .addColumn('nickname', 'text')
    .addColumn('slogan', 'text', (column) => column.notNull())
    .addColumn('avatar_image', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('client_themes')
    .addColumn('userid', 'text', (column) =>
      column.primaryKey().notNull().references('users.userid').onDelete('cascade'),
    )
    .addColumn('dark_mode', 'integer', (column) => column.notNull())
    .addColumn('light_opacity', 'double precision', (column) => column.notNull())
    .addColumn('light_brightness', 'double precision', (column) => column.notNull())
    .addColumn('light_blur', 'double precision', (column) => column.notNull())
    .addColumn('light_image', 'text')
    .addColumn('dark_opacity', 'double precision', (column) => column.notNull())
    .addColumn('dark_brightness', 'double precision', (column) => column.notNull())
    .addColumn('dark_blur', 'double precision', (column) => column.notNull())
    .addColumn('dark_image', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('app_profiles')
    .addColumn('userid', 'text', (column) =>
      column.primaryKey().notNull().references('users.userid').onDelete('cascade'),
    )
    .addColumn('theme', 'text')
    .addColumn('light_opacity', 'double precision')
    .addColumn('light_brightness', 'double precision')
    .addColumn('dark_opacity', 'double precision')
    .addColumn('dark_brightness', 'double precision')
    .addColumn('blur', 'double precision')
    .addColumn('background_image', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
};
