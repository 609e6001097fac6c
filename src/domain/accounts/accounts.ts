import type { CallContext, Student } from '../context.ts';
import type { GrantKind, SettledGrants } from './grants.ts';
import type { PasswordPair } from './ports.ts';

/** A token as its owner sees it. */
export interface Session {
  readonly id: string;
  readonly createdAt: number;
  /** To the hour, and not before `createdAt`. */
  readonly lastUsedAt: number;
  readonly network: string | null;
  /** Name of the program that it was issued to. */
  readonly client: string | null;
  readonly current: boolean;
}

export interface LoggedIn {
  readonly token: string;
  /** What became of the student's grants; none unless the stored pair was replaced. */
  readonly grants: SettledGrants;
}

/** Registration, login, tokens and account deletion, for both surfaces. */
export interface Accounts {
  /**
   * Issues an invite token for a usable code; the code itself is counted at registration.
   * @throws Failure `invite-code-invalid`, `rate-limited` {retryAfterSeconds}
   */
  verifyInviteCode(code: string, context: CallContext): Promise<{ inviteToken: string }>;

  /**
   * @throws Failure in this order: `userid-malformed`, `rate-limited`, `registration-cool-down`,
   *   `invite-token-invalid`, `userid-taken`, `credentials-refused` {step}, `sign-in-guarded`,
   *   `rate-limited`, `sign-in-unavailable` {step}, `timed-out`, `storage-failed`
   */
  register(
    entry: { userid: string; pair: PasswordPair; inviteToken: string },
    context: CallContext,
  ): Promise<{ token: string }>;

  /**
   * `context.bearer`, a token of this student that is or was valid, lets the owner by where strangers wait. A login that
   * replaces the stored pair ends the grants that `keep` does not name.
   * @throws Failure in this order: `rate-limited`, `user-unknown`, `login-cool-down`, `credentials-refused` {step},
   *   `sign-in-guarded`, `rate-limited`, `sign-in-unavailable`, `timed-out`, `storage-failed`
   */
  login(
    entry: { userid: string; pair: PasswordPair; keep?: readonly GrantKind[] },
    context: CallContext,
  ): Promise<LoggedIn>;

  /**
   * Looks the token up in storage, without any upstream contact, slides its expiry, and remembers the network of
   * `address` as one that the student uses.
   * @throws Failure `token-unknown`, `token-user-gone`, `storage-failed`
   */
  authenticate(token: string, address?: string): Promise<Student>;
  /** What `authenticate` would give, where that can be told exactly and at once; null: it has to look. */
  known(token: string, address: string): Student | null;

  /** The valid tokens of the student, the newest first. */
  sessions(student: Student): Promise<Session[]>;
  /**
   * Revokes the token with that id; null when the student has none like it. Unless it is the token of this call, the hooks
   * that were made with it end too where `keep` does not name them.
   */
  endSession(student: Student, id: string, keep?: readonly GrantKind[]): Promise<SettledGrants | null>;

  /** Ends the token of this call; when it was the last one, sealed sessions and tickets go too. */
  logout(student: Student): Promise<void>;
  /** Ends all tokens, and the grants that `keep` does not name. */
  logoutAll(student: Student, keep?: readonly GrantKind[]): Promise<SettledGrants>;

  /**
   * Erases everything of the student after comparing with the stored pair only (no campus call). No login waits for a
   * refusal here.
   * @throws Failure in this order: `login-cool-down` {retryAfterSeconds}, `token-user-gone`,
   *   `stored-credentials-unreadable`, `account-proof-refused`, `storage-failed`
   */
  deleteAccount(student: Student, pair: PasswordPair, context: CallContext): Promise<void>;
}
