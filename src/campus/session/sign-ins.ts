import type { CampusSteps, PasswordPair, SignInQueue } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import type { CallContext } from '../../domain/context.ts';
import { failures, halfSignInOf, isFailure, passwordFateOf, type SignInStep } from '../../domain/errors.ts';
import type { QueueState } from '../../domain/observation.ts';
import { QueueFull, Semaphore } from '../../lib/queues.ts';
import { abortAfter } from '../../lib/time.ts';
import { unknownResume } from '../contract/sign-in.ts';
import { type Failed, fail, withPasswords } from '../contract/sign-in-failures.ts';
import type { Upstream } from '../contract/upstreams.ts';
import { BreakerScope, type CircuitBreaker } from '../transport/breaker.ts';
import { QUEUE_RETRY_SECONDS } from '../transport/http.ts';
import { type CampusDeps, CampusRequests, type RequestBudget, unlimitedBudget } from './campus-requests.ts';
import type { CompletedSignIn, SignInPlan } from './campus-sign-in.ts';
import { answerStep, CampusSignIn, personNeededFailure, sendStep, unpackHalf } from './campus-sign-in.ts';
import { StudentSession } from './session-cache.ts';

interface SignInsOptions {
  readonly campus: CampusDeps;
  readonly breakers: ReadonlyMap<Upstream, CircuitBreaker>;
  /** Deadline of one sign-in. */
  readonly signInMs: number;
}

/** `at`: the half that is asked for, and named where time runs out. */
export interface SignInDeadline extends Disposable {
  readonly signal: AbortSignal;
  readonly at: { step: SignInStep };
}

/** Runs the sign-ins of this process, each in its turn and within a deadline. */
export class SignIns implements CampusSteps {
  readonly #options: SignInsOptions;
  readonly #queues = new SignInQueues();

  constructor(options: SignInsOptions) {
    this.#options = options;
  }

  get queue(): QueueState {
    return this.#queues.state;
  }

  /** A sign-in has its own deadline, because several calls may wait for it. `caller`: the signal of the only one. */
  deadline(caller?: AbortSignal): SignInDeadline {
    const { campus, signInMs } = this.#options;
    const at = { step: campus.addresses.firstStep };
    const late = abortAfter(campus.clock, signInMs, () => failures.timedOut('sign-in deadline', { step: at.step }));
    return { ...late, at, signal: caller ? AbortSignal.any([caller, late.signal]) : late.signal };
  }

  /** Signs in with the stored pair, unattended. @throws Failure when the owners' queue is full; what `plan.pairs` throws; the reason of the signal */
  async run(plan: SignInPlan, budget: RequestBudget, deadline: SignInDeadline): Promise<CompletedSignIn | Failed> {
    using _place = await this.#enter({ queue: 'owner' }, deadline.signal);
    using begun = this.#begin(plan.session, budget, deadline, true);
    return await new CampusSignIn(begun.requests, plan).run();
  }

  /** The session belongs to no student yet. @throws Failure when the queue is full */
  async turn(userid: string, pair: PasswordPair, context: CallContext, queue: SignInQueue) {
    const session = new StudentSession(userid, 0, this.#options.campus.addresses);
    const plan = this.#verification(session, pair, { portal: true });
    using taken = new DisposableStack();
    const deadline = taken.use(this.deadline(context.signal));
    taken.use(await this.#enter(queue, deadline.signal));
    const held = taken.move();
    const signIn = async (): Promise<StudentSession> => {
      // The login guard bounds logins, and a stranger's must not spend the owner's budget.
      using begun = this.#begin(session, unlimitedBudget, deadline);
      const outcome = await new CampusSignIn(begun.requests, plan).run();
      if (outcome.kind === 'failed') throw outcome.failure;
      return session;
    };
    return { signIn, [Symbol.dispose]: () => held.dispose() };
  }

  send(userid: string, half: HalfSignIn, target: number | null, { signal }: CallContext): Promise<HalfSignIn> {
    return this.#resume(userid, half, signal, async (requests, _, resume) => {
      const sent = await sendStep(requests, half.step, resume, userid, target);
      const { failure } = sent.kind === 'failed' ? sent : personNeededFailure(requests, half.step, sent, true);
      const shown = halfSignInOf(failure);
      if (shown === undefined) throw failure;
      return shown;
    });
  }

