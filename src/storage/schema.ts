/** Column types of all tables. Times are epoch milliseconds, hashes lower-case hex, sealed columns see seal.ts. */
export interface Tables {
  users: UsersTable;
  credentials: CredentialsTable;
  tokens: TokensTable;
  invite_codes: InviteCodesTable;
  invite_tokens: InviteTokensTable;
  guard_memory: GuardMemoryTable;
  leases: LeasesTable;
  upstream_sessions: UpstreamSessionsTable;
  evaluation_tasks: EvaluationTasksTable;
  campus_identity: CampusIdentityTable;
  copies: CopiesTable;
  room_trees: RoomTreesTable;
  room_refreshes: RoomRefreshesTable;
  room_bindings: RoomBindingsTable;
  calendar_feeds: CalendarFeedsTable;
  images: ImagesTable;
  image_bytes: ImageBytesTable;
  user_profiles: UserProfilesTable;
  client_themes: ClientThemesTable;
  app_profiles: AppProfilesTable;
}

/** One row, see campus-identity.ts. */
interface CampusIdentityTable {
  name: string;
  identity: string;
}

export interface UsersTable extends WriteColumns {
  userid: string;
  created_at: number;
  last_login_at: number | null;
  /** Counts the tokens ever issued to this user: exact order of insertion, whatever the clock says. */
  token_sequence: number;
  session_generation: number;
  /** Counts the saves of upstream sessions, so revisions go on growing after an entry was removed. */
  session_revision: number;
}

export interface CredentialsTable {
  userid: string;
  sealed_password: string;
  sealed_vpn_password: string;
  version: number;
  refused_step: string | null;
}

interface TokensTable {
  hash: string;
  userid: string;
  sequence: number;
  created_at: number;
  /** Slides with use. */
  expires_at: number;
  /** The absolute end. */
  ends_at: number;
  last_used_at: number;
  /** Where it was last used; null for tokens of a time before this was kept. */
  sealed_network: string | null;
  /** When it was superseded. Its hash stays for a while and proves only that its bearer was the student. */
  ended_at: number | null;
}

export interface InviteCodesTable {
  code: string;
  max_uses: number | null;
  used: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

interface InviteTokensTable {
  hash: string;
  code: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

interface GuardMemoryTable {
  /** `student:<student id>`, `code:<invite code>` or `gateway`. */
  name: string;
  memory: string;
  touched_at: number;
}

interface LeasesTable {
  name: string;
  owner: string;
  expires_at: number;
}

interface UpstreamSessionsTable {
  userid: string;
  system: string;
  sealed_state: string;
  revision: number;
  updated_at: number;
}

export interface EvaluationTasksTable {
  userid: string;
  /** Grows with every write, also when the task begins anew. */
  revision: number;
  snapshot: string;
  /** 1 while somebody has to be at work on it. */
  active: number;
  lease_owner: string | null;
  /** 0 where nobody holds it. */
  lease_until: number;
  expires_at: number | null;
}

interface CopiesTable {
  userid: string;
  read: string;
  /** JSON of the list of parameters. */
  params: string;
  shape: number;
  sealed_value: string;
  /** Keyed: short values cannot be guessed from it. */
  digest: string;
  /** Of the application, when the reading began. */
  writes: number;
  read_at: number;
}

/** In the users row: it is read for the generation anyway. */
export interface WriteColumns {
  academics_writes: number;
  academics_writing_until: number;
  labor_club_writes: number;
  labor_club_writing_until: number;
  electricity_writes: number;
  electricity_writing_until: number;
}

/** Of a new student. */
export const noWrites: WriteColumns = {
  academics_writes: 0,
  academics_writing_until: 0,
  labor_club_writes: 0,
  labor_club_writing_until: 0,
  electricity_writes: 0,
  electricity_writing_until: 0,
};

/** One row: the tree is replaced whole or not at all. */
interface RoomTreesTable {
  /** Format of `buildings`. */
  name: string;
  /** Grows with every replacement. */
  revision: number;
  read_at: number;
  /** JSON: buildings with their floors with their rooms. */
  buildings: string;
}

interface RoomRefreshesTable {
  name: string;
  /** End of the last successful refresh. */
  ended_at: number;
}

interface RoomBindingsTable {
  userid: string;
  room_code: string;
  room_name: string;
  display_text: string;
  bound_at: number;
}

export interface CalendarFeedsTable {
  id: string;
  userid: string;
  secret_hash: string;
  name: string;
  /** 1: it has that part. */
  classes: number;
  exams: number;
  activities: number;
  alarm_minutes: number | null;
  created_at: number;
  polled_at: number | null;
  seen: string;
  /** Grows with every change of the calendar; 0: none has been made. */
  revision: number;
  in_doubt: number;
  /** Parts that have had data, separated by commas. */
  had: string;
  sealed_calendar: string | null;
  sealed_sources: string | null;
}

/** `staged` until an update names it, `confirmed` while something shows it, `replaced` until the next sweep. */
export type ImageState = 'staged' | 'confirmed' | 'replaced';

interface ImagesTable {
  id: string;
  userid: string;
  purpose: string;
  state: string;
  type: string;
  /** Of the bytes as uploaded. */
  md5: string;
  /** Of the bytes as kept. */
  tag: string;
  size: number;
  created_at: number;
  /** Null while confirmed; a sweep removes the image from this moment on. */
  expires_at: number | null;
}

interface ImageBytesTable {
  image: string;
  bytes: Uint8Array;
}

interface UserProfilesTable {
  userid: string;
  nickname: string | null;
  slogan: string;
  avatar_image: string | null;
  created_at: number;
}

interface ClientThemesTable {
  userid: string;
  /** 0 or 1. */
  dark_mode: number;
  light_opacity: number;
  light_brightness: number;
  light_blur: number;
  light_image: string | null;
  dark_opacity: number;
  dark_brightness: number;
  dark_blur: number;
  dark_image: string | null;
  created_at: number;
}

/** The settings are all null or all set. */
export interface AppProfilesTable {
  userid: string;
  theme: string | null;
  light_opacity: number | null;
  light_brightness: number | null;
  dark_opacity: number | null;
  dark_brightness: number | null;
  blur: number | null;
  background_image: string | null;
  created_at: number;
}
