import type { SignIn } from './sign-in.ts';

/** The gate before all campus hosts. Its session is a text that goes with every request as a cookie. */
export interface Portal extends SignIn {
  /** The member of a sealed copy that holds the session id; each portal has its own. */
  readonly sealedAs: string;
  /** `name=value` for the `Cookie` header. */
  cookie(session: string): string;
  /** Whether a `Set-Cookie` line is about the portal's own cookie, which never enters a jar. */
  ownsCookie(line: string): boolean;
  /** `location`: the raw header. `target`: where it leads, or null. `configured`: a setting names that origin. */
  isLoginRedirect(location: string, target: URL | null, configured: boolean): boolean;
  /** Whether a page with status 200 asks for a login. Not called for JSON, nor for pages that show their own mark. */
  isLoginPage(text: string): boolean;
  /** The origins at which the portal may show the host of an inner address, likeliest first. */
  mapAddress(inner: URL): readonly string[];
}

/**
 * Its session is its cookies. `signIn` is asked for a ticket for the call's `service`, and asks for credentials only
 * where they do not live any more.
 */
export interface UnifiedLogin extends SignIn {
  isLoginPage(text: string): boolean;
}
