import type { LeaseStore, PasswordPair, SignInCredentials } from '../../domain/accounts/ports.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { LineState } from '../../domain/observation.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { KeyLock } from '../../lib/key-lock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { type Breaker, BreakerScope } from '../breaker.ts';
import type { AskPortal } from '../portal/portal.ts';
import { signInFailure } from '../sign-in-failures.ts';
import { PortalSessionDead } from '../unified-login/service-ticket.ts';
import type { Application, Upstream } from '../upstreams.ts';
import type { Entry, Epochs } from './entry.ts';
import type { Rung } from './ladder.ts';
import { openService } from './open-service.ts';
import type { Shelf } from './shelf.ts';
import type { StudentState } from './student-state.ts';
import type { Traveller, Wire } from './wire.ts';

/** The campus sees one address for everybody: few logins at once, a bounded line behind them. */
const LOGINS_AT_ONCE = 6;
const LOGINS_WAITING = 200;
/** Short, and prolonged while the login runs: the student of a process that died waits no longer than this. */
const LEASE_MS = 10_000;
const LEASE_PROLONG_MS = 3_000;
const LEASE_POLL_MS = 150;

export interface RenewalOptions {
  readonly wire: Wire;
  readonly shelf: Shelf;
  readonly breakers: ReadonlyMap<Upstream, Breaker>;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  /** Deadline of one shared login, whoever waits for it. */
  readonly loginMs: number;
  /** Names this process in leases. */
  readonly owner: string;
}

/** What a caller wants renewed, with the epochs it saw when its session turned out to be dead. */
export interface Wish {
  readonly system: Application;
  readonly rung: Exclude<Rung, 'give-up'> | 'open';
  readonly seen: Epochs;
}

/** Opens and renews sessions: one login at a time per student, shared by all who wait for it. */
export class Renewal {
  readonly #options: RenewalOptions;
  readonly #flights = new SingleFlight<void>();
  readonly #students = new KeyLock();
  #flightNumber = 0;
  readonly #bulkhead = new Semaphore(LOGINS_AT_ONCE, LOGINS_WAITING);

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  get line(): LineState {
    const { active, waiting } = this.#bulkhead;
    return { active, waiting };
  }

