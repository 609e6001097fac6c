import type { PersonalStep, SignInStep } from '../../errors.ts';
import type { Place } from './campus.ts';
import type { CallerClass, CodeMemory, GatewayMemory, NetworkMemory, StudentMemory } from './memory.ts';

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
 * left. `unheld`: they were taken, and the session does not hold. `unread`: nobody can tell what it said. `person`: the
 * portal took its password and wants a second step.
 */
export type AskOutcome =
  | { readonly type: 'marker' | 'unsent' | 'unknown' | 'passed' | 'unheld' | 'unread' }
  /** `stepped`: a person has taken a second step for it. */
  | { readonly type: 'accepted'; readonly stepped?: true }
  /** `step`: which of the two logins wants it; left out: the portal. `offered`: it goes on when the person has answered. */
  | { readonly type: 'person'; readonly wanted: PersonalStep; readonly step?: SignInStep; readonly offered?: true }
  | { readonly type: 'refused'; readonly step: SignInStep };

export type GuardEvent =
  /** Before anything is compared: may it be? */
  | { readonly type: 'comparing'; readonly by: CallerClass; readonly caller: Caller }
  | {
      readonly type: 'login-wanted';
      readonly caller: Caller;
      readonly pair: SubmittedPair;
      /** Keyed hash of the student id, for what all students share. */
      readonly tag: string;
      /** The campus has proven the stored pair within minutes. */
      readonly healthy: boolean;
    }
  /** The turn of a foreign or set-aside pair has come: everything is looked at again and the ask is booked. */
  | {
      readonly type: 'ask-begins';
      /** The answer of a person, who read an image or was sent a code. */
      readonly resumed?: true;
      readonly id: string;
      readonly by: CallerClass;
      readonly caller: Caller;
      readonly pair: SubmittedPair;
    }
  | {
      readonly type: 'ask-ended';
      readonly id: string;
      readonly by: CallerClass;
      readonly caller: Caller;
      readonly pair: SubmittedPair;
      /** Keyed hash of the student id, for what all students share. */
      readonly tag: string;
      readonly outcome: AskOutcome;
      /** Prints of the stored secrets, which an accepted pair replaces. */
      readonly storedPrints: Readonly<Record<SignInStep, string>> | null;
    }
  /** A sign-in with the stored pair: of a login (`attended`), a data call or background work. */
  | {
      readonly type: 'stored-wanted';
      readonly stored: SubmittedPair['stored'];
      /** Keyed hash of the student id, as in `stored-ended`. */
      readonly tag: string;
      readonly attended: boolean;
      /** Of a login or a challenge. */
      readonly caller?: Caller;
    }
  /** In such a sign-in: a password is to go out again because what it opened was over within minutes. */
  | { readonly type: 'early-renewal'; readonly step: SignInStep }
  | {
      readonly type: 'stored-ended';
      readonly tag: string;
      readonly outcome: AskOutcome;
      /** Of the login that asked; none: a data call or background work did. */
      readonly home?: readonly string[];
      /** Answers to stored pairs of this process that are not written down yet, this one included; left out: 1. */
      readonly answers?: number;
      readonly storedPrints: Readonly<Record<SignInStep, string>> | null;
    }
  /** A second step is offered to a person. */
  | {
      readonly type: 'challenge-opens';
      readonly id: string;
      readonly caller: Caller;
      readonly wanted: PersonalStep;
      readonly why: 'login-wait' | 'registration-wait';
    }
  /** One more code is asked for. */
  | { readonly type: 'challenge-sends'; readonly id: string }
  /** That has not left the service. */
  | { readonly type: 'challenge-unsent'; readonly id: string }
  /** `stepped`: more than an image. */
  | { readonly type: 'challenge-passed'; readonly id: string; readonly stepped: boolean }
  /** Nobody waits for it: the portal is to be asked for a login, its password is to go, its answer has come. */
  | { readonly type: 'portal-wanted'; readonly tag: string }
  | { readonly type: 'captcha-met' }
  | { readonly type: 'post-begins'; readonly tag: string }
  | { readonly type: 'post-ended'; readonly tag: string }
  | { readonly type: 'deletion-wanted'; readonly caller: Caller; readonly pair: SubmittedPair }
  /** Before the invite token is looked at. */
  | { readonly type: 'registration-wanted'; readonly caller: Caller }
  | {
      /** With a good invite token, of which this is the hash. */
      readonly type: 'registration-begins';
      readonly invite: string;
      /** Its turn has come and the ask is booked; null: it only wants to wait in line. */
      readonly id: string | null;
      readonly caller: Caller;
      readonly prints: SubmittedPair['prints'];
    }
  | {
      readonly type: 'registration-ended';
      readonly id: string;
      /** Hash of its invite token, where a person has answered since it began: its places were given back meanwhile. */
      readonly resumed?: string;
      readonly caller: Caller;
      readonly prints: SubmittedPair['prints'];
      readonly tag: string;
      readonly outcome: AskOutcome;
    }
  /** A valid token was used from this network. */
  | { readonly type: 'token-used'; readonly home: readonly string[] }
  /** The operator lets the student in again. */
  | { readonly type: 'unlocked'; readonly hash: string }
  /** The operator ended everything that might be in the wrong hands. */
  | { readonly type: 'revoked' };

export type GuardRule =
  | 'G1'
  | 'G2'
  | 'G3'
  | 'G3a'
  | 'G3b'
  | 'G4'
  | 'G5'
  | 'G6'
  | 'G7'
  | 'G8'
  | 'G10'
  | 'G12'
  | 'G13'
  | 'G14';

export type Refusal =
  /** Somebody waits: a budget is spent, or a wait runs. */
  | {
      readonly type: 'refuse';
      readonly rule: GuardRule;
      readonly why: 'login-wait' | 'registration-wait' | 'gateway-wait' | 'paused';
      readonly retryAfterSeconds: number;
    }
  | { readonly type: 'refuse'; readonly rule: GuardRule; readonly why: 'credentials'; readonly step: SignInStep }
  | { readonly type: 'refuse'; readonly rule: GuardRule; readonly why: 'set-aside'; readonly step: SignInStep }
  | {
      readonly type: 'refuse';
      readonly rule: GuardRule;
      readonly why: 'person';
      readonly wanted: PersonalStep;
      readonly step: SignInStep;
    }
  | { readonly type: 'refuse'; readonly rule: GuardRule; readonly why: 'no-pair' | 'proof' };

export type GuardAnswer =
  | Refusal
  /** Nothing stands in the way. */
  | { readonly type: 'go' }
  /** As many are under way as may be: it waits until one of them has ended. */
  | { readonly type: 'turn-awaited' }
  /** The stored pair, and no need to ask anybody. */
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
