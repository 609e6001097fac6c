import type { PersonalStep, SignInStep } from '../../errors.ts';
import type { GatewayRow, StudentRow } from './row.ts';

/** What refused, as logs, metrics and the threat model name it, with the rule that it belongs to. */
export const limitRules = {
  'compare-limit': 'R1',
  'ask-limit': 'R2',
  'refused-before': 'R3',
  'sign-in-breaker': 'R4',
  'gateway-limit': 'R4',
  'session-backoff': 'R5',
  'address-limit': 'R6',
  'challenge-limit': null,
  'second-step': null,
  'set-aside': null,
  'impossible-password': null,
} as const;
export type LimitName = keyof typeof limitRules;

export interface Wait {
  readonly type: 'wait';
  readonly limit: LimitName;
  readonly why: 'login' | 'registration' | 'gateway' | 'paused';
  readonly ms: number;
}

export type GuardRefusal =
  | Wait
  | {
      readonly type: 'refuse';
      readonly why: 'credentials' | 'set-aside' | 'person' | 'proof';
      readonly limit: LimitName;
      /** Left out of one for a person: the caller names the half that is asked for first. */
      readonly step?: SignInStep | undefined;
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

export type Verdict =
  | GuardRefusal
  | { readonly type: 'go' }
  /** The stored pair, and no need to ask the campus. */
  | { readonly type: 'token' }
  | Noted;

export const go: Verdict = { type: 'go' };

export const noted: Noted = { type: 'noted', setAside: null, restMs: 0, triesLeft: null };

export const wait = (limit: LimitName, why: Wait['why'], ms: number): Wait | null =>
  ms > 0 ? { type: 'wait', limit, why, ms } : null;

/**
 * How the campus answered. `unsent`: no password left the service. `passed`: the portal accepted its password, and the
 * other one was not sent. `unstable`: both were accepted, and the session does not hold. `unread`: the answer is
 * unreadable. `stepped`: a person has taken a step, and with `trusts` the campus will not want it of this service again.
 * `person`: a second step is wanted; `offered`: a challenge continues it. `locked`: the account may not sign in. `closed`:
 * no student may, at this hour. `refused` and `unsent`: no student has that number, so the password is not known to be
 * wrong.
 */
export type AskOutcome =
  | { readonly type: 'accepted'; readonly stepped?: boolean; readonly trusts?: boolean }
  | { readonly type: 'refused'; readonly step: SignInStep; readonly unsent?: boolean }
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
export interface GuardMoment {
  readonly now: number;
  readonly perDay: number;
  readonly attended?: readonly SignInStep[];
}

/** The rows as a rule changes them: it replaces the members that it changes, and leaves all others alone. */
export interface GuardDraft {
  readonly student: { -readonly [K in keyof StudentRow]: StudentRow[K] };
  readonly gateway: { -readonly [K in keyof GatewayRow]: GatewayRow[K] };
  /** A good outcome of that breaker, which need not be written at once. */
  good: 'stored' | 'strangers' | null;
}

export type GuardRule<T extends Verdict = Verdict> = (draft: GuardDraft, at: GuardMoment) => T;
