import { feedParts } from '../domain/calendar/kinds.ts';
import { tokenId } from '../lib/hash.ts';
import {
  bytes,
  type Column,
  derived,
  flag,
  inner,
  nullableColumn,
  number,
  numberOrNull,
  password,
  plain,
  sealedColumn,
  secret,
  show,
  tellAs,
  text,
  textOrNull,
  type Withheld,
} from './columns.ts';
import { places } from './seal.ts';

const userid = show(text, 'userid');

const deviceTrust: Withheld = {
  why: 'device trust: a cookie by which a login of the campus knows that a step was passed, good with the password only',
};

/** Writes to the applications, in the users row because that is read for the generation anyway. */
const writes = {
  academics_writes: number(inner),
  academics_writing_until: number(inner),
  labor_club_writes: number(inner),
  labor_club_writing_until: number(inner),
  electricity_writes: number(inner),
  electricity_writing_until: number(inner),
};

/** `key`: the primary key; empty where there is none. */
const table = <C extends Readonly<Record<string, Column>>>(
  key: ReadonlyArray<NoInfer<keyof C & string>>,
  columns: C,
) => ({ columns, key });

/**
 * Every table and column, declared once; the migrations make them. Row types, rotation, copying, export and the tests of
 * erasure go by this. A table comes after those that its rows refer to. Times are epoch milliseconds, hashes lower-case hex.
 */
