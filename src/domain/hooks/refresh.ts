import { dayNumber, dayText } from '../../lib/calendar-day.ts';
import { campusDate, offsetAt } from '../../lib/campus-time.ts';
import type { Academics } from '../academics/service.ts';
import { readRows } from '../all-reads.ts';
import { type CampusFacts, type Capability, lackOf } from '../capabilities.ts';
import type { CallContext, Student } from '../context.ts';
import type { Electricity } from '../electricity/electricity.ts';
import type { EventType } from '../events/records.ts';
import type { LaborClub } from '../labor-club/labor-club.ts';
import type { OwnReading, TellingRow } from '../read-row.ts';
import { ageOf } from '../reads/decide.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What the service may read at the campus on its own, for a student whose hook asks for it. */
export const refreshLimits = {
  /** A day and student, for any purpose. */
  readings: 2,
  signIns: 1,
  /** Campus time. */
  fromHour: 7,
  untilHour: 23,
  /** Later than planned by so much at most, so that nothing comes at the same minute every day. */
  jitterMs: 30 * MINUTE_MS,
  /** What was read so lately is not read again. */
  countsMs: 6 * HOUR_MS,
  /** Over all students and replicas. */
  perMinute: 30,
  /** While something is in the way. */
  putOffMs: HOUR_MS,
} as const;

/** What is planned for a student, and what of the day's budget is spent. */
export interface RefreshPlan {
  /** The next reading of `refresh: "daily"`, epoch ms; null: not planned. */
  readonly dailyAt: number | null;
  /** A reading because of a class signal, epoch ms; null: none waits. */
  readonly signalAt: number | null;
  /** Campus day of the counts, `YYYY-MM-DD`; `''`: nothing was read yet. */
  readonly day: string;
  readonly readings: number;
  readonly signIns: number;
}

/** A read that would tell what a hook wants to know. */
export interface RefreshCandidate {
  readonly name: string;
  /** Start of the last reading that showed the same; 0: there was none. */
  readonly readAt: number;
  /** It comes before the others. */
  readonly first: boolean;
}

/** What a day's times depend on. */
export interface RefreshTimes {
  readonly now: number;
  readonly timeZone: string;
  /** Where in the day the student's place is: the same every day, from 0 up to 1. */
  readonly share: number;
  readonly random: () => number;
}

interface RefreshFacts<C extends RefreshCandidate = RefreshCandidate> extends RefreshTimes {
  /** Something is in the way: a second step, a refused password, a pause, a running evaluation. */
  readonly isHeld: boolean;
  /** For the hooks with `daily`, and for those with `signal`. */
  readonly daily: readonly C[];
  readonly signal: readonly C[];
}

interface RefreshTurn<C extends RefreshCandidate = RefreshCandidate> {
  /** To be read now, once the plan is stored. */
  readonly reads: readonly C[];
  readonly plan: RefreshPlan;
}

/** Epoch ms of a time of day at the campus. */
const momentOf = (day: string, msOfDay: number, timeZone: string): number => {
  const asUtc = (dayNumber(day) ?? 0) * DAY_MS + msOfDay;
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
};
const dayAfter = (day: string): string => dayText((dayNumber(day) ?? 0) + 1);

/** Whether the service reads on its own at this time of day. */
export const isRefreshHour = (now: number, timeZone: string): boolean => {
  const day = campusDate(now, timeZone);
  const [from, until] = [refreshLimits.fromHour, refreshLimits.untilHour].map((hour) =>
    momentOf(day, hour * HOUR_MS, timeZone),
  );
  return now >= (from ?? 0) && now < (until ?? 0);
};

/** The student's place in a day. */
const placeIn = (day: string, { timeZone, share, random }: RefreshTimes): number => {
  const { fromHour, untilHour, jitterMs } = refreshLimits;
  const length = (untilHour - fromHour) * HOUR_MS - jitterMs;
  return Math.floor(momentOf(day, fromHour * HOUR_MS + share * length, timeZone) + random() * jitterMs);
};

