import type { Challenge, HalfSignIn } from './challenge.ts';
import type { Scope } from './scopes.ts';

/**
 * The closed table of everything that can go wrong, as the domain sees it. No HTTP in here: each surface maps every
 * kind to its own answer and the compiler checks that none is forgotten.
 */
export const failureKinds = [
  // who is calling
  'token-missing', // no credential, or not in the expected form
  'token-unknown', // unknown, expired or revoked
  'token-user-gone', // token row without its user
  'forbidden', // known, but not allowed (administrator operations)
  'scope-missing', // scope; a personal token that is not allowed it, or an operation for login tokens alone
  'login-again', // only a token of a login within a day may do this
  // accounts
  'user-unknown', // login of an unregistered student id
  'userid-taken',
  'userid-erasing', // retryAfterSeconds; rows of the erased account of that id remain
  'userid-malformed',
  'invite-code-invalid',
  'invite-token-invalid',
  'login-cool-down', // retryAfterSeconds
  'registration-cool-down', // retryAfterSeconds
  'rate-limited', // retryAfterSeconds
  'session-unknown', // no valid token of this student has that id
  'token-limit', // the student has as many personal tokens as there may be
  'token-replaced', // the personal token was rotated already
  'account-proof-refused', // account deletion with another pair than the stored one
  // signing in at the campus
  'credentials-refused', // step; the submitted pair, at login or registration
  'stored-credentials-refused', // step; the stored pair, now or earlier
  'stored-credentials-unreadable', // sealed with a key that is gone, or tampered with
  'sign-in-guarded', // step, retryAfterSeconds; captcha, attack marker, login not allowed, or a pause after one
  'person-needed', // step, wanted; the campus wants a second step that only the student can take
  'login-challenge', // step, challenge; the answer of the person continues the sign-in
  'challenge-unknown', // unknown, ended, or another student's
  'challenge-busy', // retryAfterSeconds; another challenge of the student is open, or another call answers this one
  'challenge-needless', // the session answered minutes ago: nothing to renew
  'challenge-answer', // not of the form of a code: neither sent nor counted
  'challenge-target', // none of the phones, or none chosen where there are several
  'sign-in-unavailable', // step, retryAfterSeconds?; network, unreadable page, full line, open breaker
  'ticket-unavailable', // system; a ticket walk that ended without a ticket
  // reading from the campus
  'upstream-unavailable', // system, retryAfterSeconds?; connection, status, open breaker
  'upstream-unreadable', // system; the page is not the page we know
  'upstream-refused', // system, upstreamMessage; the application said no
  'upstream-empty', // system; a value was due and there is none
  'campus-busy', // system, retryAfterSeconds; the campus was asked too often, or our line in front of it is full
  'session-lost', // system; dead again right after a renewal
  'outcome-unknown', // system; a write whose answer was lost, never repeated
  'plan-unknown', // the student's own page does not offer a plan of that id
  'not-offered', // system; the operator has not connected the service to it
  'no-copy', // the caller wants a copy alone, and there is none
  // electricity
  'room-unknown', // not in the tree of rooms
  'room-unbound', // the student has not chosen a room
  'room-refresh-running', // another call refreshes the tree
  'room-refresh-cool-down', // remainingMs, retryAfterSeconds
  // profiles and images
  'profile-unknown', // nothing has been set yet, or no image is there
  'nothing-to-update',
  'nickname-too-long',
  'image-unsupported', // no readable image of an allowed type
  'image-too-large', // in bytes or in pixels
  'staged-image-unusable', // part; unknown, expired, replaced, or another student's
  'image-address-expired',
  'image-unknown',
  'image-store-failed', // the rows of images, and not those of the profile
  // calendar feeds
  'feed-unknown', // no such feed, or no longer
  'feed-limit', // the student has as many as there may be
  'feed-lost', // retryAfterSeconds; what its events were made of cannot be had
  'feeds-off', // retryAfterSeconds; no copies are kept, which feeds and change events are made of
  // hooks
  'hook-unknown', // no such hook of this student, or no such delivery of it
  'hook-limit', // the student has as many as there may be
  // the call itself
  'timed-out', // system? or step?
  'client-gone',
  'overloaded', // retryAfterSeconds
  'storage-failed',
  'internal',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** The same row for several kinds, in a table that has one for each. */
export const alike = <R, K extends FailureKind>(row: R, ...kinds: readonly K[]): Record<K, R> => {
  const entries = kinds.map((kind) => [kind, row]);
  return Object.fromEntries(entries);
};

export const campusSystems = [
  'academics',
  'activity-score',
  'labor-club',
  'electricity',
  'competitions',
  'card',
] as const;
export type CampusSystem = (typeof campusSystems)[number];

/** A password is sent at each. */
export const signInSteps = ['portal', 'unified-login'] as const;
export type SignInStep = (typeof signInSteps)[number];

/** Steps that a sign-in may want of a person. All but the first three are done at the campus itself. */
export const personalSteps = [
  'sms',
  'totp',
  'captcha',
  'certificate',
  'hardware',
  'challenge-response',
  'wechat',
  'password-change', // or what else an account has to do before its first use
  'unknown',
] as const;
export type PersonalStep = (typeof personalSteps)[number];

/**
 * How far the passwords of a failed sign-in got. `unsent`: none has left the service. `accepted`: the portal
 * has accepted its own, and the other one has not left. `unstable`: they were accepted, and the session is none.
 * `unread`: one was answered unreadably. `locked`: the campus says that it does not let this account in, now or at all.
 * `closed`: it says that it is closed. Neither tells whether the password is right.
 */
export type PasswordFate = 'unsent' | 'accepted' | 'unstable' | 'unread' | 'locked' | 'closed';

/** What the campus says to everybody: that it is closed at this hour, or that it lets nothing in from this address. */
export type CampusSays = 'closed' | 'blocked';

export interface FailureDetails {
  readonly system?: CampusSystem;
  readonly step?: SignInStep | undefined;
  /** Whole seconds, rounded up, at least 1. */
  readonly retryAfterSeconds?: number | undefined;
  /** For `credentials-refused`: how many more pairs this caller may try at the campus today. */
  readonly triesLeft?: number | undefined;
  /** The rest of a cool-down, for answers that show it. */
  readonly remainingMs?: number;
  /** Text of the upstream application for the student; plain text, at most 200 characters. */
  readonly upstreamMessage?: string;
  /** HTTP status; missing when no answer arrived. */
  readonly upstreamStatus?: number;
  /** Which of several upstream parts failed, e.g. `sections`; never shown raw. */
  readonly part?: string;
  readonly passwords?: PasswordFate | undefined;
  readonly campusSays?: CampusSays | undefined;
  /** The caller has a token of the student, and may know what the campus says of the account. */
  readonly forOwner?: boolean | undefined;
  /** The scope that a personal token lacks; null when no scope would do. */
  readonly scope?: Scope | null;
  readonly wanted?: PersonalStep | undefined;
  /** Never logged. */
  readonly challenge?: Challenge | undefined;
  /** For `person-needed`: the sign-in to continue once the person has answered. Never logged. */
  readonly half?: HalfSignIn | undefined;
  /** Why, for the log line only. Never contains a secret, a page or a student's data. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

/** The only error that the domain throws on purpose. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly system: CampusSystem | undefined;
  readonly step: SignInStep | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly triesLeft: number | undefined;
  readonly remainingMs: number | undefined;
  readonly upstreamMessage: string | undefined;
  readonly upstreamStatus: number | undefined;
  readonly part: string | undefined;
  readonly passwords: PasswordFate | undefined;
  readonly campusSays: CampusSays | undefined;
  readonly forOwner: boolean | undefined;
  readonly wanted: PersonalStep | undefined;
  readonly scope: Scope | null | undefined;
  readonly reason: string | undefined;
  // No own members: what writes errors down must not find them.
  readonly #challenge: Challenge | undefined;
  readonly #half: HalfSignIn | undefined;

  constructor(kind: FailureKind, details: FailureDetails = {}) {
    const { cause, challenge, half, ...shown } = details;
    super(details.reason === undefined ? kind : `${kind}: ${details.reason}`, { cause });
    this.name = 'Failure';
    this.kind = kind;
    Object.assign(this, shown);
    this.#challenge = challenge;
    this.#half = half;
  }

  get challenge(): Challenge | undefined {
    return this.#challenge;
  }

  /** Set for `person-needed` if the caller of the campus said that a person is there. */
  get half(): HalfSignIn | undefined {
    return this.#half;
  }
}

export const isFailure = (error: unknown, ...kinds: FailureKind[]): error is Failure =>
  error instanceof Failure && (kinds.length === 0 || kinds.includes(error.kind));

/** Troubles of one student's account or session, which another student's may not have. */
export const isPersonal = (error: unknown): error is Failure =>
  isFailure(
    error,
    'token-user-gone',
    'stored-credentials-refused',
    'stored-credentials-unreadable',
    'sign-in-guarded',
    'person-needed',
    'session-lost',
  );

/** Any other error becomes the cause of `internal`, for the log. */
export const asFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure('internal', { cause: error });