  /** Callers with the same wish share one login and its outcome. */
  renew(entry: Entry, wish: Wish, credentials: SignInCredentials): Promise<void> {
    const { system, rung, seen } = wish;
    const key = [entry.userid, entry.generation, system, rung, seen.portal, seen.service].join('|');
    return this.#flights.run(key, () =>
      this.#withDeadline((signal) =>
        this.#alone(
          entry.userid,
          signal,
          () => this.#options.shelf.refresh(entry).then(() => this.#nothingLeft(entry, wish)),
          async () => {
            await this.#signIn(entry, wish, credentials, signal);
            await this.#options.shelf.save(entry);
          },
        ),
      ),
    );
  }

  /** Proves a pair on a fresh state that belongs to nobody yet. */
  prove(
    userid: string,
    pair: PasswordPair,
    state: StudentState,
    caller: AbortSignal,
    confirm: () => Promise<void>,
  ): Promise<void> {
    return this.#withDeadline((deadline) => {
      const signal = AbortSignal.any([caller, deadline]);
      const plan = { portal: true, system: 'jwc', pair: () => Promise.resolve(pair), onlyProve: true } as const;
      return this.#alone(
        userid,
        signal,
        () => Promise.resolve(false),
        async () => {
          await confirm();
          await this.#login(signal, state, userid, plan);
        },
      );
    });
  }

  /** The shared login ends by its own deadline, and then says so instead of leaving its waiters to theirs. */
  async #withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(
      () => controller.abort(new Failure('timed-out', { step: 'unified-login', reason: 'login deadline' })),
      this.#options.loginMs,
    );
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a login alone for its student, in this process and over all replicas; `done` may make it needless. */
  async #alone(
    userid: string,
    signal: AbortSignal,
    done: () => Promise<boolean>,
    work: () => Promise<void>,
  ): Promise<void> {
    const { leases, clock } = this.#options;
    await this.#students.run(userid, signal, async () => {
      const lease = `campus-login:${userid}`;
      this.#flightNumber += 1;
      const owner = `${this.#options.owner}:${this.#flightNumber}`;
      while (!(await leases.acquire(lease, owner, clock.now(), LEASE_MS))) {
        // Another replica is logging this student in; its result arrives through storage.
        await systemClock.wait(LEASE_POLL_MS, signal);
        if (await done()) return;
      }
      const prolong = setInterval(() => {
        // A lease that cannot be prolonged just now is tried again; one that ended costs at most a second login.
        leases.acquire(lease, owner, clock.now(), LEASE_MS).catch(() => {});
      }, LEASE_PROLONG_MS);
      try {
        if (!(await done())) await work();
      } finally {
        clearInterval(prolong);
        await leases.release(lease, owner);
      }
    });
  }

  /** Whether somebody else has meanwhile done what this wish asks for. */
  #nothingLeft(entry: Entry, wish: Wish): boolean {
    const now = entry.epochs(wish.system);
    if (wish.rung === 'open') return entry.isOpen(wish.system);
    if (!entry.isOpen(wish.system)) return false;
    const portalDone = wish.rung === 'renew-service' || now.portal > wish.seen.portal;
    const serviceDone = wish.rung === 'renew-portal' || now.service > wish.seen.service;
    return portalDone && serviceDone;
  }

  async #signIn(entry: Entry, wish: Wish, credentials: SignInCredentials, signal: AbortSignal): Promise<void> {
    const { state, userid } = entry;
    const now = entry.epochs(wish.system);
    const wantsPortal = wish.rung === 'renew-portal' || wish.rung === 'renew-portal-and-service';
    const wantsService = wish.rung === 'renew-service' || wish.rung === 'renew-portal-and-service';
    let stored: { pair: PasswordPair; version: number } | null = null;
    const pair = async () => {
      stored ??= await credentials.forSignIn(userid);
      return stored.pair;
    };
    try {
      const sent = await this.#login(signal, state, userid, {
        portal: state.portalSession === null || (wantsPortal && now.portal === wish.seen.portal),
        system:
          !state.services.has(wish.system) || (wantsService && now.service === wish.seen.service) ? wish.system : null,
        pair,
        onlyProve: false,
        onPortal: () => entry.portalRenewed(),
        onService: () => {
          const renewed = state.services.get(wish.system);
          if (renewed && wish.rung !== 'open') renewed.renewedAt = this.#options.clock.now();
          entry.serviceRenewed(wish.system);
        },
      });
      if (sent) await credentials.accepted(userid);
    } catch (error) {
      throw await this.#remember(error, userid, stored, credentials);
    }
  }

  /** A refusal sets the stored pair aside, a captcha or attack marker starts a pause; both before anybody is told. */
  async #remember(
    error: unknown,
    userid: string,
    stored: { version: number } | null,
    credentials: SignInCredentials,
  ): Promise<unknown> {
    if (isFailure(error, 'credentials-refused') && error.step && stored) {
      await credentials.refused(userid, stored.version, error.step);
      return new Failure('stored-credentials-refused', { step: error.step });
    }
    if (isFailure(error, 'sign-in-guarded') && error.retryAfterSeconds === undefined) {
      const retryAfterSeconds = await credentials.guarded(userid);
      return new Failure('sign-in-guarded', {
        step: error.step ?? 'portal',
        retryAfterSeconds,
        reason: error.reason ?? '',
      });
    }
    return error;
  }

  /** One pass over portal and service; the portal is logged in at most once. Says whether a password was sent. */
  async #login(
    signal: AbortSignal,
    state: StudentState,
    userid: string,
    plan: {
      portal: boolean;
      system: Application | null;
      pair: () => Promise<PasswordPair>;
      onlyProve: boolean;
      onPortal?: () => void;
      onService?: () => void;
    },
  ): Promise<boolean> {
    const { wire, breakers, clock } = this.#options;
    const scope = new BreakerScope(breakers);
    // A login in flight has its own line: it must not wait behind the reads that wait for it.
    const slots = new Semaphore(1, 8);
    const traveller = (): Traveller => ({ jars: state.jars, portalSession: state.portalSession, scope, signal, slots });
    const openPortal = async () => {
      const { vpnPassword } = await plan.pair();
      const { portal, bases } = wire.addresses;
      state.jars.clear(bases.vpn.origin);
      const ask: AskPortal = ({ method, path, form, session }) =>
        wire.send(
          'vpn',
          { ...traveller(), portalSession: session },
          { method, url: wire.addresses.url('vpn', path), form },
        );
      try {
        state.portalSession = await portal.logIn(ask, signal, userid, vpnPassword);
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw error;
        throw signInFailure('portal', error);
      }
      state.portalProvenAt = clock.now();
      plan.onPortal?.();
    };
    let asked = false;
    const credentials = async () => {
      // A second password to the same system within one login is never right, whatever the first one came to.
      if (asked) throw new Failure('sign-in-unavailable', { step: 'unified-login', reason: 'password already sent' });
      asked = true;
      return { userid, password: (await plan.pair()).password };
    };
    const open = async (): Promise<boolean> => {
      let portalLoggedIn = false;
      if (plan.portal) {
        await openPortal();
        portalLoggedIn = true;
      }
      while (plan.system !== null) {
        try {
          const { onlyProve } = plan;
          const now = () => clock.now();
          await openService({ wire, state, traveller, now, userid, credentials, onlyProve }, plan.system);
          plan.onService?.();
          break;
        } catch (error) {
          if (!(error instanceof PortalSessionDead)) throw error;
          if (portalLoggedIn) {
            throw new Failure('sign-in-unavailable', { step: 'unified-login', reason: 'portal session dead at once' });
          }
          await openPortal();
          portalLoggedIn = true;
        }
      }
      return asked || portalLoggedIn;
    };
    try {
      return await this.#bulkhead.run(signal, open);
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error;
      throw signInFailure('portal', error);
    } finally {
      scope.finish();
    }
  }
}
