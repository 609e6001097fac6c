import type {
  CampusAccess,
  LeaseStore,
  PasswordPair,
  ProvenSession,
  SessionVault,
  SignInCredentials,
} from '../../domain/accounts/ports.ts';
import type { CallContext, Log, Student } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { LineState, ServiceObserver } from '../../domain/observation.ts';
import type { Clock } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { raceSignal } from '../../lib/single-flight.ts';
import type { Addresses } from '../addresses.ts';
import { Breaker, BreakerScope, type BreakerState } from '../breaker.ts';
import type { CampusHttp } from '../http.ts';
import { type Application, applications, type Upstream, upstreamNames } from '../upstreams.ts';
import type { Entry, Epochs } from './entry.ts';
import { DeadSession, TRUST_MS } from './exchange.ts';
import { type DeadSign, nextRung } from './ladder.ts';
import { liveSession, type Progress } from './live-session.ts';
import { Renewal, type Wish } from './renewal.ts';
import { Shelf } from './shelf.ts';
import { StudentState } from './student-state.ts';
import { type AccessOptions, type SessionAccess, SessionRefused, type UpstreamSession } from './upstream-session.ts';
import { Wire } from './wire.ts';

/** More rounds than the ladder has rungs: the loop ends by its rules, this is the belt to the braces. */
const MAX_ROUNDS = 8;
const MAX_REPLAYS = 2;
/** Requests that may wait in a line of their own; the work behind them bounds itself. */
const WAITING_BORROWED = 512;

export interface CampusSessionsOptions {
  readonly http: CampusHttp;
  readonly addresses: Addresses;
  readonly vault: SessionVault;
  readonly leases: LeaseStore;
  readonly credentials: SignInCredentials;
  readonly clock: Clock;
  readonly log: Log;
  readonly attemptMs: number;
  readonly slowAttemptMs: number;
  readonly loginMs: number;
  readonly owner: string;
  readonly onBreaker?: (place: Upstream, state: BreakerState) => void;
  readonly observer?: ServiceObserver;
}

/** A proven pair's session before it belongs to its student. */
class OpenedSession implements ProvenSession {
  readonly userid: string;
  readonly state: StudentState;

  constructor(userid: string, state: StudentState) {
    this.userid = userid;
    this.state = state;
  }
}

/** The campus sessions of all students: one per student, opened and renewed by the cheapest path, sealed in storage. */
export class CampusSessions implements SessionAccess, CampusAccess {
  readonly #options: CampusSessionsOptions;
  readonly #wire: Wire;
  readonly #shelf: Shelf;
  readonly #renewal: Renewal;
  readonly #breakers: ReadonlyMap<Upstream, Breaker>;

  constructor(options: CampusSessionsOptions) {
    const { addresses, vault, leases, clock, log, owner, loginMs } = options;
    const now = () => clock.now();
    this.#options = options;
    this.#wire = new Wire(options);
    this.#shelf = new Shelf({ vault, addresses, now, log });
    this.#breakers = new Map(
      upstreamNames.map((place) => [place, new Breaker(clock, (state) => this.#breakerChanged(place, state))]),
    );
    this.#renewal = new Renewal({
      wire: this.#wire,
      shelf: this.#shelf,
      breakers: this.#breakers,
      leases,
      clock,
      loginMs,
      owner,
    });
  }

  async with<T>(
    student: Student,
    system: Application,
    context: CallContext,
    work: (session: UpstreamSession) => Promise<T>,
    { parallel }: AccessOptions = {},
  ): Promise<T> {
    const scope = new BreakerScope(this.#breakers);
    const ownSlots = parallel === undefined ? null : new Semaphore(parallel, WAITING_BORROWED);
    try {
      const progress: Progress = { scope, ownSlots, portal: false, service: false, replays: 0, requests: 0, writes: 0 };
      return await this.#operate(student.userid, system, context, progress, work);
    } finally {
      scope.finish();
    }
  }

  async #operate<T>(
    userid: string,
    system: Application,
    context: CallContext,
    progress: Progress,
    work: (session: UpstreamSession) => Promise<T>,
  ): Promise<T> {
    const surroundings = { wire: this.#wire, clock: this.#options.clock, context };
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (context.signal.aborted) throw context.signal.reason;
      const generation = await this.#shelf.generation(userid);
      if (generation === null) throw new Failure('token-user-gone');
      const entry = await this.#shelf.entry(userid, generation);
      entry.users += 1;
      try {
        entry.dropRested(system, this.#options.clock.now());
        if (!entry.isOpen(system)) {
          await this.#renew(entry, { system, rung: 'open', seen: entry.epochs(system) }, progress, context);
        }
        const seen = entry.epochs(system);
        try {
          const result = await work(liveSession(entry, system, progress, surroundings));
          if (await this.#stillCurrent(entry, system, progress)) {
            if (progress.requests > 0) await this.#shelf.save(entry);
            return result;
          }
        } catch (error) {
          if (error instanceof SessionRefused || error instanceof DeadSession) this.#neverTwice(system, progress);
          await this.#afterDeath(error, entry, system, seen, progress, context);
        }
      } finally {
        entry.users -= 1;
      }
    }
    throw new Failure('session-lost', { system: applications[system].system });
  }

  /** A round that has written is never repeated, whatever ended it. */
  #neverTwice(system: Application, { writes }: Progress): void {
    if (writes === 0) return;
    throw new Failure('outcome-unknown', {
      system: applications[system].system,
      reason: 'session ended after a write',
    });
  }

