import { type SignInStep, signInSteps } from '../../errors.ts';
import { guardNumbers } from './numbers.ts';
import { msUntilRoom, type StudentRow, type Trouble } from './row.ts';
import { type AskOutcome, type GuardDraft, type GuardMoment, go, type Verdict, wait } from './verdict.ts';

// R5: one student in trouble.

const { windowMs, freeUnstable, freeRenewals, waitsMs, logins } = guardNumbers.trouble;

/** How long the student's unattended sign-ins rest. */
export const restMs = ({ troubles }: StudentRow, now: number): number => {
  const unattended = troubles.filter(({ by }) => by === 'unattended');
  const beyond = (kind: Trouble['kind'], free: number) => unattended.filter((row) => row.kind === kind).slice(free);
  const counted = [
    ...beyond('unheld', freeUnstable),
    ...beyond('marker', 0),
    ...signInSteps.flatMap((step) => beyond(step, freeRenewals)),
  ];
  const ms = waitsMs[Math.min(counted.length, waitsMs.length) - 1];
  return ms === undefined ? 0 : Math.max(0, Math.max(...counted.map(({ at }) => at)) + ms - now);
};

/** Attended sign-ins may come to nothing a few times an hour. */
export const loginTroubleMs = ({ troubles }: StudentRow, now: number): number =>
  msUntilRoom(
    troubles.filter(({ by }) => by === 'login'),
    { most: logins, windowMs },
    now,
  );

/** How long a person waits after an attack marker. */
export const afterMarker = ({ type }: AskOutcome): number => (type === 'marker' ? waitsMs[0] : 0);

const add = (student: GuardDraft['student'], kind: Trouble['kind'], by: Trouble['by'], now: number): void => {
  student.troubles = [...student.troubles, { at: now, kind, by }];
};

const troubleOf = ({ type }: AskOutcome): Trouble['kind'] | null => {
  if (type === 'marker' || type === 'locked' || type === 'closed') return 'marker';
  return type === 'unstable' || type === 'unread' ? 'unheld' : null;
};

/**
 * A second step means that the student needs a person; an attended sign-in without one ends that, and so does a step after
 * which the login trusts this service.
 */
export const noteAttended = ({ student }: GuardDraft, outcome: AskOutcome, now: number): void => {
  const needsNobody = outcome.type === 'accepted' && (outcome.stepped !== true || outcome.trusts === true);
  if (needsNobody && student.mark !== null) student.mark = null;
  if (outcome.type === 'person') {
    if (outcome.wanted !== 'captcha') student.mark = { at: now, wanted: outcome.wanted, step: outcome.step };
    if (outcome.offered !== true) add(student, 'marker', 'login', now);
  }
  const kind = outcome.type === 'passed' ? 'unheld' : troubleOf(outcome);
  if (kind !== null) add(student, kind, 'login', now);
};

export const noteUnattended = ({ student }: GuardDraft, outcome: AskOutcome, now: number): void => {
  const isCaptcha = outcome.type === 'captcha' || (outcome.type === 'person' && outcome.wanted === 'captcha');
  if (outcome.type === 'person' && !isCaptcha) {
    student.mark = { at: now, wanted: outcome.wanted, step: outcome.step };
  }
  const kind = isCaptcha ? 'marker' : troubleOf(outcome);
  if (kind !== null) add(student, kind, 'unattended', now);
};

/**
 * Renews a session that ended within minutes of its last answer; counted before the password leaves. `isLater`: a password
 * of the same renewal has left already, so this one is not held back.
 */
export const beginsEarly = (
  { student }: GuardDraft,
  step: SignInStep,
  isLater: boolean,
  { now }: GuardMoment,
): Verdict => {
  const resting = isLater ? null : wait('session-backoff', 'paused', restMs(student, now));
  if (resting) return resting;
  add(student, step, 'unattended', now);
  return go;
};

/**
 * A session that was opened at `openedAt` has answered minutes later: that ends the troubles of unattended sign-ins before
 * it. It says nothing about those that came after.
 */
export const holdBack = ({ student }: GuardDraft, openedAt: number): Verdict => {
  const isOver = ({ at, by }: Trouble): boolean => by === 'unattended' && at < openedAt;
  if (student.troubles.some(isOver)) student.troubles = student.troubles.filter((row) => !isOver(row));
  return go;
};
