import type { LRUCache } from 'lru-cache';
import type { KeyedNames } from '../../../lib/hash.ts';
import type { Turns } from '../../../lib/queues.ts';
import { raceSignal } from '../../../lib/single-flight.ts';
import type { Clock } from '../../../lib/time.ts';
import type { ChallengePurpose, HalfSignIn } from '../../challenge.ts';
import { type CallContext, withSignal } from '../../context.ts';
import { asFailure, type Failure, failureOf, failures } from '../../errors.ts';
import type { Leases } from '../../lease.ts';
import { wholeSeconds } from '../../limits.ts';
import type { AttemptName, ServiceObserver } from '../../observation.ts';
import type { Caller, Callers } from '../guard/callers.ts';
import type { Guard } from '../guard/guard.ts';
import type { RefusalLimits } from '../guard/refusal-limits.ts';
import type { GuardRefusal, Verdict } from '../guard/verdict.ts';
import type {
  AccountStore,
  CampusAccess,
  CampusSteps,
  ChallengeStore,
  Invite,
  InviteStore,
  PasswordPair,
  TokenStore,
  VerifiedSession,
} from '../ports.ts';
import type { GrantKind } from '../tokens/personal-tokens.ts';

interface AccountSettings {
  /** A token lives for this long after its last use. */
  readonly tokenTtlMs: number;
  /** A token ends after this long in any case, however much it is used. */
  readonly tokenMaxMs: number;
  /** `LIMIT_REFUSALS_PER_ADDRESS`. */
  readonly refusalsPerAddress: number;
}

export interface AccountDeps {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly invites: InviteStore;
  readonly names: KeyedNames;
  readonly guard: Guard;
  readonly callers: Callers;
  readonly leases: Leases;
  readonly campus: CampusAccess;
  readonly clock: Clock;
  readonly random: () => number;
  readonly settings: AccountSettings;
  readonly secondSteps: {
    readonly store: ChallengeStore;
    readonly campus: CampusSteps;
  };
  /** Drops sessions, tickets and copies of a student whose last token is gone. */
  readonly forget: (userid: string) => Promise<void>;
  readonly observer?: Pick<ServiceObserver, 'attempt' | 'guarded' | 'wrongAsk'>;
}

/** Adds what all operations of this process share. */
export interface AttemptDeps extends AccountDeps {
  readonly limits: RefusalLimits;
  /** One attempt per turn of the event loop: unsealing, comparing and storing take most of a millisecond. */
  readonly turns: Turns;
  /** Addresses where a registration was accepted, and when by the monotonic clock. */
  readonly registeredFrom: LRUCache<string, number>;
}

export interface PairEntry {
  readonly userid: string;
  readonly pair: PasswordPair;
  /** The grants that survive when a login replaces the stored pair. */
  readonly keep?: readonly GrantKind[];
}

/** A sign-in that is to wait for a person. */
export interface WaitingSignIn extends PairEntry {
  readonly purpose: ChallengePurpose;
  readonly invite?: Invite;
}

/** Logins, registrations and renewals use this part of challenges. */
export interface ChallengeDesk {
  /** Before a password leaves. @throws Failure `challenge-busy` where one is open that this caller may not end */
  makeWay(userid: string, caller: Caller): Promise<void>;
  /** Replaces the open challenge, and returns the failure for the caller. @throws Failure where the budgets are spent */
  open(waiting: WaitingSignIn, half: HalfSignIn, caller: Caller): Promise<Failure>;
}

export interface LoginDeps extends AttemptDeps {
  readonly desk: ChallengeDesk;
}

const kinds = {
  login: 'login-cool-down',
  registration: 'registration-cool-down',
  gateway: 'rate-limited',
  paused: 'sign-in-guarded',
  credentials: 'credentials-refused',
  'set-aside': 'stored-credentials-refused',
  person: 'person-needed',
  proof: 'account-proof-refused',
} as const;

const failureOfRefusal = (refusal: GuardRefusal): Failure => {
  const { why, limit: reason } = refusal;
  if (refusal.type === 'wait') return failureOf(kinds[why], { retryAfterSeconds: wholeSeconds(refusal.ms), reason });
  return failureOf(kinds[why], { step: refusal.step, wanted: refusal.wanted, reason });
};

/** @throws Failure when the guard refuses */
export const throwIfRefused = (answer: Verdict): Exclude<Verdict, GuardRefusal> => {
  if (answer.type === 'wait' || answer.type === 'refuse') throw failureOfRefusal(answer);
  return answer;
};

/** An attempt whose signal follows the caller until the campus is asked, and then only the deadline. */
export interface OwnPace {
  readonly context: CallContext;
  /** The attempt outlives its caller from here on: hanging up must not hide the campus's answer. */
  detach(): void;
}

/** Rejects as soon as the caller leaves; work that has detached continues. */
export const runAtOwnPace = async <T>(
  clock: Clock,
  caller: CallContext,
  work: (pace: OwnPace) => Promise<T>,
): Promise<T> => {
  const own = new AbortController();
  const over = new AbortController();
  const follow = (): void => own.abort(caller.signal.reason);
  if (caller.signal.aborted) throw caller.signal.reason;
  caller.signal.addEventListener('abort', follow, { once: true });
  clock.wait(caller.deadline.remaining(), over.signal).then(
    () => own.abort(failures.timedOut()),
    () => {},
  );
  const running = work({
    context: withSignal(caller, own.signal),
    detach: () => caller.signal.removeEventListener('abort', follow),
  }).finally(() => {
    over.abort();
    caller.signal.removeEventListener('abort', follow);
  });
  return raceSignal(running, caller.signal);
};

/** Never fails: a session that is not stored costs one more sign-in, and this one has succeeded. */
export const adopt = async (deps: AccountDeps, verified: VerifiedSession, context: CallContext): Promise<void> => {
  try {
    await deps.campus.adopt(verified);
  } catch (cause) {
    const student = deps.callers.studentTag(verified.userid);
    context.log.warn({ student, err: cause }, 'session of an accepted pair not kept');
  }
};

/** Logs and counts the attempt once. */
export const withOutcome = async <T>(
  { observer, callers, turns }: AttemptDeps,
  name: AttemptName,
  userid: string,
  context: CallContext,
  attempt: () => Promise<{ result: T; outcome: string }>,
): Promise<T> => {
  await turns.next();
  const who = { student: callers.studentTag(userid), network: callers.networkTag(context.address) };
  try {
    const { result, outcome } = await attempt();
    observer?.attempt(name, outcome);
    context.log.info({ ...who, outcome }, name);
    return result;
  } catch (error) {
    const { kind, step, retryAfterSeconds, reason } = asFailure(error);
    observer?.attempt(name, kind);
    context.log.info({ ...who, outcome: kind, step, retryAfterSeconds, reason }, name);
    throw error;
  }
};
