import {
  type Challenge,
  type ChallengeImage,
  type ChallengeKind,
  type ChallengePurpose,
  challengeKinds,
  type HalfSignIn,
} from '../../challenge.ts';
import type { CallContext, Student } from '../../context.ts';
import type { Failure } from '../../errors.ts';
import type { RecordOf } from '../../record.ts';
import type { GrantKind, SettledGrants } from '../grants.ts';
import type { Caller } from '../guard/events.ts';
import type { Invite } from '../invite-tokens.ts';
import type { PasswordPair, ProvenSession } from '../ports.ts';
import type { CallerClass, ChallengeState, KeptEntry, KeptHalf } from '../records.ts';

export { type Challenge, type ChallengeImage, type ChallengeKind, challengeKinds, type HalfSignIn };
export const isChallengeKind = (step: string): step is ChallengeKind => challengeKinds.some((kind) => kind === step);

/** Without look-alikes: no I, L, O, U. */
export const pageCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** As typed: case, blanks and dashes do not matter; `O` is 0, `I` and `L` are 1. Null: not of the form of a page code. */
export const readPageCode = (typed: string): string | null => {
  if (typed.length > 64) return null;
  const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(plain) ? plain : null;
};

/** Who speaks for the challenge: its id (apps), or its page code (the page; `readPageCode` has read it). */
export type ChallengeKey = { readonly id: string } | { readonly pageCode: string };

/** What an answer that passed has come to. */
export type Answered =
  /** By id: what the login or the registration would have answered. */
  | {
      readonly kind: 'logged-in';
      readonly purpose: 'login' | 'registration';
      readonly token: string;
      readonly grants: SettledGrants;
    }
  /** A renewal: the session of the student is live again. */
  | { readonly kind: 'renewed' }
  /** On the page: the next login with the same passwords goes through, once, for 5 minutes. */
  | { readonly kind: 'freed' };

/**
 * Sign-ins that cannot end without the student. Login and registration throw `login-challenge` {challenge} where they
 * began one; `person-needed` {wanted} stays for steps not possible here.
 *
 * Every operation also throws `challenge-unknown` (unknown, ended, foreign: alike), `storage-failed`, and what the campus
 * does: `sign-in-unavailable`, `timed-out` (`step`), `client-gone`. Wrong page codes are not counted in here: what
 * serves the page limits them.
 */
export interface Challenges {
  /**
   * Signs the student in again, with the person there. Null: it went through without a step, and the session is live.
   * @throws Failure `challenge-needless` (a session answered within 240 s; nothing was sent), `challenge-busy`
   *   {retryAfterSeconds}, `rate-limited` {retryAfterSeconds}, `person-needed` {wanted}, `stored-credentials-refused`,
   *   `stored-credentials-unreadable`, `sign-in-guarded`
   */
  begin(student: Student, context: CallContext): Promise<Challenge | null>;

  /** `passed`: taken already, its answer was lost. `answer` with anything, or the next login, fetches what it came to. */
  look(key: ChallengeKey, context: CallContext): Promise<Challenge | 'passed'>;

  /**
   * Asks the portal to send a code, or shows a new image of a captcha. `target` is an index of `targets`.
   * @throws Failure `rate-limited` {retryAfterSeconds} (too soon, or none left), `challenge-target` (an index that is
   *   not there, or none where there are several), `challenge-busy` (another call is at it)
   */
  send(key: ChallengeKey, target: number | undefined, context: CallContext): Promise<Challenge>;

  /**
   * Puts the answer to the campus, once. The network of `context` is the one that a page's pass is for.
   * @throws Failure `login-challenge` {challenge} (wrong, or one more step: go on with the same id; after the third wrong
   *   one `challenge-unknown`), `challenge-answer` (not of the form of a code: nothing was sent or counted),
   *   `challenge-busy` (another call is at it), `person-needed` (a next step not possible here), and what a login
   *   throws: `credentials-refused`, `sign-in-guarded`, `invite-token-invalid`, `userid-taken`
   */
  answer(key: ChallengeKey, answer: string, context: CallContext): Promise<Answered>;

  /**
   * What is open and was begun with the token of this student, for calls that need a person and begin nothing: without
   * its image, as they may be many. Null: nothing.
   */
  opened(student: Student, context: CallContext): Promise<Challenge | null>;

  /** The person gives up. Nothing is sent: a log-out would end the session that grows from the half one. */
  end(key: ChallengeKey): Promise<void>;
}

// ---------------------------------------------------------------- the domain's own

/** A sign-in that is to wait: what it was for. */
export interface Waiting {
  readonly purpose: ChallengePurpose;
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly keep?: readonly GrantKind[];
  readonly invite?: Invite;
  readonly booked: KeptEntry['booked'];
}

