import type { CallContext, PersonalGrant, StudentMarks } from '../context.ts';
import type { PersonalStep, SignInStep } from '../errors.ts';
import type { Invite } from './invite-tokens.ts';
import type { GrantKind, PersonalTokenStore, SettledGrants } from './personal-tokens.ts';

/** The two secrets of a student: portal (VPN) password and unified-login password. Both 1–256 characters. */
export interface PasswordPair {
  readonly password: string;
  readonly vpnPassword: string;
}

// ---------------------------------------------------------------- storage

export interface UserRecord {
  readonly userid: string;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
}

export interface StoredPair {
  readonly pair: PasswordPair;
  /** Grows with every replacement, so a late refusal of an old pair cannot mark a new one. */
  readonly version: number;
  /** The step at which the campus refused this pair, or null while it is good. */
  readonly refusedStep: SignInStep | null;
}

export interface TokenRecord {
  readonly userid: string;
  /** Slides with use. */
  readonly expiresAt: number;
  /** Its absolute end. */
  readonly endsAt: number;
  readonly lastUsedAt: number;
  readonly issuedAt: number;
  /** Set for a personal token; null for one that a login has issued. */
  readonly personal: PersonalGrant | null;
}

/** Only the hash of a token is ever stored. */
export interface NewToken {
  readonly tokenHash: string;
  readonly tokenExpiresAt: number;
  readonly tokenEndsAt: number;
  /** The network that it is issued to, shown to its owner only. */
  readonly tokenNetwork: string;
  /** The program that it is issued to, likewise; null or left out where the program does not say. */
  readonly tokenClient?: string | null;
}

/** A valid token as its owner sees it. */
interface TokenSession {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Null when its seal cannot be opened. */
  readonly network: string | null;
  /** Null also where it is not known. */
  readonly client: string | null;
}

export interface AccountStore {
  findUser(userid: string): Promise<UserRecord | null>;
  /**
   * Takes as long for an unknown student id as for a known one.
   * @throws Failure `stored-credentials-unreadable` when the seal is broken or its key unknown.
   */
  readPair(userid: string): Promise<StoredPair | null>;
  /** Marks the pair of that version as refused; a newer pair is left alone. */
  markPairRefused(userid: string, version: number, step: SignInStep): Promise<void>;
  /**
   * One transaction: user, sealed pair, token, invite token consumed, code use counted. Parallel calls with one invite
   * token or one userid create one user.
   */
  register(
    entry: NewToken & {
      userid: string;
      pair: PasswordPair;
      invite: Invite;
      session?: readonly SessionPiece[];
      now: number;
    },
  ): Promise<SavedSession | 'userid-taken' | 'invite-token-invalid'>;
  /**
   * One transaction: pair replaced when given (version + 1, no longer refused), last login time, token inserted, all
   * but the `keep` newest tokens ended (by exact order of insertion); with `revokeOthers` all others, and the grants
   * that it does not keep. The hash of an ended token is kept for a while: it proves that its bearer was the student,
   * and nothing else. A `session` begins the next generation in place of all that was sealed before; without one those stay.
   * `grants`: what became of them where `revokeOthers` is given.
   */
  recordLogin(
    entry: NewToken & {
      userid: string;
      newPair: PasswordPair | null;
      now: number;
      keep: number;
      revokeOthers: { readonly keep: readonly GrantKind[] } | null;
      session?: readonly SessionPiece[] | null;
    },
  ): Promise<{ readonly grants: SettledGrants; readonly saved: SavedSession } | 'user-gone'>;
  /** Erases pair, tokens, sessions, the guard's row, and all that hangs on the user row. */
  deleteUser(userid: string): Promise<boolean>;
  listUsers(page: { after: string; limit: number }): Promise<Array<UserRecord & { tokens: number }>>;
}

export interface FoundToken extends TokenRecord {
  /** Null: the account is gone. */
  readonly marks: StudentMarks | null;
}

interface EndedAll {
  /** How many were live. */
  readonly tokens: number;
  readonly grants: SettledGrants;
}

export interface TokenStore {
  /** The live token (not ended at `now`) with the marks of its student. */
  find(hash: string, now: number): Promise<FoundToken | null>;
  /** Whose token this is, or was until lately; null for what is unknown, was revoked, or ended long ago. */
  bearer(hash: string, now: number): Promise<string | null>;
  /** `expiresAt` null: its end is fixed. */
  slide(
    hash: string,
    use: { userid: string; expiresAt: number | null; usedAt: number; network: string | null },
  ): Promise<void>;
  /** Ends one live token; returns how many the user still has, null when there was no such token. */
  end(hash: string, now: number): Promise<number | null>;
  /** Ends the live personal token of this student with that id; as `end`. */
  endPersonal(userid: string, id: string, now: number): Promise<number | null>;
  /** Ends the live token of a login likewise, and the hooks that were made with it where they are not kept. */
  endLogin(
    userid: string,
    id: string,
    keep: readonly GrantKind[],
    now: number,
  ): Promise<{ readonly left: number; readonly grants: SettledGrants } | null>;
  /** Ends all tokens of logins, and the grants that are not kept. */
  endAll(userid: string, keep: readonly GrantKind[], now: number): Promise<EndedAll>;
  /** The same, and neither those tokens nor any that ended before identify the student. */
  revokeAll(userid: string, keep: readonly GrantKind[], now: number): Promise<EndedAll>;
  /** The live tokens of logins, the newest first. */
  list(userid: string, now: number): Promise<TokenSession[]>;
  readonly personal: PersonalTokenStore;
  /** Removes those that no longer identify their student; returns how many. */
  sweep(now: number): Promise<number>;
}

