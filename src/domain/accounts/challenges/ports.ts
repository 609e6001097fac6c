import type { ChallengePurpose, HalfSignIn } from '../../challenge.ts';
import type { CallContext } from '../../context.ts';
import type { Failure } from '../../errors.ts';
import type { Caller } from '../guard/caller.ts';
import type { Invite } from '../invite-tokens.ts';
import type { GrantKind, SettledGrants } from '../personal-tokens.ts';
import type { PasswordPair, VerifiedSession } from '../ports.ts';
import type { SealedChallenge } from './records.ts';

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
 * How a sign-in continues that waits for a person. Implemented by campus/session. Each call sends what it sends once, and
 * throws what a sign-in throws; `person-needed` carries the next `half`, `challenge-unknown` says that the campus has
 * forgotten the sign-in.
 */
export interface CampusSteps {
  /** Asks for a code, or fetches an image. `target`: index of a phone. */
  send(userid: string, half: WaitingHalf, target: number | null, context: CallContext): Promise<HalfSignIn>;
  answer(
    userid: string,
    pair: PasswordPair,
    half: WaitingHalf,
    answer: string,
    context: CallContext,
  ): Promise<VerifiedSession>;
}

type WaitingHalf = Pick<HalfSignIn, 'step' | 'resume'>;

/** A sign-in that is to wait for a person, and its purpose. */
export interface Waiting {
  readonly purpose: ChallengePurpose;
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly keep?: readonly GrantKind[];
  readonly invite?: Invite;
}

/** Logins, registrations and renewals use this part of challenges. */
export interface ChallengeDesk {
  /** Before a password leaves. @throws Failure `challenge-busy` where one is open that this caller may not end */
  makeWay(userid: string, caller: Caller): Promise<void>;
  /** Opens a challenge in place of the open one, and returns the failure for the caller. @throws Failure where the budgets are spent */
  opener(waiting: Waiting, caller: Caller): (half: HalfSignIn) => Promise<Failure>;
}

/** The result of an answer that passed. */
export type Answered =
  | {
      readonly kind: 'logged-in';
      readonly purpose: 'login' | 'registration';
      readonly token: string;
      readonly grants: SettledGrants;
    }
  /** The session of the student is live again. */
  | { readonly kind: 'renewed' };
