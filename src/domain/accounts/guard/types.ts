import type { PersonalStep, SignInStep } from '../../errors.ts';
import type { AskGroup, GatewayRow, StudentRow } from './row.ts';

/** Who sends a login, as far as the guard is concerned. Names are keyed hashes under every secret key, the newest first. */
export interface Caller {
  /** IPv4 /24 or IPv6 /48. */
  readonly network: string;
  /** One of `TRUSTED_CALLERS`: no part per network applies. */
  readonly trusted: boolean;
  /** Names that this network would have as a home of the student; none: it cannot be one. */
  readonly home: readonly string[];
  /** Names of the token of this student that came with the call; none: none came. */
  readonly token: readonly string[];
}

/** The pair that was sent, compared with the stored one. */
export interface SubmittedPair {
  /** A step: the campus has refused the stored pair there. */
  readonly stored: 'none' | 'good' | SignInStep;
  readonly equalAt: Readonly<Record<SignInStep, boolean>>;
  readonly prints: Readonly<Record<SignInStep, readonly string[]>>;
}

/**
 * How the campus answered. `unsent`: no password left the service. `passed`: the portal accepted its password and the
 * other one has not left. `unheld`: both were accepted and the session does not hold. `unread`: the answer is unreadable.
 * `person`: a second step is wanted; `offered`: a challenge goes on with it.
 */
export type AskOutcome =
  | { readonly type: 'accepted'; readonly stepped?: boolean }
  | { readonly type: 'refused'; readonly step: SignInStep }
  | { readonly type: 'person'; readonly wanted: PersonalStep; readonly step: SignInStep; readonly offered?: boolean }
  | { readonly type: 'marker' | 'captcha' | 'unsent' | 'unknown' | 'passed' | 'unheld' | 'unread' };

/** When it happens, and N of `CAMPUS_REFUSALS_PER_DAY`. */
export interface Moment {
  readonly now: number;
  readonly perDay: number;
}

/** The rows as a rule changes them: it replaces the members that it changes, and leaves all others alone. */
export interface Draft {
  readonly student: { -readonly [K in keyof StudentRow]: StudentRow[K] };
  readonly gateway: { -readonly [K in keyof GatewayRow]: GatewayRow[K] };
  /** A good outcome of that breaker, which need not be written at once. */
  good: 'stored' | 'strangers' | null;
}

/** The names of the limits in logs and metrics. */
export type LimitName =
  | 'compare-limit'
  | 'ask-limit'
  | 'gateway-limit'
  | 'refused-before'
  | 'sign-in-breaker'
  | 'session-backoff'
  | 'challenge-limit'
  | 'second-step'
  | 'set-aside'
  | 'impossible-password';

export type Wait = {
  readonly type: 'wait';
  readonly limit: LimitName;
  readonly why: 'login' | 'registration' | 'gateway' | 'paused';
  readonly ms: number;
};

export type Refusal =
  | Wait
  | {
      readonly type: 'refuse';
      readonly why: 'credentials' | 'set-aside';
      readonly limit: LimitName;
      readonly step: SignInStep;
    }
  | {
      readonly type: 'refuse';
      readonly why: 'person';
      readonly limit: LimitName;
      readonly wanted: PersonalStep;
      readonly step: SignInStep;
    }
  | { readonly type: 'refuse'; readonly why: 'no-pair' | 'proof'; readonly limit: LimitName };

export type Answer =
  | Refusal
  /** Nothing is in the way. */
  | { readonly type: 'go' }
  /** The stored pair, and no need to ask the campus. */
  | { readonly type: 'token' }
  /** `setAside`: the stored pair is the one that was refused, at this step. `restMs`: how long the student rests. */
  | {
      readonly type: 'noted';
      readonly setAside: SignInStep | null;
      readonly restMs: number;
      readonly triesLeft: number | null;
    };

export type Rule<T extends Answer = Answer> = (draft: Draft, at: Moment) => T;

export type { AskGroup };
