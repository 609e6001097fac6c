import type {
  CampusAccess,
  PasswordPair,
  SavedSession,
  SessionVault,
  SignInQueue,
  SignInTurn,
  VerifiedSession,
} from '../../domain/accounts/ports.ts';
import type { SignInCredentials } from '../../domain/accounts/sign-in/unattended.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { failures, type SignInStep } from '../../domain/errors.ts';
import type { Leases } from '../../domain/lease.ts';
import type { SessionAccess, UpstreamSession } from '../contract/upstream-session.ts';
import type { Application, Upstream } from '../contract/upstreams.ts';
import { type BreakerState, CircuitBreaker } from '../transport/breaker.ts';
import { type CallParts, CampusCall, NO_STUDENT } from './bound-session.ts';
import { type CampusDeps, RequestBudgets } from './campus-requests.ts';
import { Renewals } from './renewals.ts';
import { SessionCache, StudentSession } from './session-cache.ts';
import { SessionCall } from './session-call.ts';
import { SignIns } from './sign-ins.ts';

interface CampusSessionsOptions {
  readonly campus: CampusDeps;
  readonly vault: SessionVault;
  readonly leases: Leases;
  readonly credentials: SignInCredentials;
  readonly signInMs: number;
}

/** The campus sessions of all students: opened and renewed by the cheapest path, and sealed in storage. */
export class CampusSessions implements SessionAccess, CampusAccess {
  readonly #parts: CallParts;
  readonly signIns: SignIns;

  constructor({ campus, vault, leases, credentials, signInMs }: CampusSessionsOptions) {
    const { addresses, clock, log } = campus;
    const cache = new SessionCache(campus, vault);
    const watch = (upstream: Upstream) =>
      new CircuitBreaker(clock, (breaker) =>
        log.warn({ system: addresses.systemOf(upstream), breaker }, 'breaker changed'),
      );
    const breakers = new Map(addresses.upstreamNames.map((upstream) => [upstream, watch(upstream)]));
    const budgets = new RequestBudgets(clock);
    this.signIns = new SignIns({ campus, breakers, signInMs });
    const renewals = new Renewals({
      signIns: this.signIns,
      cache,
      budgets,
      leases,
      credentials,
      clock,
      attended: addresses.attended,
      firstStep: addresses.firstStep,
    });
    this.#parts = { campus, cache, renewals, breakers, budgets };
  }

  async with<T>(
    student: Student,
    application: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
    options?: { readonly parallel?: number },
  ): Promise<T> {
    // Reads answer such a token from copies, and nothing else may use the campus with it.
    if (student.personal?.copiesOnly) throw failures.noCopy();
    const call = new CampusCall(this.#parts, student, application, context, options?.parallel);
    return new SessionCall(call).run(work);
  }

  turn(userid: string, pair: PasswordPair, context: CallContext, queue: SignInQueue): Promise<SignInTurn> {
    return this.signIns.turn(userid, pair, context, queue);
  }

  longestPassword(step: SignInStep): number | null {
    return this.#parts.campus.addresses.place(step)?.signIn.longestPassword() ?? null;
  }

  async adopt(verified: VerifiedSession): Promise<void> {
    const saved = await this.#parts.cache.nextGeneration(verified.userid, verified.pieces, true);
    if (saved !== null) this.adoptVerified(verified, saved);
  }

  adoptVerified(verified: VerifiedSession, saved: SavedSession): void {
    if (!(verified instanceof StudentSession)) throw new Error('not a session of this service');
    this.#parts.cache.adopt(verified.userid, verified.state, saved);
  }

  async answeredMs(userid: string, withinMs: number): Promise<number> {
    const { campus, cache } = this.#parts;
    const generation = await cache.generation(userid);
    if (generation === null) return Number.POSITIVE_INFINITY;
    const session = await cache.open(userid, generation);
    const { state } = session;
    const ago = (): number => {
      const { hasEnded, portalSession, portalLogin } = state;
      const isLive = !hasEnded && portalSession !== null && portalLogin.answeredAt > 0;
      return isLive ? campus.clock.now() - portalLogin.answeredAt : Number.POSITIVE_INFINITY;
    };
    if (ago() >= withinMs) return Number.POSITIVE_INFINITY;
    // Another replica may have found it dead.
    await cache.refresh(session);
    return ago();
  }

  async forget(userid: string): Promise<void> {
    await this.#parts.cache.nextGeneration(userid, [], false);
  }

  /** Keyed by system. If two applications belong to one system, an open breaker wins. */
  breakerStates(): ReadonlyMap<string, BreakerState> {
    const states = new Map<string, BreakerState>();
    for (const [upstream, { state }] of this.#parts.breakers) {
      const system = this.#systemOf(upstream);
      if (state !== 'closed' || !states.has(system)) states.set(system, state);
    }
    return states;
  }

  /** No breaker refuses this student; without a student: anybody. */
  breakersClosed(userid = NO_STUDENT): boolean {
    return [...this.#parts.breakers.values()].every((breaker) => breaker.isClosedFor(userid));
  }

  /** Counts by system the students whose calls are refused because their last ones failed. */
  pausedStudents(): ReadonlyMap<string, number> {
    const paused = new Map<string, number>();
    for (const [upstream, { pausedStudents }] of this.#parts.breakers) {
      const system = this.#systemOf(upstream);
      paused.set(system, (paused.get(system) ?? 0) + pausedStudents);
    }
    return paused;
  }

  #systemOf(upstream: Upstream): string {
    return this.#parts.campus.addresses.systemOf(upstream);
  }

  /** Students whose session is in memory. */
  get size(): number {
    return this.#parts.cache.size;
  }
}
