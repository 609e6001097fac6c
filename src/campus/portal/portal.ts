import type { HttpAnswer } from '../http.ts';
import type { Failed, Unanswered } from '../session/verdict.ts';

/** One request to the portal itself. */
interface PortalRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query below the portal's base. */
  readonly path: string;
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>;
  /** The session id that goes with it, where there is one already. */
  readonly session: string | null;
}

/** How the portal is asked. The answer's cookies other than the portal's own are kept and sent back by the caller. */
export type AskPortal = (request: PortalRequest) => Promise<HttpAnswer | Unanswered>;

/** `session` is the id of the new session. */
export type PortalLogin = { readonly kind: 'logged-in'; readonly session: string } | Failed;

/**
 * The gate before all campus hosts. A session of it is a text that goes with every request as a cookie. This interface
 * is all that the rest of the service knows about portals.
 */
export interface Portal {
  /** Member of a sealed copy that holds the session id. Another portal has another one: its sessions are no good here. */
  readonly sealedAs: string;
  /**
   * Logs in. What comes before the credentials may be tried up to three times, the credentials are sent exactly once.
   * `logged-in` is what the portal says: that the session holds only an answer from behind it proves. Fails with
   * `credentials-refused`, `sign-in-guarded`, `person-needed` {wanted}, `sign-in-unavailable` or `timed-out` (all step
   * `portal`).
   */
  logIn(ask: AskPortal, userid: string, password: string): Promise<PortalLogin>;
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
