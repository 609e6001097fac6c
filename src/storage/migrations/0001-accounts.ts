import type { Kysely } from 'kysely';

/** Users, credentials, tokens, invitations, guards, leases and sealed upstream sessions. */
export const accounts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('users')
    .addColumn('userid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_login_at', 'bigint')
    .addColumn('token_sequence', 'bigint', (column) => column.notNull())
    .addColumn('session_generation', 'bigint', (column) => column.notNull())
    .addColumn('session_revision', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('credentials')
    .addColumn('userid', 'text', (column) =>
      column.primaryKey().notNull().references('users.userid').onDelete('cascade'),
    )
    .addColumn('sealed_password', 'text', (column) => column.notNull())
    .addColumn('sealed_vpn_password', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('refused_step', 'text')
    .execute();

  await db.schema
    .createTable('tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('userid', 'text', (column) => column.notNull().references('users.userid').onDelete('cascade'))
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('tokens_by_user').on('tokens').columns(['userid', 'sequence']).unique().execute();
  await db.schema.createIndex('tokens_by_expiry').on('tokens').column('expires_at').execute();

  await db.schema
    .createTable('invite_codes')
    .addColumn('code', 'text', (column) => column.primaryKey().notNull())
    .addColumn('max_uses', 'bigint')
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();

  await db.schema
    .createTable('invite_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('code', 'text', (column) => column.notNull().references('invite_codes.code').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await db.schema.createIndex('invite_tokens_by_code').on('invite_tokens').column('code').execute();
  await db.schema.createIndex('invite_tokens_by_expiry').on('invite_tokens').column('expires_at').execute();

  // No reference to users: a registration cool-down concerns a student id that is not a user yet.
  await db.schema
    .createTable('guards')
    .addColumn('userid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('login_cool_down_until', 'bigint')
    .addColumn('registration_cool_down_until', 'bigint')
    .addColumn('pause_until', 'bigint')
    .addColumn('pause_seconds', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('upstream_sessions')
    .addColumn('userid', 'text', (column) => column.notNull().references('users.userid').onDelete('cascade'))
    .addColumn('system', 'text', (column) => column.notNull())
    .addColumn('sealed_state', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('upstream_sessions_key', ['userid', 'system'])
    .execute();
};
