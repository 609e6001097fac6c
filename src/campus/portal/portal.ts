import type { ChallengeImage } from '../../domain/accounts/challenges/ports.ts';
import type { PersonalStep } from '../../domain/errors.ts';
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
  /** The answer is a picture, and short. */
  readonly image?: true;
}

/** How the portal is asked. The answer's cookies other than the portal's own are kept and sent back by the caller. */
export type AskPortal = (request: PortalRequest) => Promise<HttpAnswer | Unanswered>;

interface LoggedIn {
  readonly kind: 'logged-in';
  /** Id of the new session. */
  readonly session: string;
}

/** The login waits for a person. */
export interface NeedsPerson {
  readonly kind: 'needs-person';
  readonly wanted: PersonalStep;
  /** Of a captcha, where the caller said that a person is there to read it. */
  readonly image: ChallengeImage | null;
  /** Plain text with which any process can go on; null: it cannot be continued here. */
  readonly resume: string | null;
  /** What has become of the password. `guarded`: it met the portal's guard, which now wants an image. */
  readonly password: 'unsent' | 'accepted' | 'guarded';
}

export type PortalLogin = LoggedIn | NeedsPerson | Failed;

/** The outcome of asking for a code, or for another image. */
export type PortalSent =
  | {
      readonly kind: 'sent';
      readonly resume: string;
      readonly sent: 'perhaps' | 'yes';
      /** Phones to choose from, masked; none to choose: empty. */
      readonly targets: readonly string[];
      readonly stillValid: boolean;
      /** Seconds. */
      readonly resendAfter: number;
    }
  | NeedsPerson
  /** Asked too often, or no phone. */
  | { readonly kind: 'refused'; readonly resendAfter: number }
  /** The half session has ended. */
  | { readonly kind: 'gone' }
  | Failed;

/** The outcome of an answer. */
export type PortalAnswered =
  | LoggedIn
  /** One more step, or an image instead of the one that was misread. */
  | { readonly kind: 'next' | 'wrong'; readonly needs: NeedsPerson }
  | { readonly kind: 'wrong-code' | 'expired' | 'gone' }
  | Failed;

/** The steps of a login that a person takes. Each is one request, unless said otherwise; none is ever repeated. */
export interface PortalSteps {
  /** `target` is the index of a phone in the list; `renew`: the image is too old, and so is what it belongs to. */
  send(
    ask: AskPortal,
    resume: string,
    choice: { readonly target: number | null; readonly renew: boolean },
  ): Promise<PortalSent>;
  /**
   * One check of the session settles an answer that is lost or says nothing. `isLast`: no other image is fetched for
   * one that is misread, which is a wrong code then.
   */
  answer(
    ask: AskPortal,
    resume: string,
    answer: string,
    who: { readonly userid: string; readonly password: string; readonly isLast: boolean },
  ): Promise<PortalAnswered>;
  /** Checks the session once; null: unknown. */
  look(ask: AskPortal, resume: string): Promise<LoggedIn | 'half' | null>;
}

/**
 * The gate before all campus hosts. A session of it is a text that goes with every request as a cookie. This interface
 * is all that the rest of the service knows about portals.
 */
export interface Portal {
  /** Member of a sealed copy that holds the session id. Each portal has its own: sessions of another one do not fit. */
  readonly sealedAs: string;
  /**
   * Logs in. What comes before the credentials may be tried up to three times, the credentials are sent exactly once.
   * `logged-in` is what the portal says: only an answer from behind it shows that the session holds. Where it announces
   * a captcha no password is sent; the image is fetched only with `showImages`. Fails with `credentials-refused`,
   * `sign-in-guarded`, `sign-in-unavailable` or `timed-out` (all step `portal`).
   */
  logIn(ask: AskPortal, userid: string, password: string, showImages?: boolean): Promise<PortalLogin>;
  /** Left out: it never needs a person. */
  readonly steps?: PortalSteps;
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
