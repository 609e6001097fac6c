import type { PersonalStep } from '../../errors.ts';
import type { BookedChallenge, GatewayMemory, PersonMark, StudentMemory } from '../records.ts';
import { secondsUntilFree } from './campus.ts';
import { hasTry } from './comparing.ts';
import type { AskOutcome, Caller, GuardMemory, Refusal, Rule } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import { go, hasLoggedInFrom, markOf, noted, wait, withPassedStep } from './parts.ts';

// G14: what a second step may cost the student's phone and the campus.

type Standing = Pick<BookedChallenge, 'by' | 'who'>;

/** Whose budget it is: a network where a login succeeded comes first, so that a thief's token leaves it alone. */
const standingOf = (student: StudentMemory, caller: Caller, now: number): Standing => {
  const { home, token, network } = caller;
  if (hasTry(student, caller) || hasLoggedInFrom(student, home, now)) return { by: 'home', who: home[0] ?? network };
  if (token[0] !== undefined) return { by: 'token', who: token[0] };
  const isUsed = home[0] !== undefined && student.networks.some((row) => home.includes(row.network));
  return isUsed ? { by: 'known', who: home[0] ?? '' } : { by: 'stranger', who: network };
};

interface Most {
  readonly challenges: number;
  readonly sends: number;
}

/** What a row books besides itself. */
interface Wanted {
  readonly challenges: 0 | 1;
  readonly sends: 0 | 1;
}

const budgetWait = (rows: readonly BookedChallenge[], most: Most, wanted: Wanted, now: number): number => {
  const { windowMs } = n.person.budgets;
  const sends = rows.flatMap((row) => Array.from({ length: row.sends }, () => row));
  return Math.max(
    wanted.challenges > 0 ? secondsUntilFree(rows, most.challenges, windowMs, now) : 0,
    wanted.sends > 0 ? secondsUntilFree(sends, most.sends, windowMs, now) : 0,
  );
};

const studentWait = (
  { challenges }: StudentMemory,
  { by }: Standing,
  names: readonly string[],
  wanted: Wanted,
  now: number,
) => {
  const { stranger, owner, keptForHome, token, known } = n.person.budgets;
  if (by === 'stranger')
    return budgetWait(
      challenges.filter((row) => row.by === by),
      stranger,
      wanted,
      now,
    );
  const owners = challenges.filter((row) => row.by !== 'stranger');
  const all = budgetWait(owners, owner, wanted, now);
  if (by === 'home') return all;
  const elsewhere = {
    challenges: owner.challenges - keptForHome.challenges,
    sends: owner.sends - keptForHome.sends,
  };
  const own = challenges.filter((row) => row.by === by && names.includes(row.who));
  return Math.max(
    all,
    budgetWait(
      owners.filter((row) => row.by !== 'home'),
      elsewhere,
      wanted,
      now,
    ),
    budgetWait(own, by === 'token' ? token : known, wanted, now),
  );
};

/** Of networks that nothing vouches for, each may open so many that came to nothing. */
const networkWait = ({ offered }: GatewayMemory, { network, trusted }: Caller, now: number): number => {
  const { challenges, windowMs } = n.person.budgets.strangerNetwork;
  const here = offered.filter((row) => row.network === network);
  return trusted ? 0 : secondsUntilFree(here, challenges, windowMs, now);
};

/** The password of a student whose portal sends codes may ring the phone: that counts as the first one. */
const wantedOf = (step: PersonalStep): Wanted => ({ challenges: 1, sends: step === 'sms' ? 1 : 0 });

const challengeWait = ({ student, gateway }: GuardMemory, caller: Caller, wanted: Wanted, now: number): number => {
  const standing = standingOf(student, caller, now);
  const names = standing.by === 'token' ? caller.token : caller.home;
  return Math.max(
    studentWait(student, standing, names, wanted, now),
    standing.by === 'stranger' ? networkWait(gateway, caller, now) : 0,
  );
};

