import type { PersonalStep, SignInStep } from '../../errors.ts';
import type { CallerClass, CodeMemory, GatewayMemory, NetworkMemory, StudentMemory } from '../records.ts';
import type { Place } from './campus.ts';

/** Who sends a login, as far as the guard is concerned. */
export interface Caller extends Place {
  /** Names under which the network may be among those that the student is known to use; none: it cannot be one. */
  readonly home: readonly string[];
  /** Names, under every secret key, of the token of this student that came with the call and proves; none: none came. */
  readonly token: readonly string[];
  /** Hash of what came in `Authorization`, which may be an unlock token; null: nothing came. */
  readonly proof: string | null;
}

/** The pair that was sent, held against the stored one. Prints are keyed hashes, under every secret key. */
export interface SubmittedPair {
  readonly stored: 'none' | 'good' | SignInStep;
  readonly equalAt: Readonly<Record<SignInStep, boolean>>;
  readonly prints: Readonly<Record<SignInStep, readonly string[]>>;
}

/** Everything that bears on one decision, as it is at `now`. */
export interface GuardMemory {
  readonly student: StudentMemory;
  readonly gateway: GatewayMemory;
  readonly code: CodeMemory;
  /** Of the network that the call comes from. */
  readonly network: NetworkMemory;
}

/**
 * How the campus answered. `unsent`: no password left the service. `passed`: the portal took its password, and no other
 * left. `unheld`: they were taken, and the session does not hold. `unread`: what it said is unknown. `person`: the
 * portal took its password and wants a second step.
 */
export type AskOutcome =
  | { readonly type: 'marker' | 'unsent' | 'unknown' | 'passed' | 'unheld' | 'unread' }
  /** `stepped`: a person has taken a second step for it. */
  | { readonly type: 'accepted'; readonly stepped?: true }
  /** `step`: which of the two logins wants it; left out: the portal. `offered`: it goes on when the person has answered. */
  | { readonly type: 'person'; readonly wanted: PersonalStep; readonly step?: SignInStep; readonly offered?: true }
  | { readonly type: 'refused'; readonly step: SignInStep };

/** What the guard is told or asked, by name. `tag`: keyed hash of the student id, for what all students share. */
export interface GuardEvents {
  /** Before anything is compared: may it be? */
  comparing: { readonly by: CallerClass; readonly caller: Caller };
  /** `healthy`: the campus has accepted the stored pair within minutes. */
  'login-wanted': Submitted & { readonly tag: string; readonly healthy: boolean };
  /**
   * The turn of a foreign or set-aside pair has come: everything is looked at again and the ask is booked. `resumed`: with
   * the answer of a person, who read an image or was sent a code.
   */
  'ask-begins': Submitted & { readonly id: string; readonly by: CallerClass; readonly resumed?: true };
  /** `storedPrints`: of the stored secrets, which an accepted pair replaces. */
  'ask-ended': Submitted &
    Ended & { readonly id: string; readonly by: CallerClass; readonly storedPrints: StoredPrints };
  /** A sign-in with the stored pair: of a login (`attended`), a data call or background work. */
  'stored-wanted': {
    readonly stored: SubmittedPair['stored'];
    readonly tag: string;
    readonly attended: boolean;
    /** Of a login or a challenge. */
    readonly caller?: Caller;
  };
  /** In such a sign-in: a password is to go out again because what it opened was over within minutes. */
  'early-renewal': { readonly step: SignInStep };
  'stored-ended': Ended & {
    /** Of the login that asked; none: a data call or background work did. */
    readonly home?: readonly string[];
    /** Answers to stored pairs of this process that are not written down yet, this one included; left out: 1. */
    readonly answers?: number;
    readonly storedPrints: StoredPrints;
  };
  /** A second step is offered to a person. */
  'challenge-opens': {
    readonly id: string;
    readonly caller: Caller;
    readonly wanted: PersonalStep;
    readonly why: 'login-wait' | 'registration-wait';
  };
  /** One more code is asked for; that has not left the service. */
  'challenge-sends': { readonly id: string };
  'challenge-unsent': { readonly id: string };
  /** `stepped`: more than an image. */
  'challenge-passed': { readonly id: string; readonly stepped: boolean };
  /** Unattended: the portal is to be asked for a login, its password is to go, its answer has come. */
  'portal-wanted': { readonly tag: string };
  'captcha-met': object;
  'post-begins': { readonly tag: string };
  'post-ended': { readonly tag: string };
  'deletion-wanted': Submitted;
  /** Before the invite token is looked at. */
  'registration-wanted': { readonly caller: Caller };
  /** With a good invite token, of which this is the hash. `id`: its turn has come; null: it only wants to wait in line. */
  'registration-begins': Registering & { readonly invite: string; readonly id: string | null };
  'registration-ended': Registering &
    Ended & {
      readonly id: string;
      /** Hash of its invite token, where a person has answered since it began: its places were given back. */
      readonly resumed?: string;
    };
  /** A valid token was used from this network. */
  'token-used': { readonly home: readonly string[] };
  /** The operator lets the student in again. */
  unlocked: { readonly hash: string };
  /** The operator ended everything that might be in the wrong hands. */
  revoked: object;
}

