import type { SignInStep } from '../../errors.ts';
import { type Caller, type Handle, handleOf, handleTagOf, isOf, isOwner } from './callers.ts';
import { guardNumbers } from './numbers.ts';
import { msUntilRoom, type StudentRow } from './row.ts';
import { type GuardDraft, type GuardMoment, go, type Verdict, type Wait, wait } from './verdict.ts';

// How many challenges and codes a day: strangers have their own, and the last of an owner's are for home.

const { steps, images } = guardNumbers;

const stepBudgetMs = (
  rows: StudentRow['challenges'],
  handle: Handle,
  now: number,
  limits: typeof steps | typeof images = steps,
): number => {
  const { windowMs, owner, token, keptForHome, stranger } = limits;
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
  Math.max(
    stepBudgetMs(
      student.challenges.filter(({ image }) => !image),
      handle,
      now,
    ),
    rings ? stepBudgetMs(student.codes, handle, now) : 0,
  );

/** The image is part of every login there, so it takes nothing from the budget of steps. */
const imageMs = ({ challenges }: StudentRow, handle: Handle, now: number): number =>
  stepBudgetMs(
    challenges.filter(({ image }) => image),
    handle,
    now,
    images,
  );

/** Asked before a password is sent where the sign-in will need a person. */
export const challengeWait = (
  student: StudentRow,
  handle: Handle,
  why: Wait['why'],
  { now, attended = [] }: GuardMoment,
): Wait | null => {
  const { mark: needsPerson } = student;
  const stepMs = needsPerson === null ? 0 : challengeMs(student, handle, needsPerson.wanted === 'sms', now);
  return wait('challenge-limit', why, Math.max(stepMs, attended.length === 0 ? 0 : imageMs(student, handle, now)));
};

interface ChallengeOpening {
  readonly id: string;
  readonly caller: Caller;
  readonly why: Wait['why'];
  /** The password itself may have rung the phone. */
  readonly rings: boolean;
  /** It begins with an image, at this place; left out: with another step. */
  readonly imageAt?: SignInStep;
}

export const opensChallenge = (
  { student }: GuardDraft,
  opening: ChallengeOpening,
  { now, attended = [] }: GuardMoment,
): Verdict => {
  const { id, caller, why, rings, imageAt } = opening;
  const handle = handleOf(student, caller);
  const isUsual = imageAt !== undefined && attended.includes(imageAt);
  const ms = isUsual ? imageMs(student, handle, now) : challengeMs(student, handle, rings, now);
  const over = wait('challenge-limit', why, ms);
  if (over) return over;
  const row = { id, at: now, ...handleTagOf(handle), image: isUsual };
  student.challenges = [...student.challenges, row];
  if (rings) student.codes = [...student.codes, row];
  return go;
};

/** One more code, on the budget that opened the challenge. */
export const sendsCode = ({ student }: GuardDraft, id: string, { now }: GuardMoment): Verdict => {
  const row = student.challenges.find((booked) => booked.id === id);
  // A challenge that was booked a day ago is over.
  if (row === undefined) return go;
  const over = wait(
    'challenge-limit',
    'gateway',
    stepBudgetMs(student.codes, { kind: row.kind, names: [row.by] }, now),
  );
  if (over) return over;
  student.codes = [...student.codes, { ...row, at: now }];
  return go;
};

export const unsendsCode = ({ student }: GuardDraft, id: string): Verdict => {
  const last = student.codes.findLast((row) => row.id === id);
  student.codes = student.codes.filter((row) => row !== last);
  return go;
};
