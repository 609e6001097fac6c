import { feedParts } from '../domain/calendar/kinds.ts';
import { tokenId } from '../lib/hash.ts';
import {
  bytesColumn,
  type Column,
  columnsOf,
  derived,
  flagColumn,
  inner,
  nullableColumn,
  numberColumn,
  numberOrNullColumn,
  password,
  sealedColumn,
  secret,
  shownOf,
  tellAs,
  textColumn,
  textOrNullColumn,
  type Withheld,
} from './columns.ts';
import { sealedPlaces } from './seal.ts';

const userid = shownOf(textColumn, 'userid');

const deviceTrust: Withheld = {
  why: 'device trust: a cookie by which a login of the campus knows that a step was passed, good with the password only',
};

/** Writes to the applications, in the users row because that is read for the generation anyway. */
const writes = {
  academics_writes: numberColumn(inner),
  academics_writing_until: numberColumn(inner),
  labor_club_writes: numberColumn(inner),
  labor_club_writing_until: numberColumn(inner),
  electricity_writes: numberColumn(inner),
  electricity_writing_until: numberColumn(inner),
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
  campus_identity: table(['name'], columnsOf(textColumn, 'name', 'identity')),
  users: table(['userid'], {
    ...userid,
    created_at: numberColumn('created_at'),
    last_login_at: numberOrNullColumn('last_login_at'),
    /** Counts the tokens of logins, whose order does not depend on the clock. */
    token_sequence: numberColumn(inner),
    session_generation: numberColumn(inner),
    /** Counts the saves of upstream sessions, so that revisions grow even after a session was removed. */
    session_revision: numberColumn(inner),
    /** The number of the student's last event; 0: none yet. */
    event_seq: numberColumn(inner),
    /** The account is erased, though not all of its rows have gone; null: it is not. */
    erased_at: numberOrNullColumn(inner),
    ...writes,
  }),
  credentials: table(['userid'], {
    ...userid,
    sealed_password: sealedColumn(sealedPlaces.password, password),
    sealed_vpn_password: sealedColumn(sealedPlaces.vpnPassword, password),
    version: numberColumn(inner),
    refused_step: textOrNullColumn('refused_step'),
  }),
  tokens: table(['hash'], {
    /** Its beginning is the id of the token. */
    hash: tellAs(textColumn('id'), tokenId),
    ...userid,
    sequence: numberColumn(inner),
    /** `expires_at` slides with use; `ends_at` is the absolute end. */
    ...shownOf(numberColumn, 'created_at', 'expires_at', 'ends_at', 'last_used_at'),
    /** Network of the last use; null for tokens of an early version. */
    sealed_network: nullableColumn(sealedColumn(sealedPlaces.network, 'network')),
    /** The program that it was issued to; null where that is not known. */
    sealed_client: nullableColumn(sealedColumn(sealedPlaces.client, 'client')),
    /** When a logout or another event ended it, or the sweep found it expired. */
    ended_at: numberOrNullColumn('ended_at'),
    /** Until then the hash of an ended token identifies its student, and nothing else. */
    proves_until: numberOrNullColumn(inner),
    /** Name of a personal token; null if a login has issued it. */
    name: textOrNullColumn('name'),
    /** Scopes of a personal token, separated by blanks. */
    scopes: tellAs(textOrNullColumn('scopes'), (words) => words?.split(' ')),
    /** 1: it never causes a request at the campus. */
    copies_only: flagColumn('copies_only'),
    /** Id of the personal token that was rotated in for this one. */
    replaced_by: textOrNullColumn('replaced_by'),
  }),
  invite_codes: table(['code'], {
    /** Invite tokens name the code by this; null: the version before made the code, and nothing has used it since. */
    id: textOrNullColumn(),
    code: textColumn(),
    ...columnsOf(numberColumn, 'used', 'created_at'),
    ...columnsOf(numberOrNullColumn, 'max_uses', 'expires_at', 'revoked_at'),
  }),
  /** Used tokens; the version before also stored unused ones. */
  invite_tokens: table(['hash'], {
    ...columnsOf(textColumn, 'hash', 'code'),
    ...columnsOf(numberColumn, 'created_at', 'expires_at'),
    ...columnsOf(numberOrNullColumn, 'used_at'),
  }),
  /** Written by replicas of the release before, while they run beside this one. */
  guard_memory: table(['name'], { name: textColumn(), memory: textColumn(), touched_at: numberColumn() }),
  /** Named by the keyed hash of a student id in lower case, or `gateway`. */
  guard_rows: table(['name'], { name: textColumn(), memory: textColumn(), expires_at: numberColumn() }),
  leases: table(['name'], { name: textColumn(), owner: textColumn(), expires_at: numberColumn() }),
  upstream_sessions: table(['userid', 'system'], {
    ...userid,
    system: textColumn('system'),
    /** Empty where the row is there for its trust alone. */
    sealed_state: sealedColumn(sealedPlaces.session, secret),
    /** Of the stored pair: it outlives the session. */
    sealed_trust: nullableColumn(sealedColumn(sealedPlaces.trust, deviceTrust)),
    revision: numberColumn(inner),
    updated_at: numberColumn('updated_at'),
  }),
  /** Sign-ins that wait for a person; of a registration there is no user yet. */
  login_challenges: table(['id_hash'], {
    id_hash: textColumn(secret),
    ...userid,
    ...shownOf(textColumn, 'purpose', 'kind'),
    /** How the sign-in continues, with both passwords. */
    sealed_challenge: sealedColumn(sealedPlaces.challenge, secret),
    ...shownOf(numberColumn, 'answers_left', 'expires_at'),
    revision: numberColumn(inner),
  }),
  evaluation_tasks: table(['userid'], {
    ...userid,
    /** Grows with every write, also when the task begins again. */
    revision: numberColumn(inner),
    snapshot: textColumn('snapshot'),
    /** 1 while a process, `lease_owner`, has to work on it. */
    active: flagColumn('active'),
    lease_owner: textOrNullColumn(inner),
    /** Until then that process is taken to live. */
    lease_until: numberColumn(inner),
    expires_at: numberOrNullColumn('expires_at'),
  }),
  copies: table(['userid', 'read', 'params'], {
    ...userid,
    read: textColumn('read'),
    /** JSON of the list of parameters. */
    params: textColumn('params'),
    shape: numberColumn(inner),
    sealed_value: sealedColumn(sealedPlaces.copy, 'value'),
    /** Keyed: short values cannot be guessed from it. */
    digest: textColumn(inner),
    /** Writes to the application when the reading began. */
    writes: numberColumn(inner),
    read_at: numberColumn('read_at'),
  }),
  /** One row: the tree is replaced as a whole or not at all. `name` is the format of `buildings`, JSON of the tree. */
  room_trees: table(['name'], {
    name: textColumn(),
    ...columnsOf(numberColumn, 'revision', 'read_at'),
    buildings: textColumn(),
  }),
  /** The end of the last successful refresh. */
  room_refreshes: table(['name'], { name: textColumn(), ended_at: numberColumn() }),
  /** Values that are the same for all students. `size` is that of the value, in bytes. */
  campus_wide_copies: table(['read', 'params'], {
    ...columnsOf(textColumn, 'read', 'params', 'value'),
    ...columnsOf(numberColumn, 'shape', 'read_at', 'size'),
  }),
  /** Times by the clock of the database if it has one. `pause_ms`: length of the last pause the campus asked for. */
  campus_lines: table(['name'], {
    name: textColumn(),
    ...columnsOf(numberColumn, 'ended_at', 'pause_until', 'pause_ms'),
  }),
  room_bindings: table(['userid'], {
    ...shownOf(textColumn, 'userid', 'room_code', 'room_name', 'display_text'),
    ...shownOf(numberColumn, 'bound_at'),
  }),
  calendar_feeds: table(['id'], {
    id: textColumn('id'),
    ...userid,
    secret_hash: textColumn(secret),
    name: textColumn('name'),
    ...shownOf(flagColumn, ...feedParts),
    alarm_minutes: numberOrNullColumn('alarm_minutes'),
    created_at: numberColumn('created_at'),
    polled_at: numberOrNullColumn('polled_at'),
    /** Grows with every change of the sources; 0: there were none. */
    revision: numberColumn(inner),
    /** Parts that have had data, separated by commas. */
    had: textColumn(inner),
    sealed_sources: nullableColumn(sealedColumn(sealedPlaces.sources, derived)),
    /** Parameters of the schedule that it is made of; `''` while that is not known. */
    schedule_params: textColumn(inner),
  }),
  events: table(['userid', 'seq'], {
    ...userid,
    seq: numberColumn('seq'),
    ...shownOf(textColumn, 'id', 'type'),
    read_at: numberOrNullColumn('read_at'),
    occurred_at: numberColumn('occurred_at'),
    /** JSON of `about`, `ask` and `detail`. */
    sealed_body: sealedColumn(sealedPlaces.event, 'body'),
  }),
  /** Hashes of earlier readings, for the comparison with the next. */
  event_states: table(['userid', 'scope'], {
    ...userid,
    /** The read, and its term where it has one. */
    scope: textColumn('scope'),
    sealed_known: sealedColumn(sealedPlaces.known, derived),
    /** 1: something has vanished, which a second reading has to confirm. */
    in_doubt: numberColumn(inner),
    read_at: numberColumn('read_at'),
  }),
  event_hooks: table(['id'], {
    ...shownOf(textColumn, 'id', 'userid'),
    sealed_url: sealedColumn(sealedPlaces.hookUrl, 'url'),
    /** A keyed hash of its host: deliveries to a host take turns. */
    host: textColumn(inner),
    ...shownOf(textColumn, 'format', 'detail', 'types'),
    low_kwh: numberOrNullColumn('low_kwh'),
    ...shownOf(textColumn, 'refresh', 'state'),
    /** Id of the session that made it. */
    made_by: textColumn(inner),
    created_at: numberColumn('created_at'),
    delivered_at: numberOrNullColumn('delivered_at'),
    /** The first failure after `delivered_at`. */
    failing_since: numberOrNullColumn('failing_since_at'),
    sealed_secret: sealedColumn(sealedPlaces.hookSecret, secret),
  }),
  /** Deliveries that are due, and the last ones made. */
  hook_deliveries: table(['id'], {
    ...shownOf(textColumn, 'id', 'userid', 'hook', 'event', 'type'),
    seq: numberColumn(inner),
    /** The event as every attempt delivers it, even after the journal has dropped it. */
    sealed_body: sealedColumn(sealedPlaces.delivery, 'body'),
    /** 1: a test that the student has asked for, which is attempted once. */
    asked: numberColumn('asked'),
    state: textColumn('state'),
    ...shownOf(numberColumn, 'attempts', 'created_at'),
    /** Null: no attempt follows. */
    due_at: numberOrNullColumn('due_at'),
    lease_owner: textOrNullColumn(inner),
    lease_until: numberColumn(inner),
    ...shownOf(numberOrNullColumn, 'tried_at', 'status', 'ms'),
    fault: textOrNullColumn('fault'),
  }),
  /** When the gateway reads next for a student with a hook for `daily`. */
  due_readings: table(['userid'], { ...userid, due_at: numberColumn('due_at') }),
  /** Processes that serve from this database. */
  replicas: table(['id'], {
    id: textColumn(),
    name: textColumn(),
    /** Replicas of the previous release write it; nothing in this one reads it. */
    clock_ahead: numberOrNullColumn(),
    /** On the database's clock. */
    expires_at: numberColumn(),
  }),
  /** One row, once there was a backup. */
  backups: table(['name'], { name: textColumn(), made_at: numberColumn() }),
  images: table(['id'], {
    ...shownOf(textColumn, 'id', 'userid', 'purpose', 'state', 'type'),
    /** Digest of the bytes as uploaded. */
    md5: textColumn('md5'),
    /** Digest of the bytes as stored. */
    tag: textColumn(inner),
    ...shownOf(numberColumn, 'size', 'created_at'),
    /** Null while confirmed; a sweep removes the image from this moment on. */
    expires_at: numberOrNullColumn('expires_at'),
  }),
  image_bytes: table(['image'], { image: textColumn('id'), bytes: bytesColumn('bytes') }),
  /** One row per upload that counts. */
  image_uploads: table([], { userid: textColumn('userid'), uploaded_at: numberColumn('uploaded_at') }),
  user_profiles: table(['userid'], {
    ...userid,
    ...shownOf(textColumn, 'slogan'),
    ...shownOf(textOrNullColumn, 'nickname', 'avatar_image'),
    ...shownOf(numberColumn, 'created_at'),
  }),
  client_themes: table(['userid'], {
    ...userid,
    ...shownOf(flagColumn, 'dark_mode'),
    ...shownOf(numberColumn, 'light_opacity', 'light_brightness', 'light_blur'),
    ...shownOf(numberColumn, 'dark_opacity', 'dark_brightness', 'dark_blur', 'created_at'),
    ...shownOf(textOrNullColumn, 'light_image', 'dark_image'),
  }),
  /** The settings are all null or all set. */
  app_profiles: table(['userid'], {
    ...userid,
    ...shownOf(textOrNullColumn, 'theme', 'background_image'),
    ...shownOf(numberOrNullColumn, 'light_opacity', 'light_brightness', 'dark_opacity', 'dark_brightness', 'blur'),
    ...shownOf(numberColumn, 'created_at'),
  }),
};

type RowOf<Columns> = { [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never };

export type Tables = { [Name in keyof typeof schema]: RowOf<(typeof schema)[Name]['columns']> };

/** The counters of a new student. */
export const noWrites = Object.fromEntries(Object.keys(writes).map((name) => [name, 0])) as RowOf<typeof writes>;