  /** Sends a person's answer, and continues with the rest of the sign-in. */
  answer(
    userid: string,
    pair: PasswordPair,
    half: HalfSignIn,
    text: string,
    { signal }: CallContext,
  ): Promise<StudentSession> {
    return this.#resume(userid, half, signal, async (requests, session, resume) => {
      const answered = await answerStep(requests, half.step, resume, text, userid, pair);
      if (answered.kind === 'failed') throw answered.failure;
      const signed = half.step === 'portal' ? undefined : answered;
      const outcome = await new CampusSignIn(requests, this.#verification(session, pair, { signed })).run();
      if (outcome.kind === 'signed-in') return session;
      // The answer was accepted, so only the passwords after it were not sent.
      const isUnsent = passwordFateOf(outcome.failure) === 'unsent';
      throw (isUnsent ? withPasswords(outcome, 'accepted') : outcome).failure;
    });
  }

  /** Plans to try a submitted pair at the application that verifies it. */
  #verification(session: StudentSession, pair: PasswordPair, more: Pick<SignInPlan, 'signed'> & { portal?: boolean }) {
    return {
      session,
      portal: false,
      application: this.#options.campus.addresses.verifyingApplication,
      pairs: { pair: () => Promise.resolve(pair) },
      renews: false,
      verifies: true,
      ...more,
    };
  }

  /** Waits in the owners' queue. If it fails before its turn, no password has been sent. */
  async #resume<T>(
    userid: string,
    waiting: HalfSignIn,
    caller: AbortSignal,
    work: (requests: CampusRequests, session: StudentSession, resume: object) => Promise<T>,
  ): Promise<T> {
    const { addresses } = this.#options.campus;
    const half = unpackHalf(addresses, waiting.resume);
    if (half === null) throw unknownResume(waiting.step).failure;
    const session = new StudentSession(userid, 0, addresses, half.state);
    using deadline = this.deadline(caller);
    using _place = await this.#enter({ queue: 'owner' }, deadline.signal).catch((error: unknown) => {
      throw isFailure(error) ? withPasswords(fail(error), 'unsent').failure : error;
    });
    using begun = this.#begin(session, unlimitedBudget, deadline);
    return await work(begun.requests, session, half.resume);
  }

  async #enter(who: SignInQueue, signal: AbortSignal): Promise<Disposable> {
    try {
      return await this.#queues.enter(who, signal);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      const retryAfterSeconds = QUEUE_RETRY_SECONDS;
      throw failures.signInUnavailable(this.#options.campus.addresses.firstStep, 'line-full', { retryAfterSeconds });
    }
  }

  /** Reports all requests to the breakers when it is disposed of. */
  #begin({ userid, state }: StudentSession, budget: RequestBudget, { signal, at }: SignInDeadline, isRenewal = false) {
    const breakers = new BreakerScope(this.#options.breakers, userid);
    // A sign-in must not wait for the student's slots, behind the reads that wait for it.
    const slots = new Semaphore(1, 8);
    const requests = new CampusRequests(this.#options.campus, state, {
      breakers,
      budget,
      slots,
      signal,
      at,
      isRenewal,
    });
    return { requests, [Symbol.dispose]: () => breakers.finish() };
  }
}

/** The campus sees one address for all students. */
const PLACES = 6;
const UNVERIFIED_PLACES = 2;
/** Registrations may take more places while so many stay free for owners. */
const FREE_FOR_OWNERS = 2;
const OWNERS_WAITING = 200;
const UNVERIFIED_WAITING = 20;
/** Most that may wait from one network. */
const WAITING_PER_NETWORK = { stranger: 3, registration: 12 } as const;

interface SignInWaiter {
  readonly who: SignInQueue;
  readonly admit: () => void;
}

/**
 * Two queues: owners, and unverified pairs. Owners use all free places; of those freed while both wait, unverified
 * pairs get two at most, so neither queue stops the other.
 */
export class SignInQueues {
  readonly #active = { owner: 0, stranger: 0, registration: 0 };
  readonly #owners: SignInWaiter[] = [];
  readonly #unverified: SignInWaiter[] = [];

  get state(): QueueState {
    return { active: this.#all, waiting: this.#owners.length + this.#unverified.length };
  }

  /** @throws QueueFull at once when the queue is full; the signal's reason when it is aborted while waiting */
  async enter(who: SignInQueue, signal: AbortSignal): Promise<Disposable> {
    await this.#enter(who, signal);
    const leave = (): void => {
      this.#active[who.queue] -= 1;
      this.#admitNext();
    };
    return { [Symbol.dispose]: leave };
  }

  get #all(): number {
    return this.#active.owner + this.#unverifiedActive;
  }

  get #unverifiedActive(): number {
    return this.#active.stranger + this.#active.registration;
  }

  #hasPlace({ queue }: SignInQueue): boolean {
    const free = PLACES - this.#all;
    if (queue === 'owner') return free > 0;
    if (free > 0 && this.#unverifiedActive < UNVERIFIED_PLACES) return true;
    return queue === 'registration' && free > FREE_FOR_OWNERS;
  }

  #isFull(who: SignInQueue): boolean {
    const { queue, network } = who;
    if (queue === 'owner') return this.#owners.length >= OWNERS_WAITING;
    if (this.#unverified.length >= UNVERIFIED_WAITING) return true;
    const isNeighbour = (other: SignInQueue) => other.queue === queue && other.network === network;
    const neighbours = this.#unverified.filter((waiter) => isNeighbour(waiter.who));
    return network !== undefined && neighbours.length >= WAITING_PER_NETWORK[queue];
  }

  #enter(who: SignInQueue, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    // No sign-in that could go is waiting, so this one overtakes none.
    if (this.#hasPlace(who)) {
      this.#active[who.queue] += 1;
      return Promise.resolve();
    }
    if (this.#isFull(who)) return Promise.reject(new QueueFull());
    const queue = who.queue === 'owner' ? this.#owners : this.#unverified;
    return new Promise((resolve, reject) => {
      const waiter: SignInWaiter = {
        who,
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          this.#active[who.queue] += 1;
          resolve();
        },
      };
      const onAbort = () => {
        queue.splice(queue.indexOf(waiter), 1);
        reject(signal.reason);
      };
      queue.push(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #admitNext(): void {
    const waitingUnverified = () => this.#unverified.findIndex(({ who }) => this.#hasPlace(who));
    const isTheirTurn = this.#unverifiedActive < UNVERIFIED_PLACES && waitingUnverified() >= 0;
    const next = isTheirTurn || this.#owners.length === 0 ? this.#take(waitingUnverified()) : this.#owners.shift();
    next?.admit();
  }

  #take(index: number): SignInWaiter | undefined {
    return index < 0 ? undefined : this.#unverified.splice(index, 1)[0];
  }
}
