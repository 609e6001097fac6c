import { guardNumbers as n } from './numbers.ts';
import {
  type Answer,
  type Breaker,
  type Caller,
  type Draft,
  type Handle,
  handleOf,
  isOf,
  isOwner,
  type Moment,
  msUntilRoom,
  type StudentRow,
  tagOf,
  type Wait,
} from './row.ts';

// Challenges and the codes that ring for them, a day: strangers have their own, and the last of an owner's are for home.

const budgetMs = (rows: StudentRow['challenges'], handle: Handle, now: number): number => {
  const { windowMs, owner, token, keptForHome, stranger } = n.steps;
  const own = rows.filter(isOf(handle));
  if (!isOwner(handle)) return msUntilRoom(own, { most: stranger, windowMs }, now);
  const owners = rows.filter(({ kind }) => kind !== 'stranger');
  if (handle.kind !== 'token') return msUntilRoom(owners, { most: owner, windowMs }, now);
  return Math.max(
    msUntilRoom(own, { most: token, windowMs }, now),
    msUntilRoom(owners, { most: owner - keptForHome, windowMs }, now),
  );
};

const wait = (why: Wait['why'], ms: number): Wait | null =>
  ms > 0 ? { type: 'wait', limit: 'challenge-limit', why, ms } : null;

/** Before a password leaves that will meet a step: whether there is room for one more challenge. */
export const challengeWait = (student: StudentRow, handle: Handle, why: Wait['why'], now: number): Wait | null => {
  const { mark, challenges, codes } = student;
  if (mark === null) return null;
  const ringsMs = mark.wanted === 'sms' ? budgetMs(codes, handle, now) : 0;
  return wait(why, Math.max(budgetMs(challenges, handle, now), ringsMs));
};

interface Opening {
  readonly id: string;
  readonly caller: Caller;
  readonly why: Wait['why'];
  /** The password itself may have rung the phone. */
  readonly rings: boolean;
}

export const opensChallenge = ({ student }: Draft, { id, caller, why, rings }: Opening, { now }: Moment): Answer => {
  const handle = handleOf(student, caller);
  const over = wait(
    why,
    Math.max(budgetMs(student.challenges, handle, now), rings ? budgetMs(student.codes, handle, now) : 0),
  );
  if (over) return over;
  const row = { id, at: now, ...tagOf(handle) };
  student.challenges = [...student.challenges, row];
  if (rings) student.codes = [...student.codes, row];
  return { type: 'go' };
};

/** One more code, on the budget that opened the challenge. */
export const sendsCode = ({ student }: Draft, id: string, { now }: Moment): Answer => {
  const row = student.challenges.find((booked) => booked.id === id);
  // It was booked a day ago, and lives for minutes.
  if (row === undefined) return { type: 'go' };
  const over = wait('gateway', budgetMs(student.codes, { kind: row.kind, names: [row.by] }, now));
  if (over) return over;
  student.codes = [...student.codes, { ...row, at: now }];
  return { type: 'go' };
};

/** It has not left the service. */
export const unsendsCode = ({ student }: Draft, id: string): Answer => {
  const last = student.codes.findLast((row) => row.id === id);
  student.codes = student.codes.filter((row) => row !== last);
  return { type: 'go' };
};

/** A bad outcome: a step that is met unattended, a captcha, or anything else. */
export type Bad =
  | { readonly by: 'trouble' | 'captcha'; readonly wanted: null }
  | { readonly by: 'step'; readonly wanted: NonNullable<NonNullable<Breaker['open']>['wanted']> };

const { students, share, windowMs, goodMs, probeMs } = n.breaker;

export const withGood = (breaker: Breaker, count: number, now: number): Breaker => {
  const last = breaker.good.at(-1);
  if (last === undefined || last.at <= now - goodMs) return { ...breaker, good: [...breaker.good, { at: now, count }] };
  return { ...breaker, good: [...breaker.good.slice(0, -1), { at: last.at, count: last.count + count }] };
};

/** R4: bad outcomes of three students, and a fifth of all, within five minutes open it. */
export const withBad = (breaker: Breaker, student: string, { by, wanted }: Bad, now: number): Breaker => {
  if (breaker.bad.some((row) => row.student === student)) return breaker;
  const bad = [...breaker.bad, { at: now, student, settled: false }];
  const recent = bad.filter((row) => !row.settled && row.at > now - windowMs).length;
  const good = breaker.good.reduce((sum, { count }) => sum + count, 0);
  const opens = breaker.open === null && recent >= students && recent >= share * (recent + good);
  return { ...breaker, bad, open: opens ? { since: now, nextAt: now, by, wanted } : breaker.open };
};

/** The first sign-in that is accepted and holds closes it; where steps have opened it, an attended one without a step. */
export const closed = (breaker: Breaker, isAttended: boolean): Breaker =>
  breaker.open === null || (breaker.open.by === 'step' && !isAttended)
    ? breaker
    : { ...breaker, bad: breaker.bad.map((row) => ({ ...row, settled: true })), open: null };

/** Whether an open breaker lets this one through whoever else signs in: a person is there for what opened it. */
export const isForPersons = ({ open }: Breaker, isAttended: boolean): boolean =>
  open === null || (isAttended && open.by !== 'trouble');

/** Milliseconds until a sign-in of this student may find out whether the trouble is over. */
export const msUntilProbe = ({ open, bad }: Breaker, student: string, now: number): number => {
  if (open === null) return 0;
  const hasMet = bad.some((row) => row.student === student && !row.settled);
  return Math.max(0, open.nextAt + (hasMet ? probeMs : 0) - now);
};

/** One has gone. */
export const withProbe = (breaker: Breaker, now: number): Breaker =>
  breaker.open === null ? breaker : { ...breaker, open: { ...breaker.open, nextAt: now + probeMs } };
