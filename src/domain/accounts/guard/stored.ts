import {
  acceptanceMatters,
  answersMatter,
  brakeEnds,
  secondsUntil,
  secondsUntilFree,
  withProbe,
  withStoredAcceptance,
  withStoredRefusal,
} from './campus.ts';
import { isEqual, standingOf, withMismatch } from './comparing.ts';
import { campusErrs, meetsMarker, withAccepted, withEnding, withUnheld } from './endings.ts';
import type { GuardDecision, GuardEvents, GuardMemory, Moment, Refusal, Rule } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  go,
  markOf,
  noted,
  pauseAfter,
  pauseLeft,
  unheldWait,
  wait,
  withLoginNetwork,
  withRefusedSecret,
} from './parts.ts';
import { stepRefusal, unaskedStop, withoutStep, withoutStop, withUnaskedStep } from './person.ts';

export const wantsStored = (
  memory: GuardMemory,
  { stored, tag, attended, caller }: GuardEvents['stored-wanted'],
  { now }: Pick<Moment, 'now'>,
): GuardDecision => {
  const { student, gateway } = memory;
  const refused = (answer: Refusal): GuardDecision => ({ answer, next: memory });
  if (stored === 'none') return refused({ type: 'refuse', rule: 'G1', why: 'no-pair' });
  if (stored !== 'good') return refused({ type: 'refuse', rule: 'G3a', why: 'set-aside', step: stored });
  const { person } = student;
  const mark = markOf(memory, now);
  if (person !== null && !attended && mark === 'holds') {
    return refused({ type: 'refuse', rule: 'G13', why: 'person', wanted: person.wanted, step: person.step });
  }
  const stopped = attended || mark === 'lifted' ? null : unaskedStop(memory, now);
  if (stopped) return refused(stopped);
  const paused =
    wait('G4', 'paused', pauseLeft(student.ownPause, now)) ??
    wait('G13', 'paused', unheldWait(student, attended ? 'attended' : 'stored', now)) ??
    (caller ? stepRefusal(memory, caller, 'login-wait', now) : null);
  if (paused) return refused(paused);
  if (gateway.brake === null) return { answer: { type: 'sign-in' }, next: memory };
  // One at a time finds out whether the trouble is over.
  const braked = wait(
    gateway.brake.unheldSince !== undefined ? 'G13' : gateway.brake.why === 'markers' ? 'G4' : 'G12',
    'paused',
    secondsUntil(brakeEnds(gateway, tag, now), now),
  );
  if (braked) return refused(braked);
  return { answer: { type: 'sign-in' }, next: { ...memory, gateway: withProbe(gateway, now) } };
};

/**
 * Whether the guard has nothing against asking the campus for a student unattended: a wait, a mark or a trouble
 * of all forbids it, also where a password would not be needed.
 */
export const isQuiet = (memory: GuardMemory, now: number): boolean => {
  const { brake, stop, captcha } = memory.gateway;
  const wanted = { stored: 'good', tag: '', attended: false } as const;
  return (
    brake === null &&
    stop === null &&
    captcha === null &&
    wantsStored(memory, wanted, { now }).answer.type === 'sign-in'
  );
};

/** G13: sessions that end early are opened again only so often; what is booked here is never given back. */
export const renewsEarly: Rule<'early-renewal'> = (memory, { step }, { now }) => {
  const { student } = memory;
  const early = student.early.filter((row) => row.step === step);
  const refusal = wait('G13', 'paused', secondsUntilFree(early, n.unheld.early, n.unheld.windowMs, now));
  if (refusal) return { answer: refusal, next: memory };
  return { answer: go, next: { ...memory, student: { ...student, early: [...student.early, { at: now, step }] } } };
};

export const endsStored: Rule<'stored-ended'> = (memory, event, { now }) => {
  const { tag, outcome, home, answers = 1, storedPrints } = event;
  const { student } = memory;
  const isLogin = home !== undefined;
  const matters = outcome.type !== 'accepted' || answersMatter(memory.gateway, answers);
  const gateway = withEnding(memory, 'stored', event, isLogin, now, matters ? answers : 0);
  switch (outcome.type) {
    case 'unsent':
    case 'unknown':
      return { answer: noted, next: memory };
    case 'passed':
    case 'unheld':
    case 'unread':
    case 'person': {
      const by = isLogin ? 'attended' : 'stored';
      const told = withUnheld(student, outcome, by, now);
      const pausedSeconds = isLogin ? 0 : unheldWait(told, by, now);
      const unasked = !isLogin && outcome.type === 'person';
      const counted = unasked ? withUnaskedStep({ ...memory, gateway }, tag, outcome, now) : gateway;
      return { answer: { ...noted, pausedSeconds }, next: { ...memory, student: told, gateway: counted } };
    }
    case 'marker': {
      const ownPause = pauseAfter(student.ownPause, now);
      // The campus watches this student: any other try would make it worse.
      const { next } = meetsMarker({ ...memory, student: { ...student, ownPause }, gateway }, 'stored', tag, now);
      return { answer: { ...noted, pausedSeconds: ownPause.seconds }, next };
    }
    case 'refused': {
      const errs = campusErrs(gateway, now);
      const counted = { ...memory, gateway: withStoredRefusal(gateway, tag, now) };
      if (errs) return { answer: errs, next: counted };
      const { step } = outcome;
      const updated = withRefusedSecret({ ...student, setAsideAt: now }, step, storedPrints?.[step], false, now);
      return { answer: { ...noted, setAside: step }, next: { ...counted, student: updated } };
    }
    case 'accepted': {
      const stale = student.provenAt <= now - n.right.noteMs || student.ownPause !== null || student.rest !== null;
      const fresh = stale ? { ...student, ownPause: null, rest: null, provenAt: now } : student;
      const isQuietLogin = isLogin && !outcome.stepped;
      const updated = isQuietLogin ? withoutStep(fresh, gateway, now) : fresh;
      const free = isQuietLogin ? withoutStop(gateway, tag) : gateway;
      return {
        answer: noted,
        next: {
          ...memory,
          student: withLoginNetwork(updated, home ?? [], now),
          network: isLogin ? withAccepted(memory.network, now) : memory.network,
          gateway: acceptanceMatters(free, now) ? withStoredAcceptance(free, now) : free,
        },
      };
    }
  }
};

/** G10: by the budgets of the token that came with the call; no login waits for what happens here. */
export const wantsDeletion: Rule<'deletion-wanted'> = (memory, { caller, pair }, { now }) => {
  const standing = standingOf(memory.student, caller, now);
  const over = wait('G2', 'login-wait', standing.waitSeconds);
  if (over) return { answer: over, next: memory };
  if (isEqual(pair)) return { answer: go, next: memory };
  const student = withMismatch(memory.student, standing, caller, pair, now);
  return { answer: { type: 'refuse', rule: 'G10', why: 'proof' }, next: { ...memory, student } };
};
