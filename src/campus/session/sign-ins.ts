import type { CampusSteps, PasswordPair, SignInQueue } from '../../domain/accounts/ports.ts';
import type { HalfSignIn } from '../../domain/challenge.ts';
import type { CallContext } from '../../domain/context.ts';
import { Failure } from '../../domain/errors.ts';
import type { LineState } from '../../domain/observation.ts';
import { QueueFull, Semaphore } from '../../lib/queues.ts';
import { type Breaker, BreakerScope } from '../breaker.ts';
import { QUEUE_RETRY_SECONDS } from '../http.ts';
import { unknownResume } from '../portal/portal.ts';
import { type Failed, failed, withPasswords } from '../sign-in-failures.ts';
import type { Upstream } from '../upstreams.ts';
import { type Campus, CampusRequests } from './campus-requests.ts';
import { type RequestBudget, unlimited } from './request-budgets.ts';
import { StudentSession } from './session-cache.ts';
import { LoginSteps, type SignedIn, SignIn, type SignInPlan, unpacked } from './sign-in.ts';
import { SignInQueues } from './sign-in-queues.ts';

type WaitingHalf = Pick<HalfSignIn, 'step' | 'resume'>;

interface SignInsOptions {
  readonly campus: Campus;
  readonly breakers: ReadonlyMap<Upstream, Breaker>;
  /** Deadline of one sign-in, for all who wait for it. */
  readonly signInMs: number;
}

/** Runs the sign-ins of this process, each in its turn and with a deadline. */
export class SignIns implements CampusSteps {
  readonly #options: SignInsOptions;
  readonly #queues = new SignInQueues();

  constructor(options: SignInsOptions) {
    this.#options = options;
  }

  /** Sign-ins under way, and those that wait for their turn. */
  get queue(): LineState {
    return this.#queues.state;
  }

  /** A sign-in has its own deadline, because others may wait for it. */
  async withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { campus, signInMs } = this.#options;
    const controller = new AbortController();
    const stop = campus.clock.timer(signInMs, () =>
      controller.abort(new Failure('timed-out', { step: 'unified-login', reason: 'sign-in deadline' })),
    );
    try {
      return await work(controller.signal);
    } finally {
      stop();
    }
  }

  /**
   * Signs in with a stored pair, in the owners' queue.
   * @throws Failure when the queue is full; what `plan.pairs` throws; the reason of the signal
   */
  run(plan: SignInPlan, budget: RequestBudget, signal: AbortSignal): Promise<SignedIn | Failed> {
    return this.#inQueue({ queue: 'owner' }, signal, () => this.#signIn(plan, budget, signal));
  }

  /**
   * Waits for a turn to verify a pair, on a new session that belongs to no student yet.
   * @throws Failure of its `signIn`, or when the queue is full; and what `turn` throws
   */
  verify<T>(
    userid: string,
    pair: PasswordPair,
    context: CallContext,
    queue: SignInQueue,
    turn: (signIn: () => Promise<StudentSession>) => Promise<T>,
  ): Promise<T> {
    const session = new StudentSession(userid, 0, this.#options.campus.addresses);
    const plan = this.#verification(session, pair, { portal: true });
    return this.withDeadline((deadline) => {
      const signal = AbortSignal.any([context.signal, deadline]);
      const signIn = async (): Promise<StudentSession> => {
        // The login guard bounds logins, and a stranger's must cost the owner nothing.
        const outcome = await this.#signIn(plan, unlimited, signal);
        if (outcome.kind === 'failed') throw outcome.failure;
        return session;
      };
      return this.#inQueue(queue, signal, () => turn(signIn));
    });
  }

  async send(userid: string, half: WaitingHalf, target: number | null, { signal }: CallContext): Promise<HalfSignIn> {
    const { session, resume } = this.#unpacked(userid, half);
    return this.#resumed(session, signal, async (requests) => {
      const steps = new LoginSteps(requests);
      const sent = await steps.send(half.step, resume, target);
      const { failure } = sent.kind === 'failed' ? sent : steps.needed(half.step, sent, true);
      if (failure.half === undefined) throw failure;
      return failure.half;
    });
  }

  /** Sends an answer, and continues with the rest of the sign-in as any other. */
  async answer(
    userid: string,
    pair: PasswordPair,
    half: WaitingHalf,
    text: string,
    { signal }: CallContext,
  ): Promise<StudentSession> {
    const { session, resume } = this.#unpacked(userid, half);
    return this.#resumed(session, signal, async (requests) => {
      const answered = await new LoginSteps(requests).answer({ step: half.step, resume }, text, userid, pair);
      if (answered.kind === 'failed') throw answered.failure;
      session.state.portalLogin.accepted(this.#options.campus.clock.now());
      session.state.isDear = true;
      const issued = answered.kind === 'ticket' ? answered : undefined;
      const outcome = await new SignIn(requests, this.#verification(session, pair, { issued })).run();
      if (outcome.kind === 'signed-in') return session;
      // The person's answer was accepted: only passwords after it were not sent.
      const isUnsent = outcome.failure.passwords === 'unsent';
      throw (isUnsent ? withPasswords(outcome, 'accepted') : outcome).failure;
    });
  }

  /** A submitted pair is tried at the application whose service ticket verifies it. */
  #verification(session: StudentSession, pair: PasswordPair, more: Pick<SignInPlan, 'issued'> & { portal?: boolean }) {
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

  #unpacked(userid: string, { step, resume }: WaitingHalf) {
    const { addresses } = this.#options.campus;
    const half = unpacked(addresses, resume);
    if (half === null) throw unknownResume(step).failure;
    return { session: new StudentSession(userid, 0, addresses, half.state), resume: half.resume };
  }

  /**
   * Continues a sign-in that waited for a person, in the owners' queue: its caller is alone for the student. A failure
   * before its turn says that nothing has left the service.
   */
  #resumed<T>(
    session: StudentSession,
    caller: AbortSignal,
    work: (requests: CampusRequests) => Promise<T>,
  ): Promise<T> {
    return this.withDeadline(async (deadline) => {
      const signal = AbortSignal.any([caller, deadline]);
      let begun = false;
      const turn = (): Promise<T> => {
        begun = true;
        return this.#withRequests(session, unlimited, signal, work);
      };
      try {
        return await this.#inQueue({ queue: 'owner' }, signal, turn);
      } catch (error) {
        if (begun || !(error instanceof Failure)) throw error;
        throw withPasswords(failed(error), 'unsent').failure;
      }
    });
  }

  async #inQueue<T>(who: SignInQueue, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queues.run(who, signal, work);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      const retryAfterSeconds = QUEUE_RETRY_SECONDS;
      throw new Failure('sign-in-unavailable', { step: 'portal', reason: 'line-full', retryAfterSeconds });
    }
  }

  #signIn(plan: SignInPlan, budget: RequestBudget, signal: AbortSignal): Promise<SignedIn | Failed> {
    return this.#withRequests(plan.session, budget, signal, (requests) => new SignIn(requests, plan).run());
  }

  /** The breakers are told of all requests at the end. */
  async #withRequests<T>(
    { userid, state }: StudentSession,
    budget: RequestBudget,
    signal: AbortSignal,
    work: (requests: CampusRequests) => Promise<T>,
  ): Promise<T> {
    const breakers = new BreakerScope(this.#options.breakers, userid);
    // Not the student's slots: a sign-in must not wait behind the reads that wait for it.
    const slots = new Semaphore(1, 8);
    try {
      return await work(new CampusRequests(this.#options.campus, state, { breakers, budget, slots, signal }));
    } finally {
      breakers.finish();
    }
  }
}
