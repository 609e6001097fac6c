import type { CallContext, Student } from '../context.ts';
import type { PasswordPair } from './ports.ts';

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
   *   `sign-in-unavailable` {step}, `timed-out`, `storage-failed`
   */
  register(
    entry: { userid: string; pair: PasswordPair; inviteToken: string },
    context: CallContext,
  ): Promise<{ token: string }>;

  /**
   * @throws Failure in this order: `rate-limited`, `user-unknown`, `login-cool-down`, `credentials-refused` {step},
   *   `sign-in-guarded`, `sign-in-unavailable`, `timed-out`, `storage-failed`
   */
  login(entry: { userid: string; pair: PasswordPair }, context: CallContext): Promise<{ token: string }>;

  /**
   * Looks the token up in storage, without any upstream contact, and slides its expiry.
   * @throws Failure `token-unknown`, `token-user-gone`, `storage-failed`
   */
  authenticate(token: string): Promise<Student>;

  /** Revokes this token; when it was the last one, sealed sessions and tickets go too. */
  logout(token: string, student: Student): Promise<void>;
  logoutAll(student: Student): Promise<void>;

  /**
   * Erases everything of the student after comparing with the stored pair only (no campus call). An active login
   * cool-down lets the stored pair through unless the campus has refused it.
   * @throws Failure in this order: `rate-limited` {retryAfterSeconds}, `token-user-gone`,
   *   `stored-credentials-unreadable`, `login-cool-down` {retryAfterSeconds}, `account-proof-refused`, `storage-failed`
   */
  deleteAccount(student: Student, pair: PasswordPair, context: CallContext): Promise<void>;
}
