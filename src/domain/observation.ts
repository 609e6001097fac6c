import type { Clock } from '../lib/time.ts';
import { type CampusFacts, systemOf } from './capabilities.ts';
import { campusSystems } from './errors.ts';

/**
 * How one request to an upstream ended:
 * `ok` a usable answer · `failed` connection error, status 5xx or an answer that is none · `timed-out` no answer in
 * time · `expired` an answer that shows a dead session · `refused` not sent, because the breaker is open, the
 * student paused or over the requests of a minute, or the waiting line full · `abandoned` the caller left first.
 */
export type UpstreamOutcome = 'ok' | 'failed' | 'timed-out' | 'expired' | 'refused' | 'abandoned';

export type AttemptName = 'login' | 'registration' | 'renewal' | 'challenge' | 'account deletion';

/** Counts events. No call names a student; every text is one of a small fixed set. */
export interface ServiceObserver {
  upstream(system: string, outcome: UpstreamOutcome): void;
  /** The wait for a free connection is included. */
  upstreamAnswered(system: string, seconds: number): void;
  /** Usable or not. */
  pageRead(system: string, page: string): void;
  pageUnreadable(system: string, page: string): void;
  /** Called for every page that was understood, even if no row was dropped. */
  rowsDropped(system: string, page: string, rows: number): void;
  /** Something on a page differs from the page we know. */
  pageOdd(system: string, page: string, kind: string, count: number): void;
  /** The same the first time with this name of a member or label. */
  pageOddName(system: string, page: string, kind: string, name: string): void;
  /** `signed-in`, or the kind of failure. */
  signIn(outcome: string): void;
  /** `outcome`: `accepted`, another success of the login guard, or a kind of failure. */
  attempt(name: AttemptName, outcome: string): void;
  /** A limit of the login guard (`limitNames`) refused a caller of that class. */
  guarded(limit: string, callers: string): void;
  /** The campus refused a pair, or met it with a captcha or attack marker. */
  wrongAsk(callers: string, outcome: string): void;
  /** A calendar feed was polled: `sent`, `unchanged`, or a kind of failure. */
  feedPolled(outcome: string): void;
  /** A hook was called: `delivered`, `failed`, `given-up` or `gone`; and was `ended` or `switched-off` for it. */
  hookCalled(outcome: string): void;
  /** The service has read something on its own; `outcome`: `read`, `fresh` where nothing had to be asked, or a kind of failure. */
  ownReading(read: string, outcome: string): void;
}

export interface QueueState {
  readonly active: number;
  readonly waiting: number;
}

/** The values that the metrics read. */
export interface ServiceWatch {
  /** Tells this observer from now on, and no other. */
  observe(observer: ServiceObserver): void;
  /** Students whose campus session is in the memory of this process. */
  sessionsHeld(): number;
  /** Keyed by system. */
  breakers(): ReadonlyMap<string, 'closed' | 'open' | 'probing'>;
  /** Number of students whose own calls wait because their last ones failed, keyed by system. */
  pausedStudents(): ReadonlyMap<string, number>;
  /** `login`, `database` where it has more than one connection, and one queue per upstream address, named after the systems there. */
  queues(): ReadonlyMap<string, QueueState>;
  /** When the database was last backed up, epoch ms; null: never. */
  lastBackup(): Promise<number | null>;
  /** Evaluation runs of this process. */
  evaluationRuns(): number;
  /** Event streams that are open here. */
  eventStreams(): number;
}

const ignore = (): void => {};

/** Counts nothing until `observe` names an observer. The states of the systems hear of every request in any case. */
export const createRelay = (systems: Pick<ServiceObserver, 'upstream'>) => {
  const relay: ServiceObserver = {
    upstream: (system, outcome) => systems.upstream(system, outcome),
    upstreamAnswered: ignore,
    pageRead: ignore,
    pageUnreadable: ignore,
    rowsDropped: ignore,
    pageOdd: ignore,
    pageOddName: ignore,
    signIn: ignore,
    attempt: ignore,
    guarded: ignore,
    wrongAsk: ignore,
    feedPolled: ignore,
    hookCalled: ignore,
    ownReading: ignore,
  };
  const observe = (observer: ServiceObserver): void => {
    const upstream = (system: string, outcome: UpstreamOutcome): void => {
      systems.upstream(system, outcome);
      observer.upstream(system, outcome);
    };
    Object.assign(relay, observer, { upstream });
  };
  return { relay, observe };
};

/** The names that logs, metrics and answers use. */
export const systemNames = ['portal', 'unified-login', ...campusSystems] as const;
export type SystemName = (typeof systemNames)[number];

/** A single failed answer may be the doing of one student's page. */
const FAILURES = 3;

/** `unknown`: it was not asked since this process began. */
export type SystemState = 'answers' | 'fails' | 'unknown' | 'not-offered';

export interface SystemReport {
  readonly name: SystemName;
  readonly state: SystemState;
  /** First failure since the last answer, epoch ms; null if it does not fail. */
  readonly failsSince: number | null;
  /** Last answer, epoch ms; null: there was none. */
  readonly answeredAt: number | null;
}

interface SystemObservation {
  answeredAt: number | null;
  failingSince: number | null;
  failures: number;
}

/** Remembers how the systems answered while this process asked them for students. It asks nothing itself. */
export class SystemStates {
  readonly #clock: Clock;
  readonly #seen = new Map<string, SystemObservation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One request has ended. A dead session is an answer too; a request that was never sent tells nothing. */
  upstream(system: string, outcome: UpstreamOutcome): void {
    if (outcome === 'refused' || outcome === 'abandoned') return;
    const seen = this.#seen.get(system) ?? { answeredAt: null, failingSince: null, failures: 0 };
    this.#seen.set(system, seen);
    if (outcome === 'ok' || outcome === 'expired') {
      Object.assign(seen, { answeredAt: this.#clock.now(), failingSince: null, failures: 0 });
    } else {
      seen.failingSince ??= this.#clock.now();
      seen.failures += 1;
    }
  }

  /** @param breakers those of the systems: one that is not closed says that its system fails */
  report(
    { capabilities, hasPortal, ownLogin }: Pick<CampusFacts, 'capabilities' | 'hasPortal' | 'ownLogin'>,
    breakers: ReadonlyMap<string, string>,
  ): SystemReport[] {
    const offered = new Set<SystemName>([...capabilities].map(systemOf));
    if (ownLogin === null) offered.add('unified-login');
    if (hasPortal) offered.add('portal');
    return systemNames.map((name) => {
      if (!offered.has(name)) return { name, state: 'not-offered', failsSince: null, answeredAt: null };
      const { answeredAt = null, failingSince = null, failures = 0 } = this.#seen.get(name) ?? {};
      const isOpen = (breakers.get(name) ?? 'closed') !== 'closed';
      if (isOpen || failures >= FAILURES) return { name, state: 'fails', failsSince: failingSince, answeredAt };
      return { name, state: answeredAt === null ? 'unknown' : 'answers', failsSince: null, answeredAt };
    });
  }
}
