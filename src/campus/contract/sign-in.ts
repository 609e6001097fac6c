import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ChallengeQuestion, HalfSignIn } from '../../domain/challenge.ts';
import type { PersonalStep, SignInStep } from '../../domain/errors.ts';
import { nullable, type RecordOf } from '../../domain/record.ts';
import { sniffImage } from '../../lib/images/image-types.ts';
import type { HttpAnswer, Unanswered } from '../transport/http.ts';
import { type Failed, signInFailed, signInUnanswered } from './sign-in-failures.ts';

// Signing in is a conversation. A portal, a unified login and an application with its own login all hold it in the
// same way, and nothing in the core asks which of them it is.

/** In the order in which they are sent. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>;

export interface SignInRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query below the address of the place, or what `locate` has found. */
  readonly path: string | URL;
  /** The option that holds another address of the place; left out: `url`. */
  readonly at?: string;
  readonly form?: Fields;
  readonly jsonBody?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is an image: its `bytes` count, and not its text. */
  readonly image?: true;
  /** A portal's own session, sent with it; null: there is none yet. */
  readonly session?: string | null;
}

/** Sends the requests of one sign-in, each once, with the cookies that earlier answers have set. */
export interface SignInCall {
  /** Epoch ms. */
  readonly now: number;
  readonly userid: string;
  /** The half that is proven here, which failures name: `portal` for `vpn_password`, `unified-login` for `password`. */
  readonly step: SignInStep;
  /** A unified login is to issue a ticket for this. Known to `signIn` alone, so `resume` has to hold it. */
  readonly service: string | null;
  /** A submitted pair is to be proven, by its own password alone: a session that lives proves nothing. */
  readonly renews: boolean;
  /** Redirects are not followed. A dead portal in front of the place is no answer, and the core deals with it. */
  ask(request: SignInRequest): Promise<HttpAnswer | Unanswered>;
  /** Where a page or a redirect leads; null: to no address of this place. `from`: a path of the place; else its address. */
  locate(reference: string, from?: string): URL | null;
  /** Where a redirect leads within this place, which may share its host with others; null: out of it. */
  leadsBack(location: string | undefined, from: string): URL | null;
  /** Counts a page that was read: an unknown one has probably changed. */
  saw(page: string, isKnown: boolean): void;
}

export interface Credentials {
  readonly userid: string;
  readonly password: string;
}

/** Fetches them when the page is known that takes them. Fails where no password may be sent now: pass that on. */
export type AskCredentials = () => Promise<Credentials | Failed>;

export interface SignedIn {
  readonly kind: 'signed-in';
  /** Of a portal: the text that goes with every request. Any other place has cookies. */
  readonly session?: string;
  /** Of a unified login: the redirect with the ticket, as it came. */
  readonly ticket?: string;
  /** Of an own login: what its pages handed out, for the memo of the new session. */
  readonly memo?: Readonly<Record<string, string>>;
}

/** A sign-in that waits for a person. */
export interface NeedsPerson {
  readonly kind: 'needs-person';
  /** `elsewhere`: we can name the step, and the person cannot take it here. */
  readonly asked: ChallengeQuestion | { readonly kind: 'elsewhere'; readonly hint: PersonalStep };
  /** Plain data with which any process can continue; null: none can. */
  readonly resume: object | null;
  /** How the person's last answer or send ended. */
  readonly last: HalfSignIn['last'];
  /** How far the password got. `guarded`: the answer demanded an image. */
  readonly password: 'unsent' | 'accepted' | 'guarded';
}

export type SignInAnswer = SignedIn | NeedsPerson | Failed;

export interface SignIn {
  /**
   * Names of cookies by which it knows a browser that has passed a step. The core keeps them apart from the session, and
   * sends them with the pair that has earned them where no person is there to pass the step again.
   */
  readonly deviceTrust?: readonly string[];
  /**
   * May repeat what comes before the credentials, and sends them exactly once. Where an image is wanted it sends no
   * password and fetches no image. Fails with `credentials-refused`, `sign-in-guarded`, `sign-in-unavailable` or
   * `timed-out`, all with the step of the call.
   */
  signIn(call: SignInCall, credentials: AskCredentials): Promise<SignInAnswer>;
  /**
   * Asks for a code or an image, once. `target`: index of a phone. Fails with `challenge-unknown` where the half
   * session is gone. A place that never needs a person leaves out `send` and `answer`.
   */
  send?(call: SignInCall, resume: object, target: number | null): Promise<NeedsPerson | Failed>;
  /** Sends the person's answer, once. */
  answer?(call: SignInCall, resume: object, text: string, credentials: Credentials): Promise<SignInAnswer>;
  /** The longest password that it takes, in bytes, judging by its last key. */
  longestPassword(): number;
}

export const needsPerson = (
  asked: NeedsPerson['asked'],
  resume: object | null,
  password: NeedsPerson['password'],
  last: NeedsPerson['last'] = 'none',
): NeedsPerson => ({ kind: 'needs-person', asked, resume, last, password });

/** Names a step that cannot be taken through this service. */
export const needsPersonElsewhere = (hint: PersonalStep, password: NeedsPerson['password']): NeedsPerson =>
  needsPerson({ kind: 'elsewhere', hint }, null, password);

/** Reads that data back; null: another version has written it, or another login. */
export const halfOf = <T extends TSchema>(schema: T, resume: object): Static<T> | null =>
  Value.Check(schema, resume) ? resume : null;

export const unknownResume = (step: SignInStep): Failed => signInFailed(step, 'resume of another kind');

/** Null where the first bytes are not those of a picture that a page may show. */
export const imageOf = (bytes: Uint8Array): Extract<ChallengeQuestion, { kind: 'captcha' }>['image'] => {
  const type = sniffImage(bytes);
  if (type === null || type === 'webp') return null;
  return { type: `image/${type}`, base64: Buffer.from(bytes).toString('base64') };
};

/** Reads the answer to a request for an image. */
export const imageAsked = (
  step: SignInStep,
  answer: HttpAnswer | Unanswered,
): Extract<ChallengeQuestion, { kind: 'captcha' }> | Failed => {
  if (answer.kind === 'no-answer') return signInUnanswered(step, answer);
  const image = answer.status === 200 ? imageOf(answer.bytes ?? new Uint8Array()) : null;
  return image === null
    ? signInFailed(step, answer.status >= 500 ? `status ${answer.status}` : 'no image')
    : { kind: 'captcha', image };
};

/** The name in a `Set-Cookie` line. */
export const cookieName = (line: string): string => line.slice(0, line.indexOf('=')).trim();

export const setsCookie = ({ setCookies }: HttpAnswer, name: string): boolean =>
  setCookies.some((line) => cookieName(line) === name);

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** A login page that takes a password. Any process can fill it in. */
export const LoginForm = Type.Object({
  kind: Type.Literal('login-page'),
  /** Empty: the product has none. */
  lt: Type.String(),
  execution: Type.String(),
  /** `field` takes the characters of the image; `image` is its address, as the page names it: after a last `?` goes the time. */
  captcha: nullable(Type.Object({ field: Type.String(), image: Type.String() })),
  /** Texts that stand on the page before anything was typed, and are no answers where they stand on a later one. */
  standing: Type.Optional(Type.Array(Type.String())),
  /** What else of the page is needed to fill it in. */
  values: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type LoginForm = RecordOf<typeof LoginForm>;
