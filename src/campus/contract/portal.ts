import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Asked, HalfSignIn } from '../../domain/challenge.ts';
import type { PersonalStep, SignInStep } from '../../domain/errors.ts';
import type { RecordOf } from '../../domain/record.ts';
import { imageOf } from '../parsing/captcha.ts';
import type { HttpAnswer, Unanswered } from '../transport/http.ts';
import { type Failed, signInFailed, signInUnanswered } from './sign-in-failures.ts';

/** A login that waits for a person. */
export interface NeedsPerson {
  readonly kind: 'needs-person';
  /** `elsewhere`: we can name the step, and the person cannot take it here. */
  readonly asked: Asked | { readonly kind: 'elsewhere'; readonly hint: PersonalStep };
  /** Any process can continue with it; empty: none can. */
  readonly resume: string;
  /** How the person's last answer or send ended. */
  readonly last: HalfSignIn['last'];
  /** How far the password got. `guarded`: the answer demanded an image. */
  readonly password: 'unsent' | 'accepted' | 'guarded';
}

/** Names a step that cannot be taken through this service. */
export const elsewhere = (hint: PersonalStep, password: NeedsPerson['password']): NeedsPerson =>
  needsPerson({ kind: 'elsewhere', hint }, null, password);

/** `half`: plain data with which any process can continue; null: none can. */
export const needsPerson = (
  asked: NeedsPerson['asked'],
  half: object | null,
  password: NeedsPerson['password'],
  last: NeedsPerson['last'] = 'none',
): NeedsPerson => ({ kind: 'needs-person', asked, resume: half === null ? '' : JSON.stringify(half), last, password });

/** Reads that half back; null: another version has written it, or another login. */
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
  readonly path: string;
  readonly form?: Fields;
  /** Sent with it; null: there is none yet. */
  readonly session: string | null;
  readonly image?: true;
}

/** Sends the requests of a login, with the cookies of earlier answers. */
export interface LoginCall {
  /** Epoch ms. */
  readonly now: number;
  ask(request: LoginRequest): Promise<HttpAnswer | Unanswered>;
  /** Counts a page that was read: an unknown one has probably changed. */
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

/** The gate before all campus hosts. Its session is a text that goes with every request as a cookie. */
export interface Portal {
  /** The member of a sealed copy that holds the session id; each portal has its own. */
  readonly sealedAs: string;
  /**
   * May repeat what comes before the credentials, and sends them exactly once. Only an answer from behind the portal
   * shows that the session holds. Where it announces a captcha it sends no password and fetches no image. Fails with
   * `credentials-refused`, `sign-in-guarded`, `sign-in-unavailable` or `timed-out` (all step `portal`).
   */
  signIn(call: LoginCall, credentials: Credentials): Promise<PortalAnswer>;
  /**
   * Asks for a code or an image, once. `target`: index of a phone. Fails with `challenge-unknown` where the half
   * session is gone. A portal that never needs a person leaves out `send` and `answer`.
   */
  send?(call: LoginCall, resume: string, target: number | null): Promise<NeedsPerson | Failed>;
  /** Sends the person's answer, once. One look at the session settles an answer that is lost or unreadable. */
  answer?(call: LoginCall, resume: string, text: string, credentials: Credentials): Promise<PortalAnswer>;
  /** The longest password the portal takes, in bytes, judging by its last key. */
  longestPassword(): number;
  /** `name=value` for the `Cookie` header. */
  cookie(session: string): string;
  /** Whether a `Set-Cookie` line is about the portal's own cookie, which never enters a jar. */
  ownsCookie(line: string): boolean;
  /** `location`: the raw header. `target`: where it leads, or null. `configured`: a setting names that origin. */
  isLoginRedirect(location: string, target: URL | null, configured: boolean): boolean;
  /** Whether a page with status 200 asks for a login. Not called for JSON, nor for pages that show their own mark. */
  isLoginPage(text: string): boolean;
  /** The origins at which the portal may show the host of an inner address, likeliest first. */
  mapped(inner: URL): readonly string[];
}

/** In the order in which they are sent. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>;

/** A login page that takes a password. Any process can fill it in. */
export const LoginForm = Type.Object({
  kind: Type.Literal('login-page'),
  /** Empty: the product has none. */
  lt: Type.String(),
  execution: Type.String(),
  /** `field` takes the characters of the image; `image` is its address, as the page names it. */
  captcha: Type.Union([Type.Null(), Type.Object({ field: Type.String(), image: Type.String() })]),
  /** Texts that stand on the page before anybody has typed, and are no answers where they stand on a later one. */
  standing: Type.Optional(Type.Array(Type.String())),
});
export type LoginForm = RecordOf<typeof LoginForm>;

/** The pages of a unified login; its tickets are the same everywhere (`session/service-ticket.ts`). */
export interface UnifiedLogin {
  /** Null: the page takes no password. */
  readForm(text: string): LoginForm | null;
  /** `image`: the characters that the person has read; empty: the page shows none. */
  fields(form: LoginForm, credentials: Credentials, image: string): Fields;
  isLoginPage(text: string): boolean;
  /** The step that the page wants in place of a password, or null. No person can take it here. */
  stepIn(text: string): PersonalStep | null;
  /** What the page wants done to the password that this login cannot do; null: nothing. No password is sent to it. */
  unknownCipher(text: string): string | null;
}
