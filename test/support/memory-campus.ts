import type {
  CampusAccess,
  PasswordPair,
  SignInQueue,
  SignInTurn,
  VerifiedSession,
} from '../../src/domain/accounts/ports.ts';
import type { CallContext } from '../../src/domain/context.ts';
import { failures, type SignInStep } from '../../src/domain/errors.ts';

type CampusMood = 'normal' | 'guarded' | 'unavailable' | 'timed-out' | 'held' | 'closed';

/** A campus that knows the true passwords of its students and counts how often it is asked. */
export class MemoryCampus implements CampusAccess {
  readonly truth = new Map<string, PasswordPair>();
  readonly asked: Array<{ userid: string; pair: PasswordPair }> = [];
  readonly queues: string[] = [];
  longest = 117;
  readonly adoptions: VerifiedSession[] = [];
  readonly forgotten: string[] = [];
  readonly healthyUsers = new Set<string>();
  mood: CampusMood = 'normal';
  forgetFails = false;
  /** In mood `held`: questions wait until `release`. */
  readonly #held: Array<() => void> = [];
  #arrivals: Array<() => void> = [];

  /** Resolves at the next ask. */
  nextQuestion(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve));
  }

  release(): void {
    this.mood = 'normal';
    for (const go of this.#held.splice(0)) go();
  }

  longestPassword(step: SignInStep): number {
    return step === 'portal' ? this.longest : Number.POSITIVE_INFINITY;
  }

  async turn(userid: string, pair: PasswordPair, context: CallContext, { queue }: SignInQueue): Promise<SignInTurn> {
    this.queues.push(queue);
    return { signIn: () => this.#signIn(userid, pair, context), [Symbol.dispose]: () => {} };
  }

  async #signIn(userid: string, pair: PasswordPair, context: CallContext): Promise<VerifiedSession> {
    this.asked.push({ userid, pair });
    for (const arrived of this.#arrivals.splice(0)) arrived();
    if (this.mood === 'held') await new Promise<void>((resolve) => this.#held.push(resolve));
    context.signal.throwIfAborted();
    const step = 'portal';
    if (this.mood === 'guarded') throw failures.signInGuarded(step);
    if (this.mood === 'unavailable') throw failures.signInUnavailable(step);
    if (this.mood === 'closed') {
      throw failures.signInUnavailable('unified-login', undefined, { passwords: 'closed' });
    }
    if (this.mood === 'timed-out') throw failures.timedOut(undefined, { step });
    const truth = this.truth.get(userid);
    if (truth?.vpnPassword !== pair.vpnPassword) throw failures.credentialsRefused('portal');
    if (truth.password !== pair.password) throw failures.credentialsRefused('unified-login');
    return { userid, pieces: [] };
  }

  async adopt(verified: VerifiedSession): Promise<void> {
    this.adoptVerified(verified);
  }

  adoptVerified(verified: VerifiedSession): void {
    this.adoptions.push(verified);
    this.healthyUsers.add(verified.userid);
  }

  async answeredMs(userid: string): Promise<number> {
    return this.healthyUsers.has(userid) ? 0 : Number.POSITIVE_INFINITY;
  }

  async forget(userid: string): Promise<void> {
    if (this.forgetFails) throw failures.storageFailed();
    this.forgotten.push(userid);
    this.healthyUsers.delete(userid);
  }
}

const none = async (): Promise<never> => {
  throw new Error('no second steps here');
};

/** No challenge is open, and none is opened. */
export const noSecondSteps = {
  store: { of: async () => null, find: async () => null, open: none, change: none, remove: none },
  campus: { send: none, answer: none },
};