/** Before a password is sent that will meet a step for certain: whether the budgets have room for one more. */
export const stepRefusal = (
  memory: GuardMemory,
  caller: Caller,
  why: 'login-wait' | 'registration-wait',
  now: number,
): Refusal | null => {
  const { person } = memory.student;
  if (person === null || markOf(memory, now) !== 'holds') return null;
  return wait('G14', why, challengeWait(memory, caller, wantedOf(person.wanted), now));
};

export const opensChallenge: Rule<'challenge-opens'> = (memory, { id, caller, wanted, why }, { now }) => {
  const asks = wantedOf(wanted);
  const refusal = wait('G14', why, challengeWait(memory, caller, asks, now));
  if (refusal) return { answer: refusal, next: memory };
  const { student, gateway } = memory;
  const standing = standingOf(student, caller, now);
  const row: BookedChallenge = { id, at: now, ...standing, sends: asks.sends };
  const counted = standing.by !== 'stranger' || caller.trusted;
  const offered = counted ? gateway.offered : [...gateway.offered, { id, at: now, network: caller.network }];
  return {
    answer: go,
    next: {
      ...memory,
      student: { ...student, challenges: [...student.challenges, row] },
      gateway: counted ? gateway : { ...gateway, offered },
    },
  };
};

/** One more code, on the budget that opened the challenge. */
export const sendsCode: Rule<'challenge-sends'> = (memory, { id }, { now }) => {
  const { student } = memory;
  const row = student.challenges.find((booked) => booked.id === id);
  // It was booked a day ago, and lives for minutes.
  if (row === undefined) return { answer: go, next: memory };
  const seconds = studentWait(student, row, [row.who], { challenges: 0, sends: 1 }, now);
  const refusal = wait('G14', 'gateway-wait', seconds);
  if (refusal) return { answer: refusal, next: memory };
  const challenges = student.challenges.map((booked) =>
    booked.id === id ? { ...booked, sends: booked.sends + 1 } : booked,
  );
  return { answer: go, next: { ...memory, student: { ...student, challenges } } };
};

export const givesCodeBack: Rule<'challenge-unsent'> = (memory, { id }) => {
  const { student } = memory;
  const challenges = student.challenges.map((row) => (row.id === id ? { ...row, sends: row.sends - 1 } : row));
  return { answer: noted, next: { ...memory, student: { ...student, challenges } } };
};

/** It was passed: its network has not opened it for nothing. */
export const passesChallenge: Rule<'challenge-passed'> = (memory, { id, stepped }, { now }) => {
  const { gateway } = memory;
  const student = stepped
    ? { ...memory.student, person: withPassedStep(memory.student.person, id, now) }
    : memory.student;
  if (!gateway.offered.some((row) => row.id === id)) return { answer: noted, next: { ...memory, student } };
  const offered = gateway.offered.filter((row) => row.id !== id);
  return { answer: noted, next: { ...memory, student, gateway: { ...gateway, offered } } };
};

// ---------------------------------------------------------------- without a person

const needed = ({ wanted, step }: Pick<PersonMark, 'wanted' | 'step'>): Refusal => ({
  type: 'refuse',
  rule: 'G14',
  why: 'person',
  wanted,
  step,
});

/** Whether the campus has begun to ask all students: then no password is sent unattended. */
export const unaskedStop = ({ student, gateway }: GuardMemory, now: number): Refusal | null => {
  const { stop } = gateway;
  return stop === null || student.letUntil > now ? null : needed(stop);
};

/** A portal that wants an image of our address is looked at now and then, and by few. */
export const wantsPortal: Rule<'portal-wanted'> = (memory, _event, { now }) => {
  const { student, gateway } = memory;
  const { studentMs, most, windowMs } = n.person.captcha;
  if (gateway.captcha === null) return { answer: go, next: memory };
  const looked = gateway.captcha.looks.filter((at) => at > now - windowMs);
  if (student.captchaLookAt > now - studentMs || looked.length >= most) {
    return { answer: needed({ wanted: 'captcha', step: 'portal' }), next: memory };
  }
  return {
    answer: go,
    next: {
      ...memory,
      student: { ...student, captchaLookAt: now },
      gateway: { ...gateway, captcha: { looks: [...looked, now] } },
    },
  };
};

