import type { PersonalStep, SignInStep } from '../../errors.ts';
import type { GatewayRow, StudentRow } from './row.ts';

/** The names that logs and metrics use. */
export type LimitName =
  | 'address-limit'
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

export interface Wait {
  readonly type: 'wait';
  readonly limit: LimitName;
  readonly why: 'login' | 'registration' | 'gateway' | 'paused';
  readonly ms: number;
}

export type Refusal =
  | Wait
  | {
      readonly type: 'refuse';
      readonly why: 'credentials' | 'set-aside' | 'person' | 'proof';
      readonly limit: LimitName;
      readonly step?: SignInStep;
      readonly wanted?: PersonalStep;
    };

export interface Noted {
  readonly type: 'noted';
  /** The stored pair was refused at this step. */
  readonly setAside: SignInStep | null;
  /** How long the student rests. */
  readonly restMs: number;
  readonly triesLeft: number | null;
}

export type Answer =
  | Refusal
  | { readonly type: 'go' }
  /** The stored pair, and no need to ask the campus. */
  | { readonly type: 'token' }
  | Noted;

export const go: Answer = { type: 'go' };

export const noted: Noted = { type: 'noted', setAside: null, restMs: 0, triesLeft: null };

export const wait = (limit: LimitName, why: Wait['why'], ms: number): Wait | null =>
  ms > 0 ? { type: 'wait', limit, why, ms } : null;

/**
 * How the campus answered. `unsent`: no password left the service. `passed`: the portal accepted its password, and the
 * other one was not sent. `unstable`: both were accepted, and the session does not hold. `unread`: the answer is
 * unreadable. `person`: a second step is wanted; `offered`: a challenge continues it. `locked`: the account may not sign
 * in. `closed`: nobody may, at this hour.
 */
export type AskOutcome =
  | { readonly type: 'accepted'; readonly stepped?: boolean }
  | { readonly type: 'refused'; readonly step: SignInStep }
  | { readonly type: 'person'; readonly wanted: PersonalStep; readonly step: SignInStep; readonly offered?: boolean }
  | {
      readonly type:
        | 'marker'
        | 'captcha'
        | 'unsent'
        | 'unknown'
        | 'passed'
        | 'unstable'
        | 'unread'
        | 'locked'
        | 'closed';
    };

/** `perDay`: N of `CAMPUS_REFUSALS_PER_DAY`. `attended`: the places at which every login shows an image. */
export interface Moment {
  readonly now: number;
  readonly perDay: number;
  readonly attended?: readonly SignInStep[];
}

/** The rows as a rule changes them: it replaces the members that it changes, and leaves all others alone. */
export interface Draft {
  readonly student: { -readonly [K in keyof StudentRow]: StudentRow[K] };
  readonly gateway: { -readonly [K in keyof GatewayRow]: GatewayRow[K] };
  /** A good outcome of that breaker, which need not be written at once. */
  good: 'stored' | 'strangers' | null;
}

export type Rule<T extends Answer = Answer> = (draft: Draft, at: Moment) => T;
