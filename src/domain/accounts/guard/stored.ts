import {
  acceptanceMatters,
  answersMatter,
  brakeEnds,
  secondsUntil,
  secondsUntilFree,
  withAnswers,
  withMarker,
  withProbe,
  withStoredAcceptance,
  withStoredRefusal,
} from './campus.ts';
import { isEqual, standingOf, withMismatch } from './comparing.ts';
import type { GuardDecision, GuardEvent, GuardMemory, Refusal } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  campusErrs,
  go,
  noted,
  pauseAfter,
  pauseLeft,
  unheldWait,
  wait,
  withAccepted,
  withLoginNetwork,
  withRefusedSecret,
  withUnheld,
  withUnheldHere,
} from './parts.ts';
import { stepRefusal, unaskedStop, withoutStep, withoutStop, withUnaskedStep } from './person.ts';
import { markOf, withQuiet } from './quiet.ts';

export const wantsStored = (
  memory: GuardMemory,
  { stored, tag, attended, caller }: Extract<GuardEvent, { type: 'stored-wanted' }>,
  now: number,
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
 * Whether the guard has nothing against asking the campus for a student whom nobody waits for: a wait, a mark or a trouble
 * of everybody forbids it, also where a password would not be needed.
 */
export const isQuiet = (memory: GuardMemory, now: number): boolean => {
  const { brake, stop, captcha } = memory.gateway;
  const wanted = { type: 'stored-wanted', stored: 'good', tag: '', attended: false } as const;
  return (
    brake === null && stop === null && captcha === null && wantsStored(memory, wanted, now).answer.type === 'sign-in'
  );
};

/** G13: sessions that end early are opened again only so often; what is booked here is never given back. */
export const renewsEarly = (
  memory: GuardMemory,
  { step }: Extract<GuardEvent, { type: 'early-renewal' }>,
  now: number,
): GuardDecision => {
  const { student } = memory;
  const early = student.early.filter((row) => row.step === step);
  const refusal = wait('G13', 'paused', secondsUntilFree(early, n.unheld.early, n.unheld.windowMs, now));
  if (refusal) return { answer: refusal, next: memory };
  return { answer: go, next: { ...memory, student: { ...student, early: [...student.early, { at: now, step }] } } };
};

export const endsStored = (
  memory: GuardMemory,
  { tag, outcome, home, answers = 1, storedPrints }: Extract<GuardEvent, { type: 'stored-ended' }>,
  now: number,
): GuardDecision => {
  const { student } = memory;
  const isAnswer = outcome.type !== 'unsent' && outcome.type !== 'unknown';
  const matters = isAnswer && (outcome.type !== 'accepted' || answersMatter(memory.gateway, answers));
  const answered = matters ? withAnswers(memory.gateway, 'stored', answers, now) : memory.gateway;
  const gateway = withQuiet(answered, student.person, outcome, home !== undefined, now);
  switch (outcome.type) {
    case 'unsent':
    case 'unknown':
      return { answer: noted, next: memory };
    case 'passed':
    case 'unheld':
    case 'unread':
    case 'person': {
      const by = home === undefined ? 'stored' : 'attended';
      const told = withUnheld(student, outcome, by, now);
      const pausedSeconds = by === 'stored' ? unheldWait(told, by, now) : 0;
      const unasked = by === 'stored' && outcome.type === 'person';
      const counted = unasked ? withUnaskedStep({ ...memory, gateway }, tag, outcome, now) : gateway;
      const next = { ...memory, student: told, gateway: withUnheldHere(counted, outcome, tag, now) };
      return { answer: { ...noted, pausedSeconds }, next };
    }
    case 'marker': {
      const ownPause = pauseAfter(student.ownPause, now);
      // The campus watches this student: whoever else tries would make it worse.
      const foreignPause = pauseAfter(student.foreignPause, now);
      return {
        answer: { ...noted, pausedSeconds: ownPause.seconds },
        next: {
          ...memory,
          student: { ...student, ownPause, foreignPause },
          gateway: withMarker(gateway, 'stored', tag, now),
        },
      };
    }
    case 'refused': {
      const errs = campusErrs(gateway, now);
      const counted = { ...memory, gateway: withStoredRefusal(gateway, tag, now) };
      if (errs) return { answer: errs, next: counted };
      const { step } = outcome;
      const known = withRefusedSecret({ ...student, setAsideAt: now }, step, storedPrints?.[step], false, now);
      return { answer: { ...noted, setAside: step }, next: { ...counted, student: known } };
    }
    case 'accepted': {
      const stale = student.provenAt <= now - n.right.noteMs || student.ownPause !== null || student.rest !== null;
      const fresh = stale ? { ...student, ownPause: null, rest: null, provenAt: now } : student;
      const quiet = home !== undefined && !outcome.stepped;
      const known = quiet ? withoutStep(fresh, gateway, now) : fresh;
      const free = quiet ? withoutStop(gateway, tag) : gateway;
      return {
        answer: noted,
        next: {
          ...memory,
          student: withLoginNetwork(known, home ?? [], now),
          network: home === undefined ? memory.network : withAccepted(memory.network, now),
          gateway: acceptanceMatters(free, now) ? withStoredAcceptance(free, now) : free,
        },
      };
    }
  }
};

/** G10: by the budgets of the token that came with the call; no login waits for what happens here. */
export const wantsDeletion = (
  memory: GuardMemory,
  { caller, pair }: Extract<GuardEvent, { type: 'deletion-wanted' }>,
  now: number,
): GuardDecision => {
  const standing = standingOf(memory.student, caller, now);
  const over = wait('G2', 'login-wait', standing.waitSeconds);
  if (over) return { answer: over, next: memory };
  if (isEqual(pair)) return { answer: go, next: memory };
  const student = withMismatch(memory.student, standing, caller, pair, now);
  return { answer: { type: 'refuse', rule: 'G10', why: 'proof' }, next: { ...memory, student } };
};
