import type { Challenge, HalfSignIn } from './challenge.ts';
import type { Scope } from './scopes.ts';

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

/**
 * The half that is told: where the campus does not take the one that was stored, as after its portal is gone, or where
 * none was, the first that it takes. `taken`: those, in the order of asking.
 */
export const toldStep = (
  stored: SignInStep | undefined,
  taken: readonly SignInStep[] = signInSteps,
): SignInStep | undefined => (stored !== undefined && taken.includes(stored) ? stored : taken[0]);

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

/** What a failure of any kind may say: where it arose, when to come back, and why. */
interface Common {
  readonly system?: CampusSystem | undefined;
  readonly step?: SignInStep | undefined;
  /** Which of several upstream parts, e.g. `sections`; never shown raw. */
  readonly part?: string | undefined;
  /** Whole seconds, rounded up, at least 1. */
  readonly retryAfterSeconds?: number | undefined;
  /** For the log line only. Never contains a secret, a page or a student's data. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

/** What only failures of the kinds that name it say. */
interface Special {
  /** How many more pairs this caller may try at the campus today. */
  readonly triesLeft?: number | undefined;
  /** Text of the upstream application for the student; plain text, at most 200 characters. */
  readonly upstreamMessage?: string | undefined;
  /** Of a ticket application that answers with codes. */
  readonly upstreamCode?: number | undefined;
  /** HTTP status; missing when no answer arrived. */
  readonly upstreamStatus?: number | undefined;
  readonly passwords?: PasswordFate | undefined;
  readonly campusSays?: CampusSays | undefined;
  /** For how long the campus says that it keeps this account locked; it is told with `forOwner` alone. */
  readonly lockedSeconds?: number | undefined;
  /** The caller has a token of the student, and may know what the campus says of the account. */
  readonly forOwner?: boolean | undefined;
  readonly wanted?: PersonalStep | undefined;
  /** The sign-in to continue once the person has answered, if the caller of the campus said that one is there. */
  readonly half?: HalfSignIn | undefined;
}

/** What failures may say at all. */
export type FailureMembers = Common & Special & { readonly challenge?: unknown };

class FailureError extends Error {
  readonly kind: string;
  readonly system: CampusSystem | undefined;
  readonly step: SignInStep | undefined;
  readonly part: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | undefined;
  readonly #members: FailureMembers;

  constructor(kind: string, members: FailureMembers) {
    const { cause, challenge, half, ...shown } = members;
    super(members.reason === undefined ? kind : `${kind}: ${members.reason}`, { cause });
    this.name = 'Failure';
    this.kind = kind;
    this.#members = members;
    Object.assign(this, shown);
    // What writes errors down must not find them.
    for (const [name, value] of Object.entries({ challenge, half })) Object.defineProperty(this, name, { value });
  }