interface Submitted {
  readonly caller: Caller;
  readonly pair: SubmittedPair;
}

interface Registering {
  readonly caller: Caller;
  readonly prints: SubmittedPair['prints'];
}

export interface Ended {
  readonly tag: string;
  readonly outcome: AskOutcome;
}

type StoredPrints = Readonly<Record<SignInStep, string>> | null;

export type EventName = keyof GuardEvents;
export type GuardEvent<K extends EventName = EventName> = { [N in K]: { readonly type: N } & GuardEvents[N] }[K];

/** When it happens, and N of `CAMPUS_REFUSALS_PER_DAY`. */
export interface Moment {
  readonly now: number;
  readonly perDay: number;
}

/** What is remembered, as it is at that moment, and what happens: the answer, and what is to be remembered. */
export type Rule<K extends EventName> = (memory: GuardMemory, event: GuardEvents[K], at: Moment) => GuardDecision;

/** What logs and metrics call the rules of docs/run/threat-model.md. */
export const limitNames = {
  G1: 'stored-pair-limit',
  G2: 'student-compare-limit',
  G3: 'student-ask-limit',
  G3a: 'rejected-pair-limit',
  G3b: 'refused-before',
  G4: 'marker-pause',
  G5: 'registration-limit',
  G6: 'impossible-password',
  G7: 'gateway-limit',
  G10: 'deletion-limit',
  G12: 'campus-refusals',
  G13: 'unfinished-sign-in-limit',
  G14: 'second-step-limit',
} as const;

export type GuardRule = keyof typeof limitNames;

/** Why a caller waits: a budget is spent, or a wait runs. */
export type WaitReason = 'login-wait' | 'registration-wait' | 'gateway-wait' | 'paused';

export type Refusal = { readonly type: 'refuse'; readonly rule: GuardRule } & (
  | { readonly why: WaitReason; readonly retryAfterSeconds: number }
  | { readonly why: 'credentials' | 'set-aside'; readonly step: SignInStep }
  | { readonly why: 'person'; readonly wanted: PersonalStep; readonly step: SignInStep }
  | { readonly why: 'no-pair' | 'proof' }
);

export type GuardAnswer =
  | Refusal
  /** Nothing is in the way. */
  | { readonly type: 'go' }
  /** As many are under way as may be: it waits until one of them has ended. */
  | { readonly type: 'turn-awaited' }
  /** The stored pair, and no need to ask the campus. */
  | { readonly type: 'token' }
  /** The stored pair has to be signed in again. */
  | { readonly type: 'sign-in' }
  /** A foreign pair may be put to the campus. */
  | { readonly type: 'ask'; readonly by: CallerClass }
  /** `setAside`: the stored pair is the one that was refused, at this step. */
  | { readonly type: 'noted'; readonly setAside: SignInStep | null; readonly pausedSeconds: number };

export interface GuardDecision {
  readonly answer: GuardAnswer;
  readonly next: GuardMemory;
}
