import type { TagOf } from '../../lib/hash.ts';
import { Loop } from '../../lib/loop.ts';
import { type Clock, campusDate, DAY_MS, dayNumber, HOUR_MS, offsetAt, systemClock } from '../../lib/time.ts';
import type { Academics } from '../academics/service.ts';
import { allReads } from '../all-reads.ts';
import { beginBackgroundCall } from '../background-call.ts';
import { type CampusFacts, type Capability, lackOf } from '../capabilities.ts';
import { type CallContext, type CallTrail, derivedCall, type Log, noDirectives, type Student } from '../context.ts';
import { asFailure } from '../errors.ts';
import { type Leases, takeTurn } from '../lease.ts';
import type { ServiceObserver } from '../observation.ts';
import type { TellingRow } from '../read-row.ts';
import { NotedReads } from '../reads/call-reads.ts';

/** Campus time. */
const FROM_HOUR = 7;
const UNTIL_HOUR = 23;
/** A reading of the last six hours counts. */
const COUNTS_SECONDS = 6 * 3_600;
/** Terms change in holidays. */
const TERM_KNOWN_SECONDS = 7 * 86_400;
/** Over all students and replicas. */
export const READINGS_PER_MINUTE = 30;
/** Students at once in one process: their own calls come first. */
const MOST_AT_ONCE = 2;
/** Time for the reads of one student: a sign-in and three slow pages. */
const VISIT_MS = 60_000;
const PER_READING_MS = 60_000 / READINGS_PER_MINUTE;
const IDLE_MS = 30_000;
const MOST_PLANNED = 100;

export interface DueStudent {
  readonly userid: string;
  readonly dueAt: number;
}

/** When each student with a `daily` hook is read next, over all replicas, in epoch ms. It goes with the account. */
export interface DueReadingStore {
  /** Students with such a hook who have no time planned yet. */
  listUnplanned(most: number): Promise<readonly string[]>;
  /** A moment that is planned already stands. */
  plan(userid: string, dueAt: number): Promise<void>;
  /** The student with such a hook who has been due longest; null: none is due. */
  due(now: number): Promise<DueStudent | null>;
  /** Replaces the moment. False: another replica was faster, or no hook asks for it any more. */
  take(due: DueStudent, nextAt: number): Promise<boolean>;
}

type ReadDaily = (student: Student, term: string, context: CallContext) => Promise<unknown>;

export interface DailyRead {
  readonly name: string;
  readonly ofTerm: boolean;
  readonly read: ReadDaily;
}

/** The reads whose row says `daily`, as far as the campus supplies them. */
export const dailyReadsOf = (campus: Pick<CampusFacts, 'capabilities'>, academics: Academics): readonly DailyRead[] => {
  const daily = <V>(row: TellingRow<V>, needs: readonly Capability[], ofTerm: boolean, read: ReadDaily): DailyRead[] =>
    row.daily !== true || lackOf(campus, needs) !== null ? [] : [{ name: row.name, ofTerm, read }];
  const current = daily(allReads.currentScores, ['academics.currentScores'], false, (student, _, context) =>
    academics.currentScores(student, context),
  );
  const allScores: ReadDaily = (student, term, context) => academics.allScores(student, term, context);
  return [
    ...(current.length > 0 ? current : daily(allReads.allScores, ['academics.allScores'], true, allScores)),
    ...daily(allReads.exams, ['academics.exams'], false, (student, _, context) => academics.exams(student, context)),
    ...daily(allReads.schedule, ['academics.schedule'], true, (student, term, context) =>
      academics.schedule(student, term, context),
    ),
  ];
};

/** Epoch ms of an hour of a campus day. */
const momentOf = (day: number, hour: number, timeZone: string): number => {
  const asUtc = day * DAY_MS + hour * HOUR_MS;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc, timeZone), timeZone);
};
const dayOf = (now: number, timeZone: string): number => dayNumber(campusDate(now, timeZone)) ?? 0;

export const isReadingHour = (now: number, timeZone: string): boolean => {
  const day = dayOf(now, timeZone);
  return now >= momentOf(day, FROM_HOUR, timeZone) && now < momentOf(day, UNTIL_HOUR, timeZone);
};

interface Draw {
  readonly now: number;
  readonly timeZone: string;
  readonly random: () => number;
}

/** A moment of the day after `now`, within the hours of reading. */
export const momentTomorrow = ({ now, timeZone, random }: Draw): number => {
  const day = dayOf(now, timeZone) + 1;
  const from = momentOf(day, FROM_HOUR, timeZone);
  return Math.floor(from + random() * (momentOf(day, UNTIL_HOUR, timeZone) - from));
};

/** A moment of the rest of the day, else of the next one. */
export const firstMoment = (draw: Draw): number => {
  const { now, timeZone, random } = draw;
  const day = dayOf(now, timeZone);
  const [from, until] = [Math.max(now, momentOf(day, FROM_HOUR, timeZone)), momentOf(day, UNTIL_HOUR, timeZone)];
  return from < until ? Math.floor(from + random() * (until - from)) : momentTomorrow(draw);
};

/** Retries in an hour if the student cannot be read now. */
export const putOff = (draw: Draw): number => {
  const later = draw.now + HOUR_MS;
  return isReadingHour(later, draw.timeZone) ? later : momentTomorrow(draw);
};