  /** The same failure, which says more. */
  with(more: FailureMembers): this {
    return new FailureError(this.kind, { ...this.#members, ...more }) as this;
  }
}

type Made<K extends string, M> = FailureError & { readonly kind: K } & Readonly<M>;

const make = <K extends string, M extends object>(kind: K, members: Common & M): Made<K, M> =>
  // The members are assigned by name.
  new FailureError(kind, members) as Made<K, M>;

type May = keyof Special;
type FailureExtras<N extends May> = Common & Pick<Special, N>;

/** `may`: what failures of the kind say besides. */
const define =
  <K extends string, N extends May = never>(kind: K, ..._may: N[]) =>
  (reason?: string, more?: FailureExtras<N>): Made<K, Pick<Special, N>> =>
    make<K, Pick<Special, N>>(kind, { reason, ...more } as FailureExtras<N>);

const defineWithWait =
  <K extends string, N extends May = never>(kind: K, ..._may: N[]) =>
  (retryAfterSeconds: number | undefined, reason?: string, more?: FailureExtras<N>): Made<K, Pick<Special, N>> =>
    make<K, Pick<Special, N>>(kind, { retryAfterSeconds, reason, ...more } as FailureExtras<N>);

const atStep =
  <K extends string, N extends May = never>(kind: K, ..._may: N[]) =>
  (step: SignInStep | undefined, reason?: string, more?: FailureExtras<N>): Made<K, Pick<Special, N>> =>
    make<K, Pick<Special, N>>(kind, { step, reason, ...more } as FailureExtras<N>);

const ofSystem =
  <K extends string, N extends May = never>(kind: K, ..._may: N[]) =>
  (system: CampusSystem | undefined, reason?: string, more?: FailureExtras<N>): Made<K, Pick<Special, N>> =>
    make<K, Pick<Special, N>>(kind, { system, reason, ...more } as FailureExtras<N>);

/**
 * The closed table of everything that can go wrong, as the domain sees it, and the only way to make a failure. No HTTP
 * in here: each surface maps every kind to its own answer and the compiler checks that none is forgotten.
 */
export const failures = {
  // who is calling
  tokenMissing: define('token-missing'), // no credential, or not in the expected form
  tokenUnknown: define('token-unknown'), // unknown, expired or revoked
  tokenUserGone: define('token-user-gone'), // token row without its user
  forbidden: define('forbidden'), // known, but not allowed (administrator operations)
  /** A personal token that is not allowed it. Null when no scope would do: the operation is for login tokens alone. */
  scopeMissing: (scope: Scope | null) => make('scope-missing', { scope }),
  loginAgain: define('login-again'), // only a token of a login within a day may do this
  // accounts
  userUnknown: define('user-unknown'), // login of an unregistered student id
  useridTaken: define('userid-taken'),
  useridErasing: defineWithWait('userid-erasing'), // rows of the erased account of that id remain
  useridMalformed: define('userid-malformed'),
  inviteCodeInvalid: define('invite-code-invalid'),
  inviteTokenInvalid: define('invite-token-invalid'),
  loginCoolDown: defineWithWait('login-cool-down'),
  registrationCoolDown: defineWithWait('registration-cool-down'),
  rateLimited: defineWithWait('rate-limited'),
  sessionUnknown: define('session-unknown'), // no valid token of this student has that id
  tokenLimit: define('token-limit'), // the student has as many personal tokens as there may be
  tokenReplaced: define('token-replaced'), // the personal token was rotated already
  accountProofRefused: define('account-proof-refused'), // account deletion with another pair than the stored one
  // signing in at the campus
  credentialsRefused: atStep('credentials-refused', 'triesLeft', 'passwords', 'upstreamMessage'), // the submitted pair
  storedCredentialsRefused: atStep('stored-credentials-refused'), // the stored pair, now or earlier
  storedCredentialsUnreadable: define('stored-credentials-unreadable'), // sealed with a key that is gone, or tampered with
  /** Captcha, attack marker, login not allowed, or a pause after one. */
  signInGuarded: atStep('sign-in-guarded', 'passwords', 'campusSays', 'lockedSeconds', 'forOwner', 'upstreamMessage'),
  /** The campus wants a second step that only the student can take. */
  personNeeded: atStep('person-needed', 'wanted', 'half', 'passwords'),
  /** The answer of the person continues the sign-in. */
  loginChallenge: (step: SignInStep, challenge: Challenge) => make('login-challenge', { step, challenge }),
  challengeUnknown: define('challenge-unknown', 'passwords'), // unknown, ended, or another student's
  challengeBusy: defineWithWait('challenge-busy'), // another challenge of the student is open, or another call answers this one
  challengeNeedless: define('challenge-needless'), // the session answered minutes ago: nothing to renew
  challengeAnswer: define('challenge-answer'), // not of the form of a code: neither sent nor counted
  challengeTarget: define('challenge-target'), // none of the phones, or none chosen where there are several
  /** Network, unreadable page, full line, open breaker. */
  signInUnavailable: atStep('sign-in-unavailable', 'passwords', 'campusSays', 'upstreamMessage'),
  ticketUnavailable: ofSystem('ticket-unavailable'), // a ticket walk that ended without a ticket
  // reading from the campus
  upstreamUnavailable: ofSystem('upstream-unavailable', 'upstreamStatus'), // connection, status, open breaker
  upstreamUnreadable: ofSystem('upstream-unreadable'), // the page is not the page we know
  upstreamRefused: ofSystem('upstream-refused', 'upstreamMessage', 'upstreamCode'), // the application said no
  upstreamEmpty: ofSystem('upstream-empty'), // a value was due and there is none
  campusBusy: ofSystem('campus-busy'), // the campus was asked too often, or our line in front of it is full
  sessionLost: ofSystem('session-lost'), // dead again right after a renewal
  outcomeUnknown: ofSystem('outcome-unknown', 'upstreamStatus'), // a write whose answer was lost, never repeated
  planUnknown: define('plan-unknown'), // the student's own page does not offer a plan of that id
  notOffered: ofSystem('not-offered'), // the operator has not connected the service to it
  noCopy: define('no-copy'), // the caller wants a copy alone, and there is none
  // electricity
  roomUnknown: define('room-unknown'), // not in the tree of rooms
  roomUnbound: define('room-unbound'), // the student has not chosen a room
  roomRefreshRunning: define('room-refresh-running'), // another call refreshes the tree
  /** `remainingMs`: for answers that show it. */
  roomRefreshCoolDown: (remainingMs: number, retryAfterSeconds: number) =>
    make('room-refresh-cool-down', { remainingMs, retryAfterSeconds }),
  // profiles and images
  profileUnknown: define('profile-unknown'), // nothing has been set yet, or no image is there
  nothingToUpdate: define('nothing-to-update'),
  nicknameTooLong: define('nickname-too-long'),
  imageUnsupported: define('image-unsupported'), // no readable image of an allowed type
  imageTooLarge: define('image-too-large'), // in bytes or in pixels
  stagedImageUnusable: (part: string) => make('staged-image-unusable', { part }), // unknown, expired, replaced, or another student's
  imageAddressExpired: define('image-address-expired'),
  imageUnknown: define('image-unknown'),
  imageStoreFailed: define('image-store-failed'), // the rows of images, and not those of the profile
  // calendar feeds
  feedUnknown: define('feed-unknown'), // no such feed, or no longer
  feedLimit: define('feed-limit'), // the student has as many as there may be
  feedLost: defineWithWait('feed-lost'), // what its events were made of cannot be had
  feedsOff: defineWithWait('feeds-off'), // no copies are kept, which feeds and change events are made of
  // hooks
  hookUnknown: define('hook-unknown'), // no such hook of this student, or no such delivery of it
  hookLimit: define('hook-limit'), // the student has as many as there may be
  // the call itself
  timedOut: define('timed-out'), // system? or step?
  clientGone: define('client-gone'),
  overloaded: defineWithWait('overloaded'),
  storageFailed: define('storage-failed'),
  internal: define('internal'),
};

/** Of a kind that is known at run time only. */
export const failureOf = <K extends FailureKind>(kind: K, members: FailureMembers = {}): Failure<K> =>
  new FailureError(kind, members) as Failure<K>;

type AnyFailure = ReturnType<(typeof failures)[keyof typeof failures]>;
export type FailureKind = AnyFailure['kind'];

/** The only errors that the domain throws on purpose. */
export type Failure<K extends FailureKind = FailureKind> = Extract<AnyFailure, { readonly kind: K }>;

/** The same row for several kinds, in a table that has one for each. */
export const forAll = <R, K extends FailureKind>(row: R, ...kinds: readonly K[]): Record<K, R> => {
  const entries = kinds.map((kind) => [kind, row]);
  return Object.fromEntries(entries);
};

export const isFailure = <K extends FailureKind = FailureKind>(error: unknown, ...kinds: K[]): error is Failure<K> =>
  error instanceof FailureError && (kinds.length === 0 || kinds.some((kind) => kind === error.kind));
export const passwordFateOf = (failure: Failure): PasswordFate | undefined =>
  'passwords' in failure ? failure.passwords : undefined;

export const campusSaysOf = (failure: Failure): CampusSays | undefined =>
  'campusSays' in failure ? failure.campusSays : undefined;

export const halfSignInOf = (failure: Failure): HalfSignIn | undefined =>
  'half' in failure ? failure.half : undefined;

const ofLogins: ReadonlySet<FailureKind> = new Set([
  'credentials-refused',
  'stored-credentials-refused',
  'sign-in-guarded',
  'sign-in-unavailable',
  'person-needed',
]);

/** A campus without a portal asks for one password, and its copy in the other half is never named. */
export const toldOfCampus = (failure: Failure, { hasPortal }: { readonly hasPortal: boolean }): Failure => {
  const { kind, step } = failure;
  const namesPortal = step === 'portal' || (step === undefined && ofLogins.has(kind));
  return hasPortal || !namesPortal ? failure : failure.with({ step: 'unified-login' });
};

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

/**
 * Any other error becomes the cause of `internal`, for the log. Where something held could not be given back after an
 * error, what happened last is told, as by a `finally` that throws.
 */
export const asFailure = (error: unknown): Failure => {
  if (isFailure(error)) return error;
  return error instanceof SuppressedError ? asFailure(error.error) : failures.internal(undefined, { cause: error });
};
