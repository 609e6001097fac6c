/** Statements that take a database of SQLite back to what an older version left. */
export const undo = [
  ...['tokens_live_by_expiry', 'tokens_by_proof', 'copies_by_age', 'evaluation_tasks_by_end'].map(
    (index) => `drop index ${index}`,
  ),
  'create index tokens_by_expiry on tokens (expires_at)',
  ...[
    'guard_rows',
    'login_challenges',
    'due_readings',
    'hook_deliveries',
    'event_hooks',
    'campus_wide_copies',
    'campus_lines',
    'events',
    'event_states',
    'backups',
    'schema_info',
  ].map((table) => `drop table ${table}`),
  ...['name', 'scopes', 'copies_only', 'replaced_by'].map((column) => `alter table tokens drop column ${column}`),
  'alter table users drop column event_seq',
  ...["seen text default ''", "tag text default ''", 'in_doubt bigint default 0', 'made_at bigint default 0'].map(
    (column) => `alter table calendar_feeds add column ${column} not null`,
  ),
  'alter table calendar_feeds add column sealed_calendar text',
  "delete from kysely_migration where name >= '0017'",
].join(';');
