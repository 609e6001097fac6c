import { acceptanceMatters, secondsUntil, withMarker, withStoredAcceptance, withStoredRefusal } from './campus.ts';
import type { GuardDecision, GuardEvent, GuardMemory, Refusal } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  campusErrs,
  comparingWait,
  go,
  noted,
  pauseAfter,
  pauseLeft,
  wait,
  withMismatch,
  withRefusedSecret,
} from './parts.ts';

export const wantsStored = (
  memory: GuardMemory,
  { stored }: Extract<GuardEvent, { type: 'stored-wanted' }>,
  now: number,
): GuardDecision => {
  const { student, gateway } = memory;
  const refused = (answer: Refusal): GuardDecision => ({ answer, next: memory });
  if (stored === 'none') return refused({ type: 'refuse', rule: 'G1', why: 'no-pair' });
  if (stored !== 'good') return refused({ type: 'refuse', rule: 'G3a', why: 'set-aside', step: stored });
  const paused = wait('G4', 'paused', pauseLeft(student.ownPause, now));
  if (paused) return refused(paused);
  if (gateway.brake === null) return { answer: { type: 'sign-in' }, next: memory };
  // One at a time finds out whether the trouble is over.
  const braked = wait(
    gateway.brake.why === 'markers' ? 'G4' : 'G12',
    'paused',
    secondsUntil(gateway.brake.nextAt, now),
  );
  if (braked) return refused(braked);
  const brake = { ...gateway.brake, nextAt: now + n.campus.probeMs };
  return { answer: { type: 'sign-in' }, next: { ...memory, gateway: { ...gateway, brake } } };
};

export const endsStored = (
  memory: GuardMemory,
  { tag, outcome, storedPrints }: Extract<GuardEvent, { type: 'stored-ended' }>,
  now: number,
): GuardDecision => {
  const { student, gateway } = memory;
  switch (outcome.type) {
    case 'unsent':
    case 'unknown':
      return { answer: noted, next: memory };
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
      const stale = student.provenAt <= now - n.right.noteMs || student.ownPause !== null;
      return {
        answer: noted,
        next: {
          ...memory,
          student: stale ? { ...student, ownPause: null, provenAt: now } : student,
          gateway: acceptanceMatters(gateway, now) ? withStoredAcceptance(gateway, now) : gateway,
        },
      };
    }
  }
};

/** G10: by the holder's budget; the login waits for nothing that happens here. */
export const wantsDeletion = (
  memory: GuardMemory,
  { caller, equal }: Extract<GuardEvent, { type: 'deletion-wanted' }>,
  now: number,
): GuardDecision => {
  const over = wait('G2', 'login-wait', comparingWait(memory.student, 'holder', caller, now));
  if (over) return { answer: over, next: memory };
  if (equal) return { answer: go, next: memory };
  const student = withMismatch(memory.student, 'holder', caller, now);
  return { answer: { type: 'refuse', rule: 'G10', why: 'proof' }, next: { ...memory, student } };
};