export const schema = {
  campus_identity: table(['name'], plain(text, 'name', 'identity')),
  users: table(['userid'], {
    ...userid,
    created_at: number('created_at'),
    last_login_at: numberOrNull('last_login_at'),
    /** Counts the tokens of logins, whose order does not depend on the clock. */
    token_sequence: number(inner),
    session_generation: number(inner),
    /** Counts the saves of upstream sessions, so that revisions grow even after a session was removed. */
    session_revision: number(inner),
    /** The number of the student's last event; 0: none yet. */
    event_seq: number(inner),
    /** The account is erased, though not all of its rows have gone; null: it is not. */
    erased_at: numberOrNull(inner),
    ...writes,
  }),
  credentials: table(['userid'], {
    ...userid,
    sealed_password: sealedColumn(places.password, password),
    sealed_vpn_password: sealedColumn(places.vpnPassword, password),
    version: number(inner),
    refused_step: textOrNull('refused_step'),
  }),
  tokens: table(['hash'], {
    /** Its beginning is the id of the token. */
    hash: tellAs(text('id'), tokenId),
    ...userid,
    sequence: number(inner),
    /** `expires_at` slides with use; `ends_at` is the absolute end. */
    ...show(number, 'created_at', 'expires_at', 'ends_at', 'last_used_at'),
    /** Network of the last use; null for tokens of an early version. */
    sealed_network: nullableColumn(sealedColumn(places.network, 'network')),
    /** The program that it was issued to; null where that is not known. */
    sealed_client: nullableColumn(sealedColumn(places.client, 'client')),
    /** When a logout or another event ended it, or the sweep found it expired. */
    ended_at: numberOrNull('ended_at'),
    /** Until then the hash of an ended token identifies its student, and nothing else. */
    proves_until: numberOrNull(inner),
    /** Name of a personal token; null if a login has issued it. */
    name: textOrNull('name'),
    /** Scopes of a personal token, separated by blanks. */
    scopes: tellAs(textOrNull('scopes'), (words) => words?.split(' ')),
    /** 1: it never causes a request at the campus. */
    copies_only: flag('copies_only'),
    /** Id of the personal token that was rotated in for this one. */
    replaced_by: textOrNull('replaced_by'),
  }),
  invite_codes: table(['code'], {
    /** Invite tokens name the code by this; null: the version before made the code, and nothing has used it since. */
    id: textOrNull(),
    code: text(),
    ...plain(number, 'used', 'created_at'),
    ...plain(numberOrNull, 'max_uses', 'expires_at', 'revoked_at'),
  }),
  /** Used tokens; the version before also stored unused ones. */
  invite_tokens: table(['hash'], {
    ...plain(text, 'hash', 'code'),
    ...plain(number, 'created_at', 'expires_at'),
    ...plain(numberOrNull, 'used_at'),
  }),
  /** Written by replicas of the release before, while they run beside this one. */
  guard_memory: table(['name'], { name: text(), memory: text(), touched_at: number() }),
  /** Named by the keyed hash of a student id in lower case, or `gateway`. */
  guard_rows: table(['name'], { name: text(), memory: text(), expires_at: number() }),
  leases: table(['name'], { name: text(), owner: text(), expires_at: number() }),
  upstream_sessions: table(['userid', 'system'], {
    ...userid,
    system: text('system'),
    /** Empty where the row is there for its trust alone. */
    sealed_state: sealedColumn(places.session, secret),
    /** Of the stored pair: it outlives the session. */
    sealed_trust: nullableColumn(sealedColumn(places.trust, deviceTrust)),
    revision: number(inner),
    updated_at: number('updated_at'),
  }),
  /** Sign-ins that wait for a person; of a registration there is no user yet. */
  login_challenges: table(['id_hash'], {
    id_hash: text(secret),
    ...userid,
    ...show(text, 'purpose', 'kind'),
    /** How the sign-in continues, with both passwords. */
    sealed_challenge: sealedColumn(places.challenge, secret),
    ...show(number, 'answers_left', 'expires_at'),
    revision: number(inner),
  }),
  evaluation_tasks: table(['userid'], {
    ...userid,
    /** Grows with every write, also when the task begins again. */
    revision: number(inner),
    snapshot: text('snapshot'),
    /** 1 while a process, `lease_owner`, has to work on it. */
    active: flag('active'),
    lease_owner: textOrNull(inner),
    /** Until then that process is taken to live. */
    lease_until: number(inner),
    expires_at: numberOrNull('expires_at'),
  }),
  copies: table(['userid', 'read', 'params'], {
    ...userid,
    read: text('read'),
    /** JSON of the list of parameters. */
    params: text('params'),
    shape: number(inner),
    sealed_value: sealedColumn(places.copy, 'value'),
    /** Keyed: short values cannot be guessed from it. */
    digest: text(inner),
    /** Writes to the application when the reading began. */
    writes: number(inner),
    read_at: number('read_at'),
  }),
  /** One row: the tree is replaced as a whole or not at all. `name` is the format of `buildings`, JSON of the tree. */
  room_trees: table(['name'], { name: text(), revision: number(), read_at: number(), buildings: text() }),
  /** The end of the last successful refresh. */
  room_refreshes: table(['name'], { name: text(), ended_at: number() }),
  /** Values that are the same for all students. `size` is that of the value, in bytes. */
  campus_wide_copies: table(['read', 'params'], {
    ...plain(text, 'read', 'params', 'value'),
    ...plain(number, 'shape', 'read_at', 'size'),
  }),
  /** Times by the clock of the database if it has one. `pause_ms`: length of the last pause the campus asked for. */
  campus_lines: table(['name'], { name: text(), ...plain(number, 'ended_at', 'pause_until', 'pause_ms') }),
  room_bindings: table(['userid'], {
    ...show(text, 'userid', 'room_code', 'room_name', 'display_text'),
    ...show(number, 'bound_at'),
  }),
  calendar_feeds: table(['id'], {
    id: text('id'),
    ...userid,
    secret_hash: text(secret),
    name: text('name'),
    ...show(flag, ...feedParts),
    alarm_minutes: numberOrNull('alarm_minutes'),
    created_at: number('created_at'),
    polled_at: numberOrNull('polled_at'),
    /** Grows with every change of the sources; 0: there were none. */
    revision: number(inner),
    /** Parts that have had data, separated by commas. */
    had: text(inner),
    sealed_sources: nullableColumn(sealedColumn(places.sources, derived)),
    /** Parameters of the schedule that it is made of; `''` while that is not known. */
    schedule_params: text(inner),
  }),
  events: table(['userid', 'seq'], {
    ...userid,
    seq: number('seq'),
    ...show(text, 'id', 'type'),
    read_at: numberOrNull('read_at'),
    occurred_at: number('occurred_at'),
    /** JSON of `about`, `ask` and `detail`. */
    sealed_body: sealedColumn(places.event, 'body'),
  }),
  /** Hashes of earlier readings, for the comparison with the next. */
  event_states: table(['userid', 'scope'], {
    ...userid,
    /** The read, and its term where it has one. */
    scope: text('scope'),
    sealed_known: sealedColumn(places.known, derived),
    /** 1: something has vanished, which a second reading has to confirm. */
    in_doubt: number(inner),
    read_at: number('read_at'),
  }),
  event_hooks: table(['id'], {
    ...show(text, 'id', 'userid'),
    sealed_url: sealedColumn(places.hookUrl, 'url'),
    /** A keyed hash of its host: deliveries to a host take turns. */
    host: text(inner),
    ...show(text, 'format', 'detail', 'types'),
    low_kwh: numberOrNull('low_kwh'),
    ...show(text, 'refresh', 'state'),
    /** Id of the session that made it. */
    made_by: text(inner),
    created_at: number('created_at'),
    delivered_at: numberOrNull('delivered_at'),
    /** The first failure after `delivered_at`. */
    failing_since: numberOrNull('failing_since_at'),
    sealed_secret: sealedColumn(places.hookSecret, secret),
  }),
  /** Deliveries that are due, and the last ones made. */
  hook_deliveries: table(['id'], {
    ...show(text, 'id', 'userid', 'hook', 'event', 'type'),
    seq: number(inner),
    /** The event as every attempt delivers it, even after the journal has dropped it. */
    sealed_body: sealedColumn(places.delivery, 'body'),
    /** 1: a test that the student has asked for, which is attempted once. */
    asked: number('asked'),
    state: text('state'),
    ...show(number, 'attempts', 'created_at'),
    /** Null: no attempt follows. */
    due_at: numberOrNull('due_at'),
    lease_owner: textOrNull(inner),
    lease_until: number(inner),
    ...show(numberOrNull, 'tried_at', 'status', 'ms'),
    fault: textOrNull('fault'),
  }),
  /** When the gateway reads next for a student with a hook for `daily`. */
  due_readings: table(['userid'], { ...userid, due_at: number('due_at') }),
  /** Processes that serve from this database. */
  replicas: table(['id'], {
    id: text(),
    name: text(),
    /** Replicas of the previous release write it; nothing in this one reads it. */
    clock_ahead: numberOrNull(),
    /** On the database's clock. */
    expires_at: number(),
  }),
  /** One row, once there was a backup. */
  backups: table(['name'], { name: text(), made_at: number() }),
  images: table(['id'], {
    ...show(text, 'id', 'userid', 'purpose', 'state', 'type'),
    /** Digest of the bytes as uploaded. */
    md5: text('md5'),
    /** Digest of the bytes as stored. */
    tag: text(inner),
    ...show(number, 'size', 'created_at'),
    /** Null while confirmed; a sweep removes the image from this moment on. */
    expires_at: numberOrNull('expires_at'),
  }),
  image_bytes: table(['image'], { image: text('id'), bytes: bytes('bytes') }),
  /** One row per upload that counts. */
  image_uploads: table([], { userid: text('userid'), uploaded_at: number('uploaded_at') }),
  user_profiles: table(['userid'], {
    ...userid,
    ...show(text, 'slogan'),
    ...show(textOrNull, 'nickname', 'avatar_image'),
    ...show(number, 'created_at'),
  }),
  client_themes: table(['userid'], {
    ...userid,
    ...show(flag, 'dark_mode'),
    ...show(number, 'light_opacity', 'light_brightness', 'light_blur'),
    ...show(number, 'dark_opacity', 'dark_brightness', 'dark_blur', 'created_at'),
    ...show(textOrNull, 'light_image', 'dark_image'),
  }),
  /** The settings are all null or all set. */
  app_profiles: table(['userid'], {
    ...userid,
    ...show(textOrNull, 'theme', 'background_image'),
    ...show(numberOrNull, 'light_opacity', 'light_brightness', 'dark_opacity', 'dark_brightness', 'blur'),
    ...show(number, 'created_at'),
  }),
};

type RowOf<Columns> = { [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never };

export type Tables = { [Name in keyof typeof schema]: RowOf<(typeof schema)[Name]['columns']> };

/** The counters of a new student. */
export const noWrites = Object.fromEntries(Object.keys(writes).map((name) => [name, 0])) as RowOf<typeof writes>;
