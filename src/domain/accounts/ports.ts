import type { ChallengePurpose, HalfSignIn } from '../challenge.ts';
import type { CallContext, PersonalGrant, StudentMarks } from '../context.ts';
import type { SignInStep } from '../errors.ts';
import type { SealedChallenge } from './sign-in/records.ts';
import type { GrantKind, PersonalTokenStore, SettledGrants } from './tokens/personal-tokens.ts';

/** The two secrets of a student: portal (VPN) password and unified-login password. Both 1–256 characters. */
export interface PasswordPair {
  readonly password: string;
  readonly vpnPassword: string;
}

export interface UserRecord {
  readonly userid: string;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
}

export interface StoredPair {
  readonly pair: PasswordPair;
  /** Grows with every replacement, so a late refusal of an old pair cannot mark a new one. */
  readonly version: number;
  /** The step at which the campus refused this pair, or null while it is good. */
  readonly refusedStep: SignInStep | null;
}

export interface TokenRecord {
  readonly userid: string;
  /** Slides with use. */
  readonly expiresAt: number;
  /** Its absolute end. */
  readonly endsAt: number;
  readonly lastUsedAt: number;
  readonly issuedAt: number;
  /** Null for a token that a login has issued. */
  readonly personal: PersonalGrant | null;
  /** Null: the account is gone. */
  readonly marks: StudentMarks | null;
}

/** Only the hash of a token is ever stored. */
export interface NewToken {
  readonly tokenHash: string;
  readonly tokenExpiresAt: number;
  readonly tokenEndsAt: number;
  readonly tokenNetwork: string;
  readonly tokenClient?: string | null;
}

/** A live token of a login, as its owner sees it. */
export interface TokenSession {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** It was issued to this network; null when its seal cannot be opened. */
  readonly network: string | null;
  /** It was issued to this program; null also where that did not say its name. */
  readonly client: string | null;
}

/** A row of the guard. `memory` is JSON, or empty in one that has only been locked. */
export interface GuardText {
  readonly memory: string;
  readonly expiresAt: number;
}

/** What erasing an account takes and leaves beside the rows that hang on it. */
export interface Erasing {
  /** One that the student's id does not name as it is. */
  readonly lease: string;
  /** What is left of the student's rows, under a keyed hash. Null: nothing. */
  readonly left: (own: readonly GuardText[]) => GuardText | null;
}

export interface AccountStore {
  findUser(userid: string): Promise<UserRecord | null>;
  /** `erasing`: the account is gone, but not yet all of its rows. */
  standing(userid: string): Promise<'free' | 'registered' | 'erasing'>;
  /**
   * Takes as long for an unknown student id as for a known one.
   * @throws Failure `stored-credentials-unreadable` when the seal is broken or its key unknown
   */
  readPair(userid: string): Promise<StoredPair | null>;
  /** Leaves a newer pair alone. Device trust ends with a pair that is refused. */
  markPairRefused(userid: string, version: number, step: SignInStep): Promise<void>;
  /** One transaction: parallel calls with one invite token or one userid create one user. */
  register(
    entry: NewToken & {
      userid: string;
      pair: PasswordPair;
      invite: Invite;
      session?: readonly SessionPiece[];
      now: number;
    },
  ): Promise<SavedSession | 'userid-taken' | 'userid-erasing' | 'invite-token-invalid'>;
  /**
   * One transaction. Ends all but the `keep` newest tokens of logins, or with `revokeOthers` all others and the grants that
   * it does not keep; the hash of an ended token still proves for a while that its bearer was the student. A `session`
   * begins the next generation; without one the sealed sessions stay. Device trust ends with the pair that is replaced.
   */
  recordLogin(
    entry: NewToken & {
      userid: string;
      newPair: PasswordPair | null;
      now: number;
      keep: number;
      revokeOthers: { readonly keep: readonly GrantKind[] } | null;
      session?: readonly SessionPiece[] | null;
    },
  ): Promise<{ readonly grants: SettledGrants; readonly saved: SavedSession } | 'user-gone'>;
  /**
   * Erases pair, tokens, sessions, what `erasing` names, and all that hangs on the user row. `erasing`: nothing can act as the
   * student any more, and the many rows that remain go by themselves, also if this process ends. Null: no such account.
   */
  deleteUser(userid: string, erasing: Erasing): Promise<'erased' | 'erasing' | null>;
}

export interface TokenStore {
  /** A live token. */
  find(hash: string, now: number): Promise<TokenRecord | null>;
  /** The student whose token this is, or was until lately; null if it is unknown, was revoked, or ended long ago. */
  bearer(hash: string, now: number): Promise<string | null>;
  /** `expiresAt` null: its end is fixed. */
  slide(
    hash: string,
    use: { userid: string; expiresAt: number | null; usedAt: number; network: string | null },
  ): Promise<void>;
  /** Ends one live token; returns how many the user still has, null when there was no such token. */
  end(hash: string, now: number): Promise<number | null>;
  /** Does the same to a personal token of this student. */
  endPersonal(userid: string, id: string, now: number): Promise<number | null>;
  /** Does the same to the token of a login, and ends the hooks that were made with it where they are not kept. */
  endLogin(
    userid: string,
    id: string,
    keep: readonly GrantKind[],
    now: number,
  ): Promise<{ readonly left: number; readonly grants: SettledGrants } | null>;
  /** Ends all tokens of logins, the grants that are not kept, and device trust. */
  endAll(userid: string, keep: readonly GrantKind[], now: number): Promise<SettledGrants>;
  /** The newest first. */
  list(userid: string, now: number): Promise<TokenSession[]>;
  readonly personal: PersonalTokenStore;
}

