import type { Asked, HalfSignIn } from '../../domain/challenge.ts';
import type { PersonalStep } from '../../domain/errors.ts';
import type { HttpAnswer, Unanswered } from '../http.ts';
import type { Failed } from '../sign-in-failures.ts';

/** A login that waits for a person: besides succeeding and failing, a login may end like this. */
export interface NeedsPerson {
  readonly kind: 'needs-person';
  /** `elsewhere`: it is named, and cannot be taken here. */
  readonly asked: Asked | { readonly kind: 'elsewhere'; readonly hint: PersonalStep };
  /** Plain text with which any process can continue; empty where that is impossible. */
  readonly resume: string;
  /** About the last answer or send of the person. */
  readonly last: HalfSignIn['last'];
  /** How far the password got. `guarded`: the answer demanded an image. */
  readonly password: 'unsent' | 'accepted' | 'guarded';
}

export interface LoginRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query below the login's base. */
  readonly path: string;
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>;
  /** The portal session that goes with it, where there is one already. */
  readonly session: string | null;
  /** The answer is a picture, and short. */
  readonly image?: true;
}

/** How a login is asked. Cookies of the answer, other than the portal's own, are sent back by the caller. */
export interface LoginCall {
  /** Epoch ms. */
  readonly now: number;
  ask(request: LoginRequest): Promise<HttpAnswer | Unanswered>;
  /** Counts each page that the login has read: an unknown page has probably changed. */
  saw(page: string, isKnown: boolean): void;
}

export interface Credentials {
  readonly userid: string;
  readonly password: string;
}

/** Continues a login that needs a person. Each call is one request, unless said otherwise; none is ever repeated. */
export interface Resume<SignedIn> {
  /** Asks for a code, or fetches an image. `target`: index of a phone in the list. Fails with `challenge-unknown` where the half session is gone. */
  send(call: LoginCall, resume: string, target: number | null): Promise<NeedsPerson | Failed>;
  /** Sends the answer of the person. One check of the session settles an answer that is lost or unreadable. */
  answer(
    call: LoginCall,
    resume: string,
    text: string,
    credentials: Credentials,
  ): Promise<SignedIn | NeedsPerson | Failed>;
}

interface PortalSignedIn {
  readonly kind: 'signed-in';
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
  /** Whether a `Set-Cookie` line is about the portal's own cookie. Those lines never enter a jar: it is sent once. */
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
