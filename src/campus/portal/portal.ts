import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Asked, HalfSignIn } from '../../domain/challenge.ts';
import type { PersonalStep, SignInStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import type { HttpAnswer, Unanswered } from '../http.ts';
import { imageOf } from '../parsing/captcha.ts';
import { type Failed, signInFailed, signInUnanswered } from '../sign-in-failures.ts';

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

/** `half`: plain data with which any process can continue; null: nothing can. */
export const needsPerson = (
  asked: NeedsPerson['asked'],
  half: object | null,
  password: NeedsPerson['password'],
  last: NeedsPerson['last'] = 'none',
): NeedsPerson => ({ kind: 'needs-person', asked, resume: half === null ? '' : JSON.stringify(half), last, password });

/** Reads the half that `needsPerson` was given; null: another version has written it, or another login. */
export const halfOf = <T extends TSchema>(schema: T, resume: string): Static<T> | null => {
  const half: unknown = JSON.parse(resume);
  return Value.Check(schema, half) ? half : null;
};

export const unknownResume = (step: SignInStep): Failed => signInFailed(step, 'resume of another kind');

/** Reads the answer to a request for an image. */
export const imageAsked = (
  step: SignInStep,
  answer: HttpAnswer | Unanswered,
): Extract<Asked, { kind: 'captcha' }> | Failed => {
  if (answer.kind === 'no-answer') return signInUnanswered(step, answer);
  const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
  return image === null ? signInFailed(step, 'no image') : { kind: 'captcha', image };
};

export interface LoginRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query below the login's base. */
  readonly path: string;
  readonly form?: Fields;
  /** The portal session that goes with it, where there is one already. */
  readonly session: string | null;
  /** The answer is an image. */
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
  /**
   * Continues a login that needs a person: asks for a code, or fetches an image, by one request that is never repeated.
   * `target`: index of a phone in the list. Fails with `challenge-unknown` where the half session is gone. A portal that
   * never needs a person leaves this and `answer` out.
   */
  send?(call: LoginCall, resume: string, target: number | null): Promise<NeedsPerson | Failed>;
  /** Sends the answer of the person, once. One check of the session settles an answer that is lost or unreadable. */
  answer?(call: LoginCall, resume: string, text: string, credentials: Credentials): Promise<PortalAnswer>;
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

/** Field name and value, in the order in which they are sent. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>;

/** A login page that takes a password, as plain data: any process can fill it in. */
export const LoginForm = Type.Object({
  kind: Type.Literal('login-page'),
  /** Empty where the product has none. */
  lt: Type.String(),
  execution: Type.String(),
  /** The page shows an image, whose characters go into that field. `image`: its address, as the page names it. */
  captcha: Type.Union([Type.Null(), Type.Object({ field: Type.String(), image: Type.String() })]),
});
export type LoginForm = RecordOf<typeof LoginForm>;

/** The pages of a unified login. How its tickets are asked for is the same everywhere (`session/service-ticket.ts`). */
export interface UnifiedLogin {
  /** Null: the page takes no password. */
  readForm(text: string): LoginForm | null;
  /** `image`: the characters that the person has read off; empty where the page shows none. */
  fields(form: LoginForm, credentials: Credentials, image: string): Fields;
  /** Distinguishes a login page from a page of an application. */
  isLoginPage(text: string): boolean;
  /** Returns the step that the page wants of a person in place of a password, or null. None can be taken here. */
  stepIn(text: string): PersonalStep | null;
  /** The page says that the password is wrong. */
  isRefusal(text: string): boolean;
}