interface DailyReadingsDeps {
  readonly store: DueReadingStore;
  readonly dailyReads: readonly DailyRead[];
  readonly academics: Pick<Academics, 'codeOfCurrentTerm'>;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly random: () => number;
  /** Checks for this student, or for all if none is given. */
  readonly breakersClosed: (userid?: string) => boolean;
  /** The login guard would let this student's passwords be sent. */
  readonly isQuiet: (userid: string) => Promise<boolean>;
  readonly log: Log;
  readonly tagOf: TagOf;
  readonly observer: Pick<ServiceObserver, 'ownReading'>;
}

/** `more`: there may be more to do at once. `soon`: a student waits for a turn. `none`: no student is due. */
type Looked = 'more' | 'soon' | 'none';

/** Reads once a day for students whose hooks ask for it. All replicas share the work. */
export class DailyReadings {
  readonly #deps: DailyReadingsDeps;
  readonly #loop: Loop;
  readonly #running = new Set<Promise<void>>();

  constructor(deps: DailyReadingsDeps) {
    this.#deps = deps;
    this.#loop = new Loop({
      ...{ failed: 'due readings not looked up', everyMs: IDLE_MS, afterMs: IDLE_MS },
      // Time runs by the machine here, as it does for the campus.
      ...{ clock: systemClock, log: deps.log, body: (signal) => this.#lookOn(signal) },
    });
  }

  /** Looks once whether a student is to be read now. */
  async look(): Promise<Looked> {
    const { store, dailyReads, leases, clock, timeZone, breakersClosed } = this.#deps;
    for (const userid of await store.listUnplanned(MOST_PLANNED)) await store.plan(userid, firstMoment(this.#draw));
    if (dailyReads.length === 0 || !isReadingHour(clock.now(), timeZone) || !breakersClosed()) return 'none';
    if (this.#running.size >= MOST_AT_ONCE) return 'soon';
    const due = await store.due(clock.now());
    if (due === null) return 'none';
    if (!breakersClosed(due.userid) || !(await this.#deps.isQuiet(due.userid))) {
      await store.take(due, putOff(this.#draw));
      return 'more';
    }
    if (!(await takeTurn(leases, 'own-readings', dailyReads.length * PER_READING_MS))) return 'soon';
    // The next moment is stored first, so that a process that is killed reads too little, never too much.
    const isOurs = await store.take(due, momentTomorrow(this.#draw));
    if (isOurs && !this.#loop.signal.aborted) this.#begin(due.userid);
    return 'more';
  }

  /** Resolves once nothing is being read. */
  async waitUntilQuiet(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    await this.#loop.close();
    await this.waitUntilQuiet();
  }

  get #draw(): Draw {
    const { clock, timeZone, random } = this.#deps;
    return { now: clock.now(), timeZone, random };
  }

  async #lookOn(signal: AbortSignal): Promise<number> {
    let found: Looked;
    do found = await this.look();
    while (found === 'more' && !signal.aborted);
    return found === 'none' ? IDLE_MS : PER_READING_MS;
  }

  #begin(userid: string): void {
    const { log, tagOf } = this.#deps;
    const done = this.#visit(userid)
      .catch((error: unknown) => {
        const { kind, reason } = asFailure(error);
        log.warn({ student: tagOf(userid), failure: kind, reason }, 'own readings ended');
      })
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Makes all reads of one student, with one sign-in at most. */
  async #visit(userid: string): Promise<void> {
    const { dailyReads, academics, clock, timeZone, breakersClosed, log } = this.#deps;
    using visit = beginBackgroundCall(log, VISIT_MS, this.#loop.signal);
    const student = { userid };
    let signIns = 0;
    const maySignIn = async (): Promise<boolean> => {
      signIns += 1;
      return signIns === 1;
    };
    const call = derivedCall(visit.context, { unattended: true, maySignIn });
    const termOf = (context: CallContext): Promise<string> => academics.codeOfCurrentTerm(student, context);
    let term: string | null | undefined;
    for (const { name, ofTerm, read } of dailyReads) {
      if (call.signal.aborted || !isReadingHour(clock.now(), timeZone) || !breakersClosed(userid)) return;
      if (ofTerm && term === undefined)
        term = await this.#read({ name: allReads.currentTerm.name, userid, maxAge: TERM_KNOWN_SECONDS }, call, termOf);
      if (ofTerm && term === null) continue;
      const known = term ?? '';
      await this.#read({ name, userid, maxAge: COUNTS_SECONDS }, call, (context) => read(student, known, context));
    }
  }

  /** Null where it fails. */
  async #read<V>(
    { name, userid, maxAge }: { readonly name: string; readonly userid: string; readonly maxAge: number },
    call: CallContext,
    read: (context: CallContext) => Promise<V>,
  ): Promise<V | null> {
    const trail: CallTrail = { askedCampus: false };
    const reads = new NotedReads({ ...noDirectives, maxAge, staleIfError: 0 });
    const note = (outcome: string, reason?: string): void => {
      // The end of this process has cut it short.
      if (this.#loop.signal.aborted) return;
      const { log, tagOf, observer } = this.#deps;
      log.info({ student: tagOf(userid), read: name, outcome, reason }, 'own reading');
      observer.ownReading(name, outcome);
    };
    try {
      const value = await read(derivedCall(call, { trail, reads }));
      note(trail.askedCampus ? 'read' : 'fresh');
      return value;
    } catch (error) {
      const { kind, reason } = asFailure(error);
      note(kind, reason);
      return null;
    }
  }
}