  /**
   * What an older generation delivers is dropped. If a new login has taken its place the read is repeated there;
   * after a logout or a deletion there is no session to repeat it on, and none is opened behind the student's back.
   */
  async #stillCurrent(entry: Entry, system: Application, progress: Progress): Promise<boolean> {
    const generation = await this.#shelf.generation(entry.userid);
    if (generation === entry.generation) return true;
    if (generation === null) throw new Failure('token-user-gone');
    this.#neverTwice(system, progress);
    progress.replays += 1;
    const current = await this.#shelf.entry(entry.userid, generation);
    if (progress.replays > MAX_REPLAYS || current.state.portalSession === null) throw new Failure('session-lost');
    return false;
  }

  /** Decides what a failed round means: thrown on, repeated as it is, or repeated after a renewal. */
  async #afterDeath(
    error: unknown,
    entry: Entry,
    system: Application,
    seen: Epochs,
    progress: Progress,
    context: CallContext,
  ): Promise<void> {
    if (!(error instanceof SessionRefused || error instanceof DeadSession)) throw error;
    const sign: DeadSign = error instanceof DeadSession ? error.sign : 'ticket-refused';
    const known = entry.state.services.get(system);
    if (
      known &&
      error instanceof DeadSession &&
      error.service !== null &&
      applications[system].entry.kind === 'learned-service'
    ) {
      known.service = error.service;
    }
    const now = entry.epochs(system);
    const renewedMeanwhile = now.portal > seen.portal || now.service > seen.service;
    if (renewedMeanwhile && progress.replays < MAX_REPLAYS) {
      // The request left before somebody else's renewal: the new state deserves a try before it is renewed again.
      progress.replays += 1;
      return;
    }
    const rung = nextRung(sign, {
      portalRenewed: progress.portal,
      serviceRenewed: progress.service,
      serviceMayLive: this.#serviceMayLive(entry, system),
      ticketRenewedLately: this.#ticketRenewedLately(entry, system),
    });
    if (rung === 'give-up') {
      if (error instanceof SessionRefused) {
        if (error.otherwise !== null) throw error.otherwise;
        const upstreamMessage = error.upstreamMessage.slice(0, 200);
        throw new Failure('upstream-refused', { system: applications[system].system, upstreamMessage });
      }
      throw new Failure('session-lost', { system: applications[system].system, reason: sign });
    }
    // After a logout nothing is renewed behind the student's back; after a new login its session takes over.
    if (!(await this.#stillCurrent(entry, system, progress))) return;
    await this.#renew(entry, { system, rung, seen }, progress, context);
  }

  #serviceMayLive(entry: Entry, system: Application): boolean {
    const usedAt = entry.state.services.get(system)?.usedAt ?? 0;
    return this.#options.clock.now() - usedAt < applications[system].mayOutlivePortalMs;
  }

  #ticketRenewedLately(entry: Entry, system: Application): boolean {
    const settledMs = applications[system].ticket?.settledMs ?? 0;
    const renewedAt = entry.state.services.get(system)?.renewedAt ?? 0;
    const age = this.#options.clock.now() - renewedAt;
    return age >= 0 && age < settledMs;
  }

  async #renew(entry: Entry, wish: Wish, progress: Progress, context: CallContext): Promise<void> {
    try {
      await raceSignal(this.#renewal.renew(entry, wish, this.#options.credentials), context.signal);
    } catch (error) {
      // The sign-on that failed at the application has told the breaker: one call counts once.
      if (isFailure(error, 'ticket-unavailable')) progress.scope.retract(wish.system);
      if (isFailure(error, 'timed-out') && error.step === undefined && error.system === undefined) {
        throw new Failure('timed-out', { step: 'unified-login', cause: error });
      }
      throw error;
    }
    const now = entry.epochs(wish.system);
    progress.portal ||= now.portal > wish.seen.portal;
    // A first visit without a session is no renewal: only a real sign-on counts.
    progress.service ||= now.service > wish.seen.service && !this.#isFirstVisit(entry, wish.system);
  }

  #isFirstVisit(entry: Entry, system: Application): boolean {
    return (
      applications[system].entry.kind === 'learned-service' &&
      (entry.state.services.get(system)?.service ?? null) === null
    );
  }

  async prove(
    userid: string,
    pair: PasswordPair,
    context: CallContext,
    confirm: () => Promise<void> = () => Promise.resolve(),
  ): Promise<ProvenSession> {
    const state = new StudentState(this.#options.addresses);
    await this.#renewal.prove(userid, pair, state, context.signal, confirm);
    return new OpenedSession(userid, state);
  }

  async adopt(proven: ProvenSession): Promise<void> {
    if (!(proven instanceof OpenedSession)) throw new Error('not a session of this service');
    await this.#shelf.replace(proven.userid, proven.state);
  }

  async healthy(userid: string): Promise<boolean> {
    const generation = await this.#shelf.generation(userid);
    if (generation === null) return false;
    const { state } = await this.#shelf.entry(userid, generation);
    return state.portalSession !== null && this.#options.clock.now() - state.portalProvenAt < TRUST_MS;
  }

  async forget(userid: string): Promise<void> {
    await this.#shelf.drop(userid);
  }

  /** Breaker states by upstream, for readiness reports and metrics. */
  breakerStates(): ReadonlyMap<Upstream, BreakerState> {
    return new Map([...this.#breakers].map(([place, breaker]) => [place, breaker.state]));
  }

  /** Logins under way, and those that wait for their turn. */
  get loginLine(): LineState {
    return this.#renewal.line;
  }

  /** Students whose session is in memory. */
  get held(): number {
    return this.#shelf.size;
  }

  #breakerChanged(place: Upstream, state: BreakerState): void {
    this.#options.log.warn({ upstream: place, breaker: state }, 'breaker changed');
    this.#options.onBreaker?.(place, state);
  }
}
