import { type Answer, type Draft, go, type Moment, type Wait, wait } from './answer.ts';
import { type Caller, type Handle, handleOf, isOf, isOwner, tagOf } from './caller.ts';
import { guardNumbers } from './numbers.ts';
import { msUntilRoom, type StudentRow } from './row.ts';

// How many challenges and codes a day: strangers have their own, and the last of an owner's are for home.

const budgetMs = (rows: StudentRow['challenges'], handle: Handle, now: number): number => {
  const { windowMs, owner, token, keptForHome, stranger } = guardNumbers.steps;
  const own = rows.filter(isOf(handle));
  if (!isOwner(handle)) return msUntilRoom(own, { most: stranger, windowMs }, now);
  const owners = rows.filter(({ kind }) => kind !== 'stranger');
  if (handle.kind !== 'token') return msUntilRoom(owners, { most: owner, windowMs }, now);
  return Math.max(
    msUntilRoom(own, { most: token, windowMs }, now),
    msUntilRoom(owners, { most: owner - keptForHome, windowMs }, now),
  );
};

/** `rings`: a code is sent too. */
const challengeMs = (student: StudentRow, handle: Handle, rings: boolean, now: number): number =>
  Math.max(budgetMs(student.challenges, handle, now), rings ? budgetMs(student.codes, handle, now) : 0);

/** Asked before a password is sent for a student who needs a person. */
export const challengeWait = (student: StudentRow, handle: Handle, why: Wait['why'], now: number): Wait | null => {
  const { mark: needsPerson } = student;
  if (needsPerson === null) return null;
  return wait('challenge-limit', why, challengeMs(student, handle, needsPerson.wanted === 'sms', now));
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
  const over = wait('challenge-limit', why, challengeMs(student, handle, rings, now));
  if (over) return over;
  const row = { id, at: now, ...tagOf(handle) };
  student.challenges = [...student.challenges, row];
  if (rings) student.codes = [...student.codes, row];
  return go;
};

/** One more code, on the budget that opened the challenge. */
export const sendsCode = ({ student }: Draft, id: string, { now }: Moment): Answer => {
  const row = student.challenges.find((booked) => booked.id === id);
  // A challenge that was booked a day ago is over.
  if (row === undefined) return go;
  const over = wait('challenge-limit', 'gateway', budgetMs(student.codes, { kind: row.kind, names: [row.by] }, now));
  if (over) return over;
  student.codes = [...student.codes, { ...row, at: now }];
  return go;
};

export const unsendsCode = ({ student }: Draft, id: string): Answer => {
  const last = student.codes.findLast((row) => row.id === id);
  student.codes = student.codes.filter((row) => row !== last);
  return go;
};
