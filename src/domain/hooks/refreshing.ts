import type { Clock } from '../../lib/clock.ts';
import type { KeyedNames, TagOf } from '../../lib/keyed-names.ts';
import { backgroundCall } from '../background-call.ts';
import { copiesOf } from '../calendar/sources.ts';
import type { CallContext, CallTrail, Log } from '../context.ts';
import { nothingSaid } from '../context.ts';
import { asFailure } from '../errors.ts';
import { type Leases, takeTurn } from '../lease.ts';
import type { ServiceObserver } from '../observation.ts';
import { noteReads } from '../reads/call-reads.ts';
import type { Reads } from '../reads/reads.ts';
import type { DueStudent, RefreshStore } from './ports.ts';
import {
  afterSignal,
  candidatesFor,
  firstDaily,
  isRefreshHour,
  type OwnCandidate,
  type OwnRead,
  type RefreshTimes,
  refreshLimits,
  refreshTurn,
} from './refresh.ts';

/** Students in one process: those who wait for their own calls come before. */
const MOST_AT_ONCE = 2;
/** Of one student: a sign-in and two slow pages. */
const VISIT_MS = 60_000;
const PER_READING_MS = 60_000 / refreshLimits.perMinute;
const IDLE_MS = 30_000;
const MOST_PLANNED = 100;

/** `more`: there may be more to do at once; `soon`: a student waits for a turn; `none`: none is to be read now. */
export type Looked = 'more' | 'soon' | 'none';

export interface RefreshingDeps {
  readonly store: RefreshStore;
  readonly ownReads: readonly OwnRead[];
  readonly reads: Pick<Reads, 'lastCopy'>;
  readonly leases: Leases;
  readonly names: KeyedNames;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly random: () => number;
  /** Whether all systems of the campus are open to this student; left out: to all. */
  readonly breakersClosed: (userid?: string) => boolean;
  /** Whether the login guard has nothing against it. */
  readonly isQuiet: (userid: string) => Promise<boolean>;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly observer: Pick<ServiceObserver, 'ownReading'>;
}

/** Reads at the campus for students whose hooks ask for it, in this process beside those of others. */
export const startRefreshing = (deps: RefreshingDeps) => {
  const { store, ownReads, reads, leases, names, clock, timeZone, random, log, tagOf, observer } = deps;
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let troubled = false;

  const timesOf = (userid: string): RefreshTimes => ({
    ...{ now: clock.now(), timeZone, random },
    share: Number.parseInt(names.one('refresh', userid).slice(0, 8), 16) / 2 ** 32,
  });

  const isHeld = async ({ userid, isRefused, isEvaluating }: DueStudent): Promise<boolean> =>
    isRefused || isEvaluating || !deps.breakersClosed(userid) || !(await deps.isQuiet(userid));

  const turnOf = async (due: DueStudent) => {
    const { userid, plan, types, readings, room } = due;
    const term = (await copiesOf(reads, userid).term())?.code ?? null;
    const candidates = (wanted: DueStudent['types']['daily']) =>
      candidatesFor(ownReads, wanted, { term, room }, readings, clock.now());
    return refreshTurn(plan, {
      ...timesOf(userid),
      isHeld: await isHeld(due),
      daily: candidates(types.daily),
      signal: candidates(types.signal).filter(({ first }) => first),
    });
  };

  const readOne = async (call: CallContext, { userid }: DueStudent, { name, read, param }: OwnCandidate) => {
    const { traceId, signal, deadline, address, log } = call;
    const trail: CallTrail = { askedCampus: false };
    const context: CallContext = {
      ...{ traceId, signal, deadline, log, address, trail, unattended: true },
      maySignIn: () => store.bookSignIn(userid, refreshLimits.signIns),
      reads: noteReads({ ...nothingSaid, staleIfError: 0 }, (work) => work()),
    };
    let outcome = 'read';
    let why: string | undefined;
    try {
      await read.read({ userid }, param, context);
      if (!trail.askedCampus) outcome = 'fresh';
    } catch (error) {
      const { kind, reason } = asFailure(error);
      outcome = kind;
      why = reason;
    }
    // Cut short by the end of this process.
    if (closing.signal.aborted) return;
    log.info({ student: tagOf(userid), read: name, outcome, reason: why }, 'own reading');
    observer.ownReading(name, outcome);
  };

  const visit = (due: DueStudent, wanted: readonly OwnCandidate[]): Promise<void> =>
    backgroundCall(log, VISIT_MS, closing.signal, async (call) => {
      for (const candidate of wanted) {
        if (call.signal.aborted || !isRefreshHour(clock.now(), timeZone) || !deps.breakersClosed(due.userid)) return;
        await readOne(call, due, candidate);
      }
    });

  const begin = (due: DueStudent, wanted: readonly OwnCandidate[]): void => {
    const done = visit(due, wanted)
      .catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        log.warn({ student: tagOf(due.userid), failure: kind, reason }, 'own readings ended');
      })
      .finally(() => running.delete(done));
    running.add(done);
  };

  /** Looks once whether a student is to be read now. */
  const look = async (): Promise<Looked> => {
    for (const userid of await store.unplanned(MOST_PLANNED))
      await store.planDaily(userid, firstDaily(timesOf(userid)));
    if (!isRefreshHour(clock.now(), timeZone) || !deps.breakersClosed()) return 'none';
    if (running.size >= MOST_AT_ONCE) return 'soon';
    const due = await store.due(clock.now());
    if (due === null) return 'none';
    const { reads: wanted, plan } = await turnOf(due);
    // One that reads nothing takes no turn.
    if (wanted.length > 0 && !(await takeTurn(leases, 'own-readings', wanted.length * PER_READING_MS))) return 'soon';
    // First it is written down: a process that is killed from here on has read less than it might, and never more.
    const isOurs = await store.book(due, plan);
    if (isOurs && wanted.length > 0 && !closing.signal.aborted) begin(due, wanted);
    return 'more';
  };

  const lookOn = async (): Promise<void> => {
    let found: Looked = 'none';
    try {
      do found = await look();
      while (found === 'more' && !closing.signal.aborted);
      troubled = false;
    } catch (error) {
      const { kind, reason } = asFailure(error);
      if (!troubled) log.warn({ failure: kind, reason }, 'due readings not looked up');
      troubled = true;
    }
    timer = setTimeout(() => (watching = lookOn()), found === 'none' ? IDLE_MS : PER_READING_MS);
    timer.unref();
  };
  let watching = Promise.resolve();
  let timer = setTimeout(() => (watching = lookOn()), IDLE_MS);
  timer.unref();

  /** Resolves once nothing is being read. */
  const quiet = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  return {
    /** A class of the student has raised its signal. */
    signalled: (userid: string): Promise<void> => store.planSignal(userid, afterSignal(timesOf(userid))),
    look,
    quiet,
    async close(): Promise<void> {
      closing.abort();
      await watching;
      clearTimeout(timer);
      await quiet();
    },
  };
};

export type Refreshing = ReturnType<typeof startRefreshing>;
