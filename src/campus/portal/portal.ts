import type { Credentials, LoginCall, NeedsPerson, Resume } from '../conversation.ts';
import type { Failed } from '../session/verdict.ts';

interface PortalSignedIn {
  readonly kind: 'signed-in';
  /** Id of the new session. */
  readonly session: string;
}

export type PortalAnswer = PortalSignedIn | NeedsPerson | Failed;

/**
 * The gate before all campus hosts. A session of it is a text that goes with every request as a cookie. This interface
 * is all that the rest of the service knows about portals.
 */
export interface Portal {
  /** Member of a sealed copy that holds the session id. Each portal has its own: sessions of another one do not fit. */
  readonly sealedAs: string;
  /**
   * Signs in. What comes before the credentials may be tried up to three times, the credentials are sent exactly once.
   * `signed-in` is what the portal says: only an answer from behind it shows that the session holds. Where it announces
   * a captcha no password is sent, and no image is fetched. Fails with `credentials-refused`, `sign-in-guarded`,
   * `sign-in-unavailable` or `timed-out` (all step `portal`).
   */
  signIn(call: LoginCall, credentials: Credentials): Promise<PortalAnswer>;
  /** Left out: it never needs a person. */
  readonly resume?: Resume<PortalSignedIn>;
  /** How many bytes of a password it can take, as far as its last key has shown. */
  longestPassword(): number;
  /** `name=value` for the `Cookie` header. */
  cookie(session: string): string;
  /** Whether a `Set-Cookie` line is about the portal's own cookie. Those lines are never kept: it is sent once. */
  ownsCookie(line: string): boolean;
  /**
   * Whether a redirect asks for a login. `location` is the raw header, `target` where it leads, null if nowhere;
   * `configured` says whether one of the campus settings names that origin.
   */
  isLoginRedirect(location: string, target: URL | null, configured: boolean): boolean;
  /** Whether a page with status 200 asks for a login. Not asked about pages that show their own mark, nor JSON. */
  isLoginPage(text: string): boolean;
  /** Origins under which the portal may expose the host of an inner address, likeliest first. */
  mapped(inner: URL): readonly string[];
}
