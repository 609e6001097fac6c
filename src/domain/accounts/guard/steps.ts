import { type Handle, handleOf, isOf, isOwner, tagOf } from './handle.ts';
import { guardNumbers as n } from './numbers.ts';
import type { StudentRow } from './row.ts';
import type { Answer, Caller, Draft, Moment, Wait } from './types.ts';
import { msUntilRoom } from './windows.ts';

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
