import type { Asked, HalfSignIn } from '../domain/challenge.ts';
import type { PersonalStep } from '../domain/errors.ts';
import type { HttpAnswer } from './http.ts';
import type { Failed, Unanswered } from './session/verdict.ts';

// Signing in is a conversation: each of the two logins answers that it is done, that it failed, or that it needs a person.

/** A login that waits for a person. */
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

/** How a login is asked. Cookies of the answer, other than the portal's own, are kept and sent back by the caller. */
export interface LoginCall {
  /** Epoch ms. */
  readonly now: number;
  ask(request: LoginRequest): Promise<HttpAnswer | Unanswered>;
  /** Told of each page that the login has looked at, for the metrics: a page that nobody knows has probably changed. */
  saw(page: string, isKnown: boolean): void;
}

export interface Credentials {
  readonly userid: string;
  readonly password: string;
}

/** How a conversation continues. Each call is one request, unless said otherwise; none is ever repeated. */
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