export interface InviteCode {
  readonly code: string;
  /** Null: no limit. */
  readonly maxUses: number | null;
  readonly used: number;
  /** Epoch ms, null: never. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** `hash`: of the invite token. */
export interface Invite {
  readonly hash: string;
  readonly code: string;
  readonly expiresAt: number;
}

export interface InviteStore {
  /** `id`: 16 random hex digits, by which invite tokens name the code; a hash would let their bearers guess short codes. */
  findCode(code: string): Promise<(InviteCode & { readonly id: string }) | null>;
  /** The code with that id, while it is usable at `now` and no registration has used the token with that hash. */
  codeFor(token: { readonly hash: string; readonly codeId: string }, now: number): Promise<string | null>;
  /** A usable token that the previous version has stored. */
  storedInvite(hash: string, now: number): Promise<Invite | null>;
}

/** `system` is the campus layer's own name (`portal`, `jwc`, …). */
export interface SessionPiece {
  readonly system: string;
  readonly state: string;
  /**
   * Device trust of that login, which belongs to the stored pair and outlives the session. Null: it has ended; left out
   * where it stays as it is stored.
   */
  readonly trust?: string | null;
}

/** The revision grows with every save over all replicas. */
export interface SavedSession {
  readonly generation: number;
  readonly revision: number;
}

/** Sealed upstream sessions and tickets. */
export interface SessionVault {
  /** The student's current generation; null when the user does not exist. Asked at both ends of every upstream call. */
  generation(userid: string): Promise<number | null>;
  /** Null when the user does not exist. Entries whose seal cannot be opened are left out, and so is such device trust. */
  load(userid: string): Promise<{ generation: number; entries: Array<SessionPiece & { revision: number }> } | null>;
  /**
   * Saves pieces, of which there is at least one, if the student's generation is still `generation`; returns the revision
   * that they share, else null.
   */
  save(userid: string, generation: number, pieces: readonly SessionPiece[], now: number): Promise<number | null>;
  /**
   * Drops all entries and starts the next generation, with the pieces that there are; null when the user does not exist.
   * `keepsTrust`: they are of the stored pair, with which device trust stays.
   */
  nextGeneration(
    userid: string,
    next?: { readonly pieces: readonly SessionPiece[]; readonly keepsTrust: boolean; readonly now: number },
  ): Promise<SavedSession | null>;
}

export interface ChallengeRow extends SealedChallenge {
  readonly idHash: string;
  readonly userid: string;
  readonly purpose: ChallengePurpose;
  /** Answers that may still be sent. */
  readonly left: number;
  readonly expiresAt: number;
  /** Grows with every change: a change names the revision that it was made from. */
  readonly revision: number;
}

/** One open challenge per student. What cannot be unsealed is as good as none. */
export interface ChallengeStore {
  /** Replaces the one that was open for the student. */
  open(row: ChallengeRow): Promise<void>;
  find(idHash: string, now: number): Promise<ChallengeRow | null>;
  of(userid: string, now: number): Promise<ChallengeRow | null>;
  /** Stores the next revision; false: another call was faster, or it has ended. */
  change(row: ChallengeRow): Promise<boolean>;
  remove(idHash: string): Promise<boolean>;
}

/**
 * The queue in which a sign-in waits for its turn at the campus: `owner` for renewals and the stored pair, the others for
 * unverified pairs. Strangers never wait in front of owners.
 */
export interface SignInQueue {
  readonly queue: 'owner' | 'stranger' | 'registration';
  /** The network that it comes from, of which only so many may wait; undefined: not counted. */
  readonly network?: string;
}

/** A session that a submitted pair has opened and that is not stored yet. */
export interface VerifiedSession {
  readonly userid: string;
  /** Stored together with the login or the account. */
  readonly pieces: readonly SessionPiece[];
}

/** A place in the queue of sign-ins, until it is disposed of. */
export interface SignInTurn<S extends VerifiedSession = VerifiedSession> extends Disposable {
  /**
   * Verifies the pair on a fresh session: it sends each password once, and neither uses nor changes what is stored.
   * @throws Failure `credentials-refused`, `sign-in-guarded`, `sign-in-unavailable`, `timed-out` {step}, `person-needed`
   *   {wanted}; `passwords` says what has become of them
   */
  readonly signIn: () => Promise<S>;
}

/** Signing in at the campus on behalf of a student. Implemented by campus/session. */
export interface CampusAccess {
  /** @throws Failure `sign-in-unavailable` where the queue is full, `timed-out`, `client-gone` */
  turn(userid: string, pair: PasswordPair, context: CallContext, queue: SignInQueue): Promise<SignInTurn>;
  /** The longest password that its place takes, in bytes, as far as that has shown; null: the campus takes no such half. */
  longestPassword(step: SignInStep): number | null;
  /** Stores the session of the stored pair as the student's own, in place of all that was stored but device trust. */
  adopt(verified: VerifiedSession): Promise<void>;
  /** It was stored as that together with the login or the account. */
  adoptVerified(verified: VerifiedSession, saved: SavedSession): void;
  /** How long ago the live session last answered; infinite where there is none, or it was longer ago than `withinMs`. */
  answeredMs(userid: string, withinMs: number): Promise<number>;
}

/**
 * How a sign-in continues that waits for a person. Implemented by campus/session. Each call sends what it sends once, and
 * throws what a sign-in throws; `person-needed` carries the next `half`, `challenge-unknown` says that the campus has
 * forgotten the sign-in.
 */
export interface CampusSteps {
  /** Asks for a code, or fetches an image. `target`: index of a phone. */
  send(userid: string, half: HalfSignIn, target: number | null, context: CallContext): Promise<HalfSignIn>;
  answer(
    userid: string,
    pair: PasswordPair,
    half: HalfSignIn,
    answer: string,
    context: CallContext,
  ): Promise<VerifiedSession>;
}