/** `at`, or some time after the service begins to read again. */
const withinHours = (at: number, { timeZone, random }: RefreshTimes): number => {
  if (isRefreshHour(at, timeZone)) return at;
  const day = campusDate(at, timeZone);
  const opens = momentOf(day, refreshLimits.fromHour * HOUR_MS, timeZone);
  const next = at < opens ? opens : momentOf(dayAfter(day), refreshLimits.fromHour * HOUR_MS, timeZone);
  return Math.floor(next + random() * refreshLimits.jitterMs);
};

/** When a student who has just asked for `daily` is read for the first time. */
export const firstDaily = (times: RefreshTimes): number => {
  const today = campusDate(times.now, times.timeZone);
  const place = placeIn(today, times);
  return place > times.now ? place : placeIn(dayAfter(today), times);
};

/** When a student is read whose class has raised its signal: not all of the class at once. */
export const afterSignal = (times: RefreshTimes): number =>
  withinHours(Math.floor(times.now + times.random() * refreshLimits.jitterMs), times);

/** Nothing is planned further ahead than this: a later time came from a clock that was ahead. */
export const FARTHEST_MS = 3 * DAY_MS;
export const isDue = (at: number | null, now: number): boolean => at !== null && (at <= now || at > now + FARTHEST_MS);

const byWorth = (a: RefreshCandidate, b: RefreshCandidate): number =>
  Number(b.first) - Number(a.first) || a.readAt - b.readAt;

/** What is wanted by several is wanted once. */
const wantedOf = <C extends RefreshCandidate>(candidates: readonly C[], now: number): readonly C[] =>
  [...new Map(candidates.map((candidate) => [candidate.name, candidate])).values()]
    .filter(({ readAt }) => (ageOf(readAt, now) ?? Number.POSITIVE_INFINITY) >= refreshLimits.countsMs)
    .toSorted(byWorth);

/**
 * What to read for a student now, and the plan from then on. Pure. The plan is stored before anything is read, so that
 * anything that happens in between costs a reading and never adds one.
 */
export const refreshTurn = <C extends RefreshCandidate>(plan: RefreshPlan, facts: RefreshFacts<C>): RefreshTurn<C> => {
  const { now, timeZone } = facts;
  const today = campusDate(now, timeZone);
  // A day that is still to come was written before a clock was set back: what it counted still counts.
  const spent = plan.day < today ? { readings: 0, signIns: 0 } : { readings: plan.readings, signIns: plan.signIns };
  const isDaily = isDue(plan.dailyAt, now);
  const isSignal = isDue(plan.signalAt, now);
  const planned = (dailyAt: number | null, signalAt: number | null, read = 0): RefreshPlan => ({
    dailyAt: isDaily ? dailyAt : plan.dailyAt,
    signalAt: isSignal ? signalAt : plan.signalAt,
    day: today,
    readings: spent.readings + read,
    signIns: spent.signIns,
  });
  if (facts.isHeld || !isRefreshHour(now, timeZone)) {
    const later = withinHours(now + (facts.isHeld ? refreshLimits.putOffMs : 0), facts);
    return { reads: [], plan: planned(later, later) };
  }
  const tomorrow = dayAfter(today);
  const nextDaily = placeIn(tomorrow, facts);
  const left = refreshLimits.readings - spent.readings;
  if (left <= 0) {
    const opens = momentOf(tomorrow, refreshLimits.fromHour * HOUR_MS, timeZone);
    return { reads: [], plan: planned(nextDaily, withinHours(opens + facts.share * refreshLimits.jitterMs, facts)) };
  }
  const candidates = [...(isSignal ? facts.signal : []), ...(isDaily ? facts.daily : [])];
  const reads = wantedOf(candidates, now).slice(0, left);
  return { reads, plan: planned(nextDaily, null, reads.length) };
};

