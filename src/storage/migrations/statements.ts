/**
 * Migrations in the order of their names, in SQL that both databases understand and without semicolons. Released ones
 * never change. They only add, with defaults for the version before; a drop comes a release later and raises
 * `min_reader` to the number of the first schema whose version did without.
 */
export const statements: Readonly<Record<string, string>> = {
  '0001-accounts': `
    create table users (
      userid text not null primary key, created_at bigint not null, last_login_at bigint,
      token_sequence bigint not null, session_generation bigint not null, session_revision bigint not null
    );
    create table credentials (
      userid text not null primary key references users (userid) on delete cascade,
      sealed_password text not null, sealed_vpn_password text not null, version bigint not null, refused_step text
    );
    create table tokens (
      hash text not null primary key, userid text not null references users (userid) on delete cascade,
      sequence bigint not null, created_at bigint not null, expires_at bigint not null
    );
    create unique index tokens_by_user on tokens (userid, sequence);
    create index tokens_by_expiry on tokens (expires_at);
    create table invite_codes (
      code text not null primary key, max_uses bigint, used bigint not null,
      created_at bigint not null, expires_at bigint, revoked_at bigint
    );
    create table invite_tokens (
      hash text not null primary key, code text not null references invite_codes (code) on delete cascade,
      created_at bigint not null, expires_at bigint not null, used_at bigint
    );
    create index invite_tokens_by_code on invite_tokens (code);
    create index invite_tokens_by_expiry on invite_tokens (expires_at);
    create table guards (
      userid text not null primary key, login_cool_down_until bigint, registration_cool_down_until bigint,
      pause_until bigint, pause_seconds bigint not null
    );
    create table leases (name text not null primary key, owner text not null, expires_at bigint not null);
    create table upstream_sessions (
      userid text not null references users (userid) on delete cascade, system text not null,
      sealed_state text not null, revision bigint not null, updated_at bigint not null,
      constraint upstream_sessions_key primary key (userid, system)
    )`,
  // One task per student, with the lease of the replica that is at work on it.
  '0002-evaluation': `
    create table evaluation_tasks (
      userid text not null primary key references users (userid) on delete cascade, revision bigint not null,
      snapshot text not null, active bigint not null, lease_owner text, lease_until bigint not null, expires_at bigint
    );
    create index evaluation_tasks_by_lease on evaluation_tasks (active, lease_until)`,
  // Bytes lie apart from the row that changes state: SQLite writes a changed row whole.
  '0003-profiles': `
    create table images (
      id text not null primary key, userid text not null references users (userid) on delete cascade,
      purpose text not null, state text not null, type text not null, md5 text not null, tag text not null,
      size bigint not null, created_at bigint not null, expires_at bigint
    );
    create index images_by_user on images (userid, state);
    create index images_by_expiry on images (expires_at);
    create table image_bytes (
      image text not null primary key references images (id) on delete cascade, bytes bytea not null
    );
    create table user_profiles (
      userid text not null primary key references users (userid) on delete cascade,
      nickname text, slogan text not null, avatar_image text, created_at bigint not null
    );
    create table client_themes (
      userid text not null primary key references users (userid) on delete cascade, dark_mode integer not null,
      light_opacity double precision not null, light_brightness double precision not null,
      light_blur double precision not null, light_image text,
      dark_opacity double precision not null, dark_brightness double precision not null,
      dark_blur double precision not null, dark_image text, created_at bigint not null
    );
    create table app_profiles (
      userid text not null primary key references users (userid) on delete cascade, theme text,
      light_opacity double precision, light_brightness double precision, dark_opacity double precision,
      dark_brightness double precision, blur double precision, background_image text, created_at bigint not null
    )`,
  '0004-electricity': `
    create table room_trees (
      name text not null primary key, revision bigint not null, read_at bigint not null, buildings text not null
    );
    create table room_refreshes (name text not null primary key, ended_at bigint not null);
    create table room_bindings (
      userid text not null primary key references users (userid) on delete cascade,
      room_code text not null, room_name text not null, display_text text not null, bound_at bigint not null
    )`,
  '0005-campus-identity': 'create table campus_identity (name text not null primary key, identity text not null)',
  // Cool-downs lasted minutes: the login guard began with an empty memory. Tokens live 180 days at most.
  '0006-guard': `
    drop table guards;
    create table guard_memory (name text not null primary key, memory text not null, touched_at bigint not null);
    create index guard_memory_by_age on guard_memory (touched_at);
    alter table tokens add column ends_at bigint default 0 not null;
    alter table tokens add column last_used_at bigint default 0 not null;
    alter table tokens add column sealed_network text;
    alter table tokens add column ended_at bigint;
    update tokens set ends_at = created_at + 15552000000, last_used_at = created_at`,
  // No index on read_at: it changes most often, and PostgreSQL updates a row in place while no index knows the column.
  '0007-copies': `
    alter table users add column academics_writes bigint default 0 not null;
    alter table users add column academics_writing_until bigint default 0 not null;
    alter table users add column labor_club_writes bigint default 0 not null;
    alter table users add column labor_club_writing_until bigint default 0 not null;
    alter table users add column electricity_writes bigint default 0 not null;
    alter table users add column electricity_writing_until bigint default 0 not null;
    create table copies (
      userid text not null references users (userid) on delete cascade, read text not null, params text not null,
      shape bigint not null, sealed_value text not null, digest text not null, writes bigint not null,
      read_at bigint not null, constraint copies_key primary key (userid, read, params)
    )`,
  '0008-feeds': `
    create table calendar_feeds (
      id text not null primary key, userid text not null references users (userid) on delete cascade,
      secret_hash text not null unique, name text not null,
      classes bigint not null, exams bigint not null, activities bigint not null, alarm_minutes bigint,
      created_at bigint not null, polled_at bigint, seen text not null, revision bigint not null,
      in_doubt bigint not null, had text not null, sealed_calendar text, sealed_sources text
    );
    create index calendar_feeds_userid on calendar_feeds (userid)`,
  // Every token told for 180 days after its end whose it was; its network is forgotten with its end.
  '0011-ended-tokens': `
    alter table tokens add column proves_until bigint;
    update tokens set proves_until = ended_at + 15552000000, sealed_network = null where ended_at is not null`,
  // Codes that exist get their id when they are asked for.
  '0012-invite-code-ids': `
    alter table invite_codes add column id text;
    create unique index invite_codes_by_id on invite_codes (id)`,
  // Counts uploads for the hourly limit: a replaced image is gone long before the hour ends.
  '0013-image-uploads': `
    create table image_uploads (
      userid text not null references users (userid) on delete cascade, uploaded_at bigint not null
    );
    create index image_uploads_by_user on image_uploads (userid, uploaded_at);
    create index image_uploads_by_age on image_uploads (uploaded_at)`,
  '0014-feeds-and-replicas': `
    alter table calendar_feeds add column tag text default '' not null;
    alter table calendar_feeds add column schedule_params text default '' not null;
    alter table calendar_feeds add column made_at bigint default 0 not null;
    create table replicas (
      id text not null primary key, name text not null, clock_ahead bigint, expires_at bigint not null
    )`,
  '0015-token-clients': 'alter table tokens add column sealed_client text',
  // One row: the oldest schema whose version can still use the database. Nothing was dropped since 0006; a test runs the
  // version that ended with 0008 beside this one.
  '0017-schema-info': `
    create table schema_info (name text not null primary key, min_reader bigint not null);
    insert into schema_info (name, min_reader) values ('schema', 8)`,
  // The columns are null where a login has issued the token.
  '0018-personal-tokens': `
    alter table tokens add column name text;
    alter table tokens add column scopes text;
    alter table tokens add column copies_only bigint not null default 0;
    alter table tokens add column replaced_by text;
    create table access_log (
      userid text not null references users (userid) on delete cascade,
      source text not null, source_id text not null, operation text not null, outcome text not null,
      span text not null, began_at bigint not null, name text, count bigint not null, asked bigint not null,
      first_at bigint not null, last_at bigint not null, sealed_network text,
      constraint access_log_key primary key (userid, source, source_id, operation, outcome, span, began_at)
    );
    create index access_log_by_age on access_log (span, began_at)`,
  // One row, once everything was copied elsewhere. Of this database only; no copy holds it.
  '0020-backups': 'create table backups (name text not null primary key, made_at bigint not null)',
  // The value comes last: a look at sizes and times reads no value.
  '0021-campus-wide': `
    create table campus_wide_copies (
      read text not null, params text not null, shape bigint not null, read_at bigint not null, size bigint not null,
      value text not null, constraint campus_wide_copies_key primary key (read, params)
    );
    create table campus_lines (
      name text not null primary key, ended_at bigint not null, pause_until bigint not null, pause_ms bigint not null
    )`,
  // No reference to users: a registration waits for a person as well.
  '0022-login-challenges': `
    create table login_challenges (
      id_hash text not null primary key, page_name text not null, userid text not null, purpose text not null,
      kind text not null, state text not null, revision bigint not null, expires_at bigint not null,
      sealed_resume text not null, sealed_pair text not null
    );
    create index login_challenges_by_user on login_challenges (userid);
    create index login_challenges_by_page on login_challenges (page_name);
    create index login_challenges_by_age on login_challenges (expires_at)`,
  // Both tables hang on the student. The index serves the look for what other replicas have appended, and the sweep.
  '0023-events': `
    alter table users add column event_seq bigint default 0 not null;
    create table events (
      userid text not null references users (userid) on delete cascade, seq bigint not null, id text not null,
      type text not null, read_at bigint, occurred_at bigint not null, sealed_body text not null,
      constraint events_key primary key (userid, seq)
    );
    create index events_by_time on events (occurred_at);
    create table event_states (
      userid text not null references users (userid) on delete cascade, scope text not null,
      sealed_known text not null, in_doubt bigint not null, read_at bigint not null,
      constraint event_states_key primary key (userid, scope)
    )`,
  // Both go with the student, and deliveries with their hook. The outbox is looked through for what is due.
  '0024-hooks': `
    create table event_hooks (
      id text not null primary key, userid text not null references users (userid) on delete cascade,
      sealed_url text not null, host text not null, format text not null, detail text not null, types text not null,
      low_kwh bigint, refresh text not null, state text not null, made_by text not null, created_at bigint not null, delivered_at bigint,
      failing_since bigint, sealed_secret text not null, sealed_old_secret text, old_secret_until bigint
    );
    create index event_hooks_by_user on event_hooks (userid);
    create table hook_deliveries (
      id text not null primary key, userid text not null references users (userid) on delete cascade,
      hook text not null references event_hooks (id) on delete cascade, event text not null, type text not null,
      seq bigint not null, sealed_body text not null, asked bigint not null, state text not null,
      attempts bigint not null, created_at bigint not null, due_at bigint, lease_owner text,
      lease_until bigint not null, tried_at bigint, status bigint, ms bigint, fault text
    );
    create index hook_deliveries_due on hook_deliveries (due_at) where due_at is not null;
    create index hook_deliveries_by_hook on hook_deliveries (hook, created_at);
    create index hook_deliveries_by_user on hook_deliveries (userid);
    create table class_marks (
      userid text not null references users (userid) on delete cascade, class text not null,
      joined_at bigint not null, published_at bigint, told_at bigint,
      constraint class_marks_key primary key (userid, class)
    );
    create index class_marks_by_class on class_marks (class)`,
  // Both indexes serve the look for whom to read.
  '0026-own-readings': `
    create table own_readings (
      userid text not null primary key references users (userid) on delete cascade, daily_at bigint, signal_at bigint,
      day text not null, readings bigint not null, sign_ins bigint not null, revision bigint not null
    );
    create index own_readings_daily on own_readings (daily_at) where daily_at is not null;
    create index own_readings_signal on own_readings (signal_at) where signal_at is not null;
    create index event_hooks_by_refresh on event_hooks (refresh, userid)`,
  // Challenges live for minutes: those of the version before are lost.
  '0027-challenges': `
    drop table login_challenges;
    create table login_challenges (
      id_hash text not null primary key, userid text not null, purpose text not null, kind text not null,
      sealed_challenge text not null, answers_left bigint not null, expires_at bigint not null, revision bigint not null
    );
    create index login_challenges_by_user on login_challenges (userid);
    create index login_challenges_by_age on login_challenges (expires_at);
    update schema_info set min_reader = 27`,
  // A calendar is rendered from copies in memory; stored are its sources and the versions of its events.
  '0028-calendars': `
    alter table calendar_feeds drop column seen;
    alter table calendar_feeds drop column in_doubt;
    alter table calendar_feeds drop column sealed_calendar;
    alter table calendar_feeds drop column tag;
    alter table calendar_feeds drop column made_at;
    update schema_info set min_reader = 28`,
  '0029-hook-secrets': `
    alter table event_hooks drop column sealed_old_secret;
    alter table event_hooks drop column old_secret_until;
    update schema_info set min_reader = 29`,
  // guard-rows.ts takes over rows of guard_memory, because the new names are keyed. That table stays, empty, for
  // replicas of the release before this one, and goes with the first migration after 2027-03.
  '0030-guard-rows': `
    create table guard_rows (name text not null primary key, memory text not null, expires_at bigint not null);
    create index guard_rows_by_age on guard_rows (expires_at)`,
  '0031-access-log': `
    drop table access_log;
    update schema_info set min_reader = 31`,
  // Each sweep, and the export, finds its rows by one of these, past what the other rows hold.
  '0032-sweep-indexes': `
    drop index tokens_by_expiry;
    drop index hook_deliveries_by_user;
    create index hook_deliveries_by_user on hook_deliveries (userid, id);
    create index tokens_live_by_expiry on tokens (expires_at) where ended_at is null;
    create index tokens_by_proof on tokens (proves_until) where proves_until is not null;
    create index copies_by_age on copies (read_at);
    create index campus_wide_copies_by_age on campus_wide_copies (read_at);
    create index event_states_by_age on event_states (read_at);
    create index hook_deliveries_by_age on hook_deliveries (created_at);
    create index evaluation_tasks_by_end on evaluation_tasks (active, expires_at)`,
  // Who had the signal of a class has "none" now; a moment of "daily" stays.
  '0033-daily-readings': `
    drop table class_marks;
    delete from events where type = 'score.expected';
    delete from hook_deliveries where type = 'score.expected';
    update event_hooks set refresh = 'none' where refresh = 'signal';
    create table due_readings (
      userid text not null primary key references users (userid) on delete cascade, due_at bigint not null
    );
    insert into due_readings (userid, due_at)
      select userid, daily_at from own_readings where daily_at is not null;
    drop table own_readings;
    create index due_readings_by_moment on due_readings (due_at);
    update schema_info set min_reader = 33`,
  // In the order in which deliveries are attempted, so that a look stops where its page is full.
  '0034-due-deliveries': `
    drop index hook_deliveries_due;
    create index hook_deliveries_due on hook_deliveries (due_at, seq, id) where due_at is not null`,
  '0035-erasures': `
    alter table users add column erased_at bigint;
    create index users_erased on users (erased_at) where erased_at is not null`,
  // The release before this one keeps what is there, and drops it with every session that it replaces.
  '0036-device-trust': 'alter table upstream_sessions add column sealed_trust text',
};
