import type { CallContext, Student } from '../../context.ts';
import type { PersonalStep, SignInStep } from '../../errors.ts';
import type { SettledGrants } from '../grants.ts';

/** The steps of a sign-in that a person can take here. All others are taken at the portal's own page. */
export const challengeKinds = ['captcha', 'sms', 'totp'] as const;
export type ChallengeKind = (typeof challengeKinds)[number];
export const isChallengeKind = (step: PersonalStep): step is ChallengeKind =>
  challengeKinds.some((kind) => kind === step);

/** What the sign-in was for. `renewal`: of a session that has ended, begun with a token of the student. */
export const challengePurposes = ['login', 'registration', 'renewal'] as const;
export type ChallengePurpose = (typeof challengePurposes)[number];

/** One of several phones that a code can be sent to. */
export interface ChallengeTarget {
  /** What `send` wants. */
  readonly index: number;
  /** Masked by the portal, or else by us: `138****0000`. */
  readonly label: string;
}

/** As the portal delivered it: the type is told by the first bytes. At most 256 KiB. */
export interface ChallengeImage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif';
  readonly bytes: Uint8Array;
}

/** Who asked for the sign-in, for the page that somebody else might have been led to. */
export interface ChallengeAsker {
  /** Epoch ms. */
  readonly at: number;
  /** Product name of the `User-Agent`; null: it named none. */
  readonly client: string | null;
  /** IPv4 /24 or IPv6 /64 in words, as the list of sessions shows it; empty: unknown. */
  readonly network: string;
  /** The call that looks comes from the same network. */
  readonly isHere: boolean;
}

/** A sign-in that waits for a person, as whoever holds its id (or its page code) sees it. Never logged. */
export interface Challenge {
  /** The credential for everything below: 43 characters, stored as a hash. Empty where only the page code is known. */
  readonly id: string;
  /** What the page asks for: 8 characters of `pageCodeAlphabet`. */
  readonly pageCode: string;
  readonly purpose: ChallengePurpose;
  readonly userid: string;
  readonly step: SignInStep;
  readonly kind: ChallengeKind;
  /** Of a captcha; null for all others. */
  readonly image: ChallengeImage | null;
  /** Phones to choose from. Empty: one, or not asked for yet. With more than one, `send` wants an index. */
  readonly targets: readonly ChallengeTarget[];
  /** Whether a code is on its way. The campus does not say for certain: `unknown` before `send`, then `perhaps` or `yes`. */
  readonly sent: 'unknown' | 'perhaps' | 'yes';
  /** The portal said that an earlier code still holds. */
  readonly stillValid: boolean;
  /** What became of the last answer or send, for the words: a code that has expired has to be sent again. */
  readonly last: 'none' | 'wrong' | 'expired' | 'passed-step' | 'send-refused';
  readonly answersLeft: number;
  readonly sendsLeft: number;
  /** Whole seconds until a code may be sent again; 0: now. */
  readonly resendAfter: number;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly asker: ChallengeAsker;
}

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
 * began one; `person-needed` {wanted} stays for steps that nobody can take here.
 *
 * Every operation also throws `challenge-unknown` (unknown, ended, foreign: alike), `storage-failed`, and what the campus
 * does: `sign-in-unavailable`, `timed-out` (`step`), `client-gone`. Wrong page codes are not counted in here: whoever
 * serves the page limits them.
 */
export interface Challenges {
  /**
   * Signs the student in anew, with the person there. Null: it went through without a step, and the session is live.
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
   *   `challenge-busy` (another call is at it), `person-needed` (a next step that nobody can take here), and what a login
   *   throws: `credentials-refused`, `sign-in-guarded`, `invite-token-invalid`, `userid-taken`
   */
  answer(key: ChallengeKey, answer: string, context: CallContext): Promise<Answered>;

  /** The person gives up. Nothing is sent: a log-out would end the session that grows from the half one. */
  end(key: ChallengeKey): Promise<void>;
}