/** A read as the service makes it on its own. `param`: the one of its row, `''` where that has none. */
export interface OwnRead {
  readonly name: string;
  readonly use: OwnReading;
  read(student: Student, param: string, context: CallContext): Promise<unknown>;
}

interface OwnReadsDeps {
  readonly campus: Pick<CampusFacts, 'capabilities'>;
  readonly academics: Academics;
  readonly electricity: Electricity;
  readonly laborClub: LaborClub;
}

/** What of it this campus has. */
export const createOwnReads = ({ campus, academics, electricity, laborClub }: OwnReadsDeps): readonly OwnRead[] => {
  const own = <V>(row: TellingRow<V>, needs: readonly Capability[], read: OwnRead['read']): OwnRead[] => {
    const { name, ownReading: use } = row;
    return use === undefined || lackOf(campus, needs) !== null ? [] : [{ name, use, read }];
  };
  /** A read without parameters. */
  const plain =
    (read: (student: Student, context: CallContext) => Promise<unknown>): OwnRead['read'] =>
    (student, _, context) =>
      read(student, context);
  const current = own(readRows.currentScores, ['academics.currentScores'], plain(academics.currentScores));
  return [
    ...(current.length > 0 ? current : own(readRows.allScores, ['academics.allScores'], academics.allScores)),
    ...own(readRows.exams, ['academics.exams', 'academics.summary'], plain(academics.exams)),
    ...own(readRows.schedule, ['academics.schedule'], academics.schedule),
    ...own(readRows.currentTerm, ['academics.calendarText', 'academics.termStart'], plain(academics.currentTerm)),
    ...own(readRows.evaluationCourses, ['academics.evaluationCourses'], plain(academics.evaluationCourses)),
    ...own(readRows.joinedActivities, ['laborClub.joinedActivities'], plain(laborClub.joinedActivities)),
    ...own(readRows.electricity, ['electricity.readMeter'], plain(electricity.reading)),
  ];
};

/** When something was read last, by name and parameters as copies are kept under. */
export interface LastReading {
  readonly read: string;
  /** JSON of the list of parameters. */
  readonly params: string;
  readonly readAt: number;
}

/** What parameters stand for, as copies tell; null: they do not. */
type OwnParams = Readonly<Record<'term' | 'room', string | null>>;

/** A read that may be made now. */
export interface OwnCandidate extends RefreshCandidate {
  readonly read: OwnRead;
  readonly param: string;
}

/** Terms begin and end in holidays, when no one looks. */
const TERM_KNOWN_MS = 7 * 86_400_000;

/** The reads that may tell one of these events. */
export const candidatesFor = (
  reads: readonly OwnRead[],
  types: readonly EventType[],
  params: OwnParams,
  last: readonly LastReading[],
  now: number,
): OwnCandidate[] => {
  const ofTerm = JSON.stringify([params.term]);
  const candidate = (read: OwnRead, param: string): OwnCandidate => {
    const { first = false, shownBy = [] } = read.use;
    const key = JSON.stringify(param === '' ? [] : [param]);
    const showing = last.filter((one) =>
      one.read === read.name ? one.params === key : shownBy.includes(one.read) && ['[]', ofTerm].includes(one.params),
    );
    return { name: read.name, first, read, param, readAt: Math.max(0, ...showing.map(({ readAt }) => readAt)) };
  };
  const termRead = reads.find(({ name }) => name === readRows.currentTerm.name);
  return reads.flatMap((read) => {
    const { tells, of } = read.use;
    if (!tells.some((type) => types.includes(type))) return [];
    const param = of === undefined ? '' : params[of];
    const own = param === null ? [] : [candidate(read, param)];
    if (of !== 'term' || termRead === undefined) return own;
    // Which term it is has to be known, and lately.
    const term = candidate(termRead, '');
    return param === null || now - term.readAt >= TERM_KNOWN_MS ? [...own, term] : own;
  });
};
