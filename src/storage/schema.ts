import type { CopyTables, WriteColumns } from './copy-tables.ts';
import type { ElectricityTables } from './electricity-tables.ts';
import type { FeedTables } from './feed-tables.ts';
import type { ProfileTables } from './profile-tables.ts';

/** Column types of all tables. Times are epoch milliseconds, hashes lower-case hex, sealed columns see seal.ts. */
export interface Tables extends CopyTables, ElectricityTables, FeedTables, ProfileTables {
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
}

/** One row, see campus-identity.ts. */
export interface CampusIdentityTable {
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

export interface TokensTable {
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

export interface InviteTokensTable {
  hash: string;
  code: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface GuardMemoryTable {
  /** `student:<student id>`, `code:<invite code>` or `gateway`. */
  name: string;
  memory: string;
  touched_at: number;
}

export interface LeasesTable {
  name: string;
  owner: string;
  expires_at: number;
}

export interface UpstreamSessionsTable {
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