/** One piece of a student's upstream state. `system` is the campus layer's own name (`portal`, `jwc`, …). */
export interface SessionPiece {
  readonly system: string;
  readonly state: string;
}

/** Where a student's sessions stand in storage. The revision grows with every save over all replicas. */
export interface SavedSession {
  readonly generation: number;
  readonly revision: number;
}

/** Sealed upstream sessions and tickets. */
export interface SessionVault {
  /** The student's current generation; null when the user does not exist. Asked at both ends of every upstream call. */
  generation(userid: string): Promise<number | null>;
  /** Null when the user does not exist. Entries whose seal cannot be opened are left out. */
  load(userid: string): Promise<{ generation: number; entries: Array<SessionPiece & { revision: number }> } | null>;
  /**
   * Saves pieces, of which there is at least one, if the student's generation is still `generation`; returns the revision
   * that they share, else null.
   */
  save(userid: string, generation: number, pieces: readonly SessionPiece[], now: number): Promise<number | null>;
  /** Drops all entries and starts the next generation, with the pieces that there are; null when the user does not exist. */
  nextGeneration(
    userid: string,
    next?: { readonly pieces: readonly SessionPiece[]; readonly now: number },
  ): Promise<SavedSession | null>;
}

// ---------------------------------------------------------------- campus

/**
 * The queue in which a sign-in waits for its turn at the campus: `owner` for renewals and for pairs equal to the stored
 * one, the others for unverified pairs. Strangers never wait in front of owners.
 */
export interface SignInQueue {
  readonly queue: 'owner' | 'stranger' | 'registration';
  /** The network that it comes from, of which only so many may wait; undefined: not counted. */
  readonly network?: string;
}

/** A session that a submitted pair has opened and that is not stored yet. */
export interface VerifiedSession {
  readonly userid: string;
  /** To be stored with the login or the account. */
  readonly pieces: readonly SessionPiece[];
}

/** Signing in at the campus on behalf of a student. Implemented by campus/session. */
export interface CampusAccess {
  /**
   * Waits in its queue, and keeps its place there until `turn` ends. Its `signIn` verifies the pair on a fresh session:
   * portal, then unified login, credentials sent once each. It takes no stored state into account and changes none.
   * @throws Failure `sign-in-unavailable` where the queue is full, `timed-out`, `client-gone`, and what `turn` throws.
   *   `signIn`: `credentials-refused` {step}, `sign-in-guarded` {step}, `person-needed` {wanted}, `sign-in-unavailable`
   *   {step}, `timed-out` {step}; `passwords` says what has become of them
   */
  verify<T>(
    userid: string,
    pair: PasswordPair,
    context: CallContext,
    queue: SignInQueue,
    turn: (signIn: () => Promise<VerifiedSession>) => Promise<T>,
  ): Promise<T>;
  /** How many bytes of a VPN password the portal can take, as far as it has shown. */
  longestVpnPassword(): number;
  /** Makes the verified session the student's own; all older state is dropped (next generation). */
  adopt(verified: VerifiedSession): Promise<void>;
  /** It became that in storage, with the login or the account. */
  adopted(verified: VerifiedSession, saved: SavedSession): void;
  /**
   * How long ago the live session of the student last answered, milliseconds; infinite where there is none, or it was
   * longer ago than `withinMs`.
   */
  answeredMs(userid: string, withinMs: number): Promise<number>;
}

/** Where the campus layer gets the stored pair when a session must be renewed. Implemented by domain/accounts. */
export interface SignInCredentials {
  /**
   * `hasHeld`: the session before has answered minutes after it was opened.
   * @throws Failure `stored-credentials-refused` {step} when the pair is rejected, `stored-credentials-unreadable`,
   *   `sign-in-guarded` {retryAfterSeconds} during a pause, `person-needed` {wanted}, `token-user-gone`
   */
  forSignIn(userid: string, hasHeld?: boolean): Promise<{ pair: PasswordPair; version: number }>;
  /**
   * The campus refused the stored pair of that version: rejected until the student logs in again.
   * @throws Failure `sign-in-unavailable` while the campus refuses all students: then nothing is rejected
   */
  refused(userid: string, version: number, step: SignInStep): Promise<void>;
  /** An attack marker. Returns for how many seconds the student rests. */
  guarded(userid: string): Promise<number>;
  /**
   * A session that the pair opened minutes ago is over already and is to be opened again: asked before its password is.
   * @throws Failure `sign-in-guarded` {retryAfterSeconds} when that has been done too often
   */
  renewsEarly(userid: string, step: SignInStep): Promise<void>;
  /**
   * The campus took the pair and the session does not hold, or what it said of the pair is unreadable. Returns for how
   * many seconds the student rests.
   */
  unstable(userid: string, outcome: 'unstable' | 'unread'): Promise<number>;
  /** A second step is wanted, for which no person is there. Of a `captcha` no password has left. */
  personNeeded(userid: string, wanted: PersonalStep, step: SignInStep): Promise<void>;
  /** The campus accepted the pair, and what lies behind the portal answered. */
  accepted(userid: string): Promise<void>;
}
