import { readRows } from '../../src/domain/all-reads.ts';
import { silentLog } from '../../src/domain/context.ts';
import type { NewEvent } from '../../src/domain/events/ports.ts';
import { startClassSignal } from '../../src/domain/hooks/class-signal.ts';
import { type HookRefresh, hookRefreshes } from '../../src/domain/hooks/ports.ts';
import {
  afterSignal,
  firstDaily,
  isDue,
  type RefreshPlan,
  type RefreshTimes,
  refreshLimits,
  refreshTurn,
} from '../../src/domain/hooks/refresh.ts';
import { createKeyedNames } from '../../src/lib/keyed-names.ts';
import { createStorage } from '../../src/storage/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seeded } from '../unit/domain/accounts/guard/simulation.ts';
import { hookWish, keyA, registered } from './databases.ts';

export const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
export const DAYS = 14;
const timeZone = 'Asia/Shanghai';
/** Midnight at the campus. */
const BEGIN = Date.UTC(2026, 5, 28, 16);

/** How often a day students open the app, a third of them each. */
const habits = [1 / 3, 1, 3] as const;

export interface Member {
  readonly userid: string;
  readonly refresh: HookRefresh;
  /** Marks are published at this moment, in a course that this class alone has. */
  readonly publishedAt: number;
  readonly course: string;
  readonly share: number;
  plan: RefreshPlan;
  /** Starts of readings at the campus, in their order. */
  readonly byApp: number[];
  readonly byService: number[];
  /** When the mark was an event. */
  toldAt: number | null;
  /** How often the class has signalled. */
  hints: number;
}

export interface Classroom {
  readonly size: number;
  /** In hours since the fortnight began, at midnight. */
  readonly publishedAt: number;
  /** Of so many students each. */
  readonly members: (at: number) => { readonly refresh: HookRefresh; readonly habit: number };
}

/** Students of all kinds in equal parts. */
export const mixed = (size: number, publishedAt: number): Classroom => ({
  ...{ size, publishedAt },
  members: (at) => ({ refresh: hookRefreshes[at % 3] ?? 'none', habit: Math.floor(at / 3) % 3 }),
});

/** Minutes in which a student opens the app. */
const opensOf = (perDay: number, random: () => number): number[] => {
  const opens: number[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const times = perDay < 1 ? Number(random() < perDay) : perDay;
    // Between seven in the morning and midnight.
    for (let each = 0; each < times; each += 1) opens.push(Math.floor((day + (7 + 17 * random()) / 24) * 24 * 60));
  }
  return opens;
};

const mark = (course_code: string): NewEvent => ({
  ...{ type: 'score.published', readAt: null, ask: null, detail: {} },
  about: { term_code: '2025-2026-2-1', course_code, course_class: '01', part: 'score' },
});

/**
 * A fortnight of classes, minute by minute. Whom the service reads is decided by the service's own rule, and who raises the
 * signal of a class by its own stores; the campus and the apps are made up.
 */
export const fortnight = async (classrooms: readonly Classroom[], seed: number): Promise<Member[][]> => {
  const random = seeded(seed);
  const clock = new ManualClock(BEGIN);
  const storage = await createStorage({ url: 'sqlite::memory:', keys: [keyA], log: silentLog, clock });
  const students = new Map<string, Member>();
  const opening = new Map<number, readonly Member[]>();
  const timesOf = ({ share }: Member): RefreshTimes => ({ now: clock.now(), timeZone, share, random });

  const enroll = async ({ members }: Classroom, at: number, course: string, publishedAt: number): Promise<Member> => {
    const { refresh, habit } = members(at);
    const userid = `${course}-${at}`;
    const member: Member = {
      ...{ userid, refresh, publishedAt, course, share: random(), byApp: [], byService: [], toldAt: null, hints: 0 },
      plan: { dailyAt: null, signalAt: null, day: '', readings: 0, signIns: 0 },
    };
    if (refresh === 'daily') member.plan = { ...member.plan, dailyAt: firstDaily(timesOf(member)) };
    if (refresh === 'signal') {
      await registered(storage, { userid });
      const made = { ...hookWish, refresh, id: userid, now: BEGIN, secret: '', madeBy: '' };
      await storage.hooks.make(userid, made, 1);
    }
    students.set(userid, member);
    for (const minute of opensOf(habits[habit] ?? 0, random))
      opening.set(minute, [...(opening.get(minute) ?? []), member]);
    return member;
  };
  const all: Member[][] = [];
  for (const [at, classroom] of classrooms.entries()) {
    const publishedAt = BEGIN + classroom.publishedAt * HOUR;
    const members: Member[] = [];
    for (let each = 0; each < classroom.size; each += 1)
      members.push(await enroll(classroom, each, `EX${at}`, publishedAt));
    all.push(members);
  }

  const timetableOf = (userid: string): Readonly<Record<string, unknown>> => ({
    [readRows.currentTerm.name]: {
      text: { academicYear: '2025-2026', season: '春' },
      start: { firstDay: '2026-03-02' },
    },
    [readRows.terms.name]: [],
    [readRows.schedule.name]: { courses: [{ code: students.get(userid)?.course, sequence: '01' }] },
  });
  const signal = startClassSignal({
    ...{ store: storage.classMarks, journal: storage.events, names: createKeyedNames([keyA]) },
    reads: { lastCopy: async (userid, row) => ({ value: timetableOf(userid)[row.name] as never, readAt: BEGIN }) },
    async signalled(userid) {
      const member = students.get(userid);
      if (member === undefined) return;
      member.hints += 1;
      member.plan = { ...member.plan, signalAt: afterSignal(timesOf(member)) };
    },
    ...{ clock, log: silentLog, tagOf: () => '' },
  });
  for (const { userid, refresh } of students.values()) if (refresh === 'signal') signal.join(userid);
  await signal.quiet();

  const read = async (member: Member, readings: number[]): Promise<void> => {
    readings.push(clock.now());
    if (member.toldAt !== null || clock.now() < member.publishedAt) return;
    member.toldAt = clock.now();
    await storage.events.append(member.userid, [mark(member.course)]);
    await signal.quiet();
  };
  const follow = async (member: Member): Promise<void> => {
    const readAt = Math.max(member.byApp.at(-1) ?? 0, member.byService.at(-1) ?? 0);
    const scores = [{ name: readRows.currentScores.name, readAt, first: true }];
    const { reads, plan } = refreshTurn(member.plan, {
      ...timesOf(member),
      isHeld: false,
      daily: scores,
      signal: scores,
    });
    member.plan = plan;
    for (const _ of reads) await read(member, member.byService);
  };
  const asking = [...students.values()].filter(({ refresh }) => refresh !== 'none');
  const nextDue = (): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const { plan } of asking) next = Math.min(next, plan.dailyAt ?? next, plan.signalAt ?? next);
    return next;
  };
  let due = nextDue();
  for (let minute = 0; minute < (DAYS * DAY) / MINUTE; minute += 1) {
    const now = clock.now();
    const opened = opening.get(minute) ?? [];
    for (const member of opened) await read(member, member.byApp);
    if (opened.length > 0 || now >= due) {
      const waiting = asking.filter(({ plan }) => isDue(plan.dailyAt, now) || isDue(plan.signalAt, now));
      for (const member of waiting.slice(0, refreshLimits.perMinute)) await follow(member);
      due = nextDue();
    }
    clock.advance(MINUTE);
  }
  await signal.close();
  await storage.close();
  return all;
};