/** The portal announced an image before the password, and nothing was sent. */
export const meetsCaptcha: Rule<'captcha-met'> = (memory, _event, { now }) => {
  const { student, gateway } = memory;
  const captcha = gateway.captcha ?? { looks: [now] };
  return {
    answer: noted,
    next: { ...memory, student: { ...student, captchaLookAt: now }, gateway: { ...gateway, captcha } },
  };
};

const isOpen = (student: string, now: number) => (row: GatewayMemory['unasked'][number]) =>
  row.student !== student && row.met === null && row.at > now - n.person.unasked.openMs;

/**
 * A password is about to be sent unattended. Whether a code rings for it is unknown before: so as many are
 * under way at once, over all replicas, as may still ring.
 */
export const beginsPost: Rule<'post-begins'> = (memory, { tag }, { now }) => {
  const { student } = memory;
  const gateway = memory.gateway.captcha === null ? memory.gateway : { ...memory.gateway, captcha: null };
  const next = { ...memory, gateway };
  const mark = markOf(memory, now);
  // It held no longer when this waited for its turn, or does so again.
  if (student.person !== null && mark === 'holds') return { answer: needed(student.person), next };
  // Its first step has been met and counted, and an attended sign-in has gone without one since.
  if (mark === 'lifted') return { answer: go, next };
  const stop = unaskedStop(memory, now);
  if (stop) return { answer: stop, next };
  const met = gateway.unasked.filter((row) => row.met !== null).length;
  const open = gateway.unasked.filter(isOpen(tag, now)).length;
  if (met + open >= n.person.unasked.most) return { answer: { type: 'turn-awaited' }, next };
  const others = gateway.unasked.filter((row) => row.student !== tag || row.met !== null);
  const unasked = [...others, { student: tag, at: now, met: null }];
  return { answer: go, next: { ...memory, gateway: { ...gateway, unasked } } };
};

export const endsPost: Rule<'post-ended'> = (memory, { tag }) => {
  const { gateway } = memory;
  const unasked = gateway.unasked.filter((row) => row.student !== tag || row.met !== null);
  const next = unasked.length === gateway.unasked.length ? memory : { ...memory, gateway: { ...gateway, unasked } };
  return { answer: noted, next };
};

/** A step met by an unattended sign-in. The third one within a day, by students without a mark, stops all. */
export const withUnaskedStep = (
  { student, gateway }: GuardMemory,
  tag: string,
  { wanted, step = 'portal' }: Extract<AskOutcome, { type: 'person' }>,
  now: number,
): GatewayMemory => {
  const others = gateway.unasked.filter((row) => row.student !== tag);
  if (student.person !== null)
    return others.length === gateway.unasked.length ? gateway : { ...gateway, unasked: others };
  const unasked = [...others, { student: tag, at: now, met: wanted }];
  const students = unasked.filter((row) => row.met !== null).map((row) => row.student);
  const stop = students.length >= n.person.unasked.most ? { wanted, step, students } : gateway.stop;
  return { ...gateway, unasked, stop };
};

/** An attended sign-in went through without a second step. */
export const withoutStep = (student: StudentMemory, { stop }: GatewayMemory, now: number): StudentMemory => {
  const until = now + n.person.liftMs;
  const lifted = student.person === null ? student : { ...student, person: { ...student.person, liftedUntil: until } };
  return stop === null ? lifted : { ...lifted, letUntil: until };
};

/** The same, for all: one of those who met a step meets none any more. */
export const withoutStop = (gateway: GatewayMemory, tag: string): GatewayMemory =>
  gateway.stop?.students.includes(tag)
    ? { ...gateway, stop: null, unasked: gateway.unasked.filter((row) => row.met === null) }
    : gateway;
