import type { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { Turns } from '../../lib/turns.ts';
import type { HalfSignIn } from '../challenge.ts';
import { type CallContext, withSignal } from '../context.ts';
import { asFailure, Failure } from '../errors.ts';
import { type Leases, withLease } from '../lease.ts';
import type { AttemptName, ServiceObserver } from '../observation.ts';
import type { Callers } from './callers.ts';
import type { CampusSteps, ChallengeDesk, ChallengeStore } from './challenges/ports.ts';
import { type AskOutcome, type GuardAnswer, limitNames, type Refusal } from './guard/events.ts';
import type { InviteStore, InviteTokens } from './invite-tokens.ts';
import type { GuardKeeper } from './keeper.ts';
import type { PacedLines } from './paced-lines.ts';
import type { AccountStore, CampusAccess, PasswordPair, ProvenSession, SignInLine, TokenStore } from './ports.ts';
import type { RefusalLimits } from './refusal-limits.ts';
import { signInLease } from './userid.ts';

interface AccountSettings {
  /** How long a token lives after its last use. */
  readonly tokenTtlMs: number;
  /** How long it lives at most, however much it is used. */
  readonly tokenMaxMs: number;
  /** `LIMIT_REFUSALS_PER_ADDRESS`. */
  readonly refusalsPerAddress: number;
}

export interface AccountDeps {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly invites: InviteStore;
  readonly inviteTokens: InviteTokens;
  /** The same keeper that the stored credentials use. */
  readonly guard: GuardKeeper;
  readonly callers: Callers;
  readonly leases: Leases;
  readonly campus: CampusAccess;
  readonly clock: Clock;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  readonly settings: AccountSettings;
  /** Left out: no second step is offered. */
  readonly secondSteps?: {
    readonly store: ChallengeStore;
    readonly campus: CampusSteps;
  };
  /** Counts how attempts end. */
  readonly observer?: Pick<ServiceObserver, 'attempt' | 'guarded' | 'wrongAsk'>;
}

/** What the operations share besides the ports; all of it in the memory of this process. */
export interface AttemptDeps extends AccountDeps {
  readonly limits: RefusalLimits;
  /** Where the codes of exhausted addresses wait. */
  readonly codeLines: PacedLines;
  /** Unsealing, comparing and writing down take a good part of a millisecond: one attempt per turn of the event loop. */
  readonly turns: Turns;
  /** Addresses where a registration was accepted, and when. */
  readonly registeredFrom: LRUCache<string, number>;
  /** Where sign-ins wait for a person. */
  readonly desk: ChallengeDesk | null;
}

/** The lease of a process that died while it asked the campus lasts this long. */
export const LEASE_MS = 10_000;

export const refusalOf = (refusal: Refusal): Failure => {
  const reason = limitNames[refusal.rule];
  switch (refusal.why) {
    case 'login-wait':
      return new Failure('login-cool-down', { retryAfterSeconds: refusal.retryAfterSeconds, reason });
    case 'registration-wait':
      return new Failure('registration-cool-down', { retryAfterSeconds: refusal.retryAfterSeconds, reason });
    case 'gateway-wait':
      return new Failure('rate-limited', { retryAfterSeconds: refusal.retryAfterSeconds, reason });
    case 'paused':
      return new Failure('sign-in-guarded', { retryAfterSeconds: refusal.retryAfterSeconds, reason });
    case 'set-aside':
      return new Failure('stored-credentials-refused', { step: refusal.step, reason });
    case 'credentials':
      return new Failure('credentials-refused', { step: refusal.step, reason });
    case 'person':
      return new Failure('person-needed', { step: refusal.step, wanted: refusal.wanted, reason });
    case 'no-pair':
      return new Failure('token-user-gone');
    case 'proof':
      return new Failure('account-proof-refused', { reason });
  }
};

/** @throws Failure when the guard refuses */
export const passed = (answer: GuardAnswer): Exclude<GuardAnswer, Refusal> => {
  if (answer.type === 'refuse') throw refusalOf(answer);
  return answer;
};

export const outcomeOf = (failure: Failure): AskOutcome => {
  // The campus has seen an attack, whether or not a password was on its way.
  if (failure.kind === 'sign-in-guarded') return { type: 'marker' };
  const { passwords, wanted, half, step = 'portal' } = failure;
  // The guard stopped it first; that a person may go on with an image is another matter.
  if (half?.guarded) return { type: 'marker' };
  if (failure.kind === 'person-needed' && wanted !== undefined && passwords !== 'unsent') {
    return half === undefined ? { type: 'person', wanted, step } : { type: 'person', wanted, step, offered: true };
  }
  if (passwords !== undefined) return { type: passwords === 'accepted' ? 'passed' : passwords };
  return failure.kind === 'credentials-refused'
    ? { type: 'refused', step: failure.step ?? 'portal' }
    : { type: 'unknown' };
};

/** A sign-in at its own pace: the signal follows the caller until the campus is asked, and then only the deadline. */
export interface OwnPace {
  readonly context: CallContext;
  /** From now on the caller may leave without ending what was begun: hanging up must not hide what the campus said. */
  detach(): void;
}

/** Runs work at its own pace; a caller who leaves is answered at once, and the work goes on if it has begun. */
export const atOwnPace = async <T>(
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
    () => own.abort(new Failure('timed-out')),
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

interface CampusAsk<T> {
  readonly userid: string;
  readonly pair: PasswordPair;
  readonly line: SignInLine;
  /** For the metrics. */
  readonly callers: string;
  /** Under the lease, when the turn has come: looks at everything again and books the ask, or throws. */
  begin(): Promise<void>;
  /** Under the lease: what the campus said is stored before the caller is told. */
  end(outcome: AskOutcome): Promise<GuardAnswer>;
  /** Under the lease, with an accepted pair. */
  accepted(proven: ProvenSession): Promise<T>;
  /** The caller can take a second step. */
  readonly person?: boolean;
  /** Under the lease: it goes on when the person has answered. What the caller is told. */
  waits?(half: HalfSignIn): Promise<Failure>;
}

/** What the caller is told of a failure that has been written down. */
const toldOf = (failure: Failure, answer: GuardAnswer): Failure => {
  // The campus calls all passwords wrong.
  if (answer.type === 'refuse') return refusalOf(answer);
  if (failure.kind !== 'sign-in-guarded' || answer.type !== 'noted' || answer.pausedSeconds === 0) return failure;
  return new Failure('sign-in-guarded', {
    step: failure.step ?? 'portal',
    retryAfterSeconds: answer.pausedSeconds,
    cause: failure,
  });
};

/** Puts a pair to the campus once: booked, asked and written down alone for the student, over all replicas. */
export const askCampus = <T>(deps: AccountDeps, ask: CampusAsk<T>, pace: OwnPace): Promise<T> => {
  const { userid, pair, line, person } = ask;
  const { context } = pace;
  const refused = async (failure: Failure): Promise<Failure> => {
    const outcome = outcomeOf(failure);
    if (outcome.type === 'refused' || outcome.type === 'marker') deps.observer?.wrongAsk(ask.callers, outcome.type);
    const told = toldOf(failure, await ask.end(outcome));
    return failure.half && ask.waits ? ask.waits(failure.half) : told;
  };
  const turn = async (signIn: () => Promise<ProvenSession>): Promise<T> => {
    await ask.begin();
    pace.detach();
    const proven = await signIn().catch(async (error: unknown) => {
      throw await refused(asFailure(error));
    });
    await ask.end({ type: 'accepted' });
    return ask.accepted(proven);
  };
  const alone = (work: () => Promise<T>): Promise<T> =>
    withLease(deps.leases, { name: signInLease(userid), lifeMs: LEASE_MS, signal: context.signal }, work);
  const inLine = (work: typeof turn): Promise<T> =>
    deps.campus.prove(userid, pair, context, { line, ...(person && { person }) }, work);
  // A stranger who waits for a place must not hold the student's lease: its owner would wait as well.
  return line.line === 'owner' ? alone(() => inLine(turn)) : inLine((signIn) => alone(() => turn(signIn)));
};

/** A session that cannot be kept costs one more sign-in later; a failure would hide that this one has succeeded. */
export const adopt = async (deps: AccountDeps, proven: ProvenSession, context: CallContext): Promise<void> => {
  try {
    await deps.campus.adopt(proven);
  } catch (cause) {
    const student = deps.callers.studentTag(proven.userid);
    context.log.warn({ student, err: cause }, 'session of an accepted pair not kept');
  }
};

/** One log line and one count per attempt: who and from where (keyed names), what, and how it ended. */
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