/** What was passed on the page, taken by the login that it frees. */
export interface Freed {
  readonly proven: ProvenSession;
  readonly booked: { readonly id: string; readonly by: CallerClass };
  readonly stepped: boolean;
}

/** Where sign-ins wait for a person, as those see it that begin them. */
export interface StepDesk {
  /** @throws Failure `challenge-busy` while one of another token and another network is open */
  makeWay(userid: string, caller: Caller, context: CallContext): Promise<void>;
  /** Books and stores it; what the caller is told, or that the budgets are spent. */
  open(waiting: Waiting, half: HalfSignIn, caller: Caller, context: CallContext): Promise<Failure>;
  /**
   * Does what this very pair has passed for on the page, for this caller; null: nothing was passed. Alone for the
   * student, and the pass is gone only when it is done: no step is lost with a process that dies.
   */
  withPass<T>(
    purpose: 'login' | 'registration',
    entry: { readonly userid: string; readonly pair: PasswordPair },
    context: CallContext,
    work: (freed: Freed) => Promise<T>,
  ): Promise<{ readonly result: T } | null>;
}

// ---------------------------------------------------------------- storage

export interface ChallengeHalf extends Omit<RecordOf<typeof KeptHalf>, 'image'> {
  readonly image: ChallengeImage | null;
}

export interface ChallengeRow {
  readonly idHash: string;
  /** Keyed name of the page code. */
  readonly pageName: string;
  readonly userid: string;
  readonly purpose: ChallengePurpose;
  /** Grows with every change: who changes it says what he has seen. */
  readonly revision: number;
  readonly state: ChallengeState;
  readonly half: ChallengeHalf;
  readonly entry: KeptEntry;
}

/**
 * Challenges that live. One per student is open; those that were passed stay beside it until they are fetched, so that
 * another login takes no step from its student. What cannot be unsealed is as good as none.
 */
export interface ChallengeStore {
  /** In place of what was open for the student. */
  open(row: ChallengeRow): Promise<void>;
  find(
    key: { readonly idHash: string } | { readonly pageNames: readonly string[] },
    now: number,
  ): Promise<ChallengeRow | null>;
  /** The open one. */
  of(userid: string, now: number): Promise<ChallengeRow | null>;
  passed(userid: string, now: number): Promise<readonly ChallengeRow[]>;
  /** The next revision of it; false: another call was faster, or it has ended. */
  change(row: ChallengeRow): Promise<boolean>;
  /** False: it has ended already, or is not of that revision any more. */
  remove(idHash: string, revision?: number): Promise<boolean>;
  sweep(now: number): Promise<number>;
}

// ---------------------------------------------------------------- campus

/** What asking for a code has come to. */
export type StepSent =
  | {
      readonly kind: 'sent';
      readonly resume: string;
      readonly sent: 'perhaps' | 'yes';
      readonly targets: readonly string[];
      readonly stillValid: boolean;
      /** Seconds. */
      readonly resendAfter: number;
    }
  | { readonly kind: 'image'; readonly half: HalfSignIn }
  | { readonly kind: 'refused'; readonly resendAfter: number }
  /** The campus has forgotten the sign-in. */
  | { readonly kind: 'gone' };

export interface StepAnswer {
  readonly code: string;
  /** Of an image: no other one follows if it is misread. */
  readonly isLast: boolean;
}

/** What an answer has come to. */
export type StepAnswered =
  | { readonly kind: 'proven'; readonly proven: ProvenSession }
  /** One more step, or another image in place of the one that was misread. */
  | { readonly kind: 'next' | 'misread'; readonly half: HalfSignIn }
  | { readonly kind: 'wrong' | 'expired' | 'gone' };

/**
 * How a sign-in goes on that waits for a person. Implemented by campus/session. Each is alone for its student, sends
 * what it sends once, and throws what a sign-in throws: `credentials-refused`, `person-needed` {wanted} for a step that
 * is not possible here, `sign-in-guarded`, `sign-in-unavailable`, `timed-out`, `client-gone`.
 */
export interface CampusSteps {
  /** `renew`: the image is too old, a new one is to be fetched with all that belongs to it. */
  send(
    userid: string,
    resume: string,
    wish: { readonly target: number | null; readonly renew: boolean },
    context: CallContext,
  ): Promise<StepSent>;
  answer(
    userid: string,
    pair: PasswordPair,
    resume: string,
    answer: StepAnswer,
    context: CallContext,
  ): Promise<StepAnswered>;
  /** Looks at the session once, because the answer to an answer was lost; `wrong`: it is still half. */
  look(userid: string, pair: PasswordPair, resume: string, context: CallContext): Promise<StepAnswered>;
  /** A verified session as text, for another process. Always kept sealed. */
  pack(proven: ProvenSession): string;
  unpack(userid: string, packed: string): ProvenSession;
}
