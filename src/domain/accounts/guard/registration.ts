import {
  campusWait,
  codeWait,
  gatewayWait,
  type Place,
  secondsUntilFree,
  withForeignAcceptance,
  withMarker,
  withRegistration,
} from './campus.ts';
import type { GuardDecision, GuardEvent, GuardMemory } from './events.ts';
import type { RegistrationAsk, StudentMemory } from './memory.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  campusErrs,
  givenBack,
  go,
  noted,
  pauseAfter,
  pauseLeft,
  wait,
  waitAfter,
  withEnd,
  withNetwork,
  withRefused,
} from './parts.ts';

/** G5, the part of the student id. */
export const registrationWait = (student: StudentMemory, place: Place, now: number): number => {
  const { perDay, networkPerDay, windowMs, waitsMs } = n.registrations;
  const rows = student.registrations;
  const here = place.trusted ? [] : rows.filter(({ network }) => network === place.network);
  return Math.max(
    secondsUntilFree(rows, perDay, windowMs, now),
    secondsUntilFree(here, networkPerDay, windowMs, now),
    waitAfter(rows, waitsMs, now),
  );
};

export const beginsRegistration = (
  memory: GuardMemory,
  { id, place }: Extract<GuardEvent, { type: 'registration-begins' }>,
  now: number,
): GuardDecision => {
  const { student, gateway, code } = memory;
  const group = 'registration';
  const refusal =
    wait('G5', 'registration-wait', Math.max(registrationWait(student, place, now), codeWait(code, place, now))) ??
    wait('G4', 'paused', pauseLeft(student.foreignPause, now)) ??
    wait('G4', 'paused', campusWait(gateway, group, now)) ??
    wait('G7', 'gateway-wait', gatewayWait(gateway, group, place, now));
  if (refusal) return { answer: refusal, next: memory };
  if (id === null) return { answer: go, next: memory };
  const ask: RegistrationAsk = { id, at: now, network: place.network, state: 'open', endedAt: now };
  return {
    answer: go,
    next: {
      student: { ...student, registrations: [...student.registrations, ask] },
      gateway: withRefused(gateway, id, group, place, now),
      code: { ...code, refused: [...code.refused, { id, at: now, network: place.network }] },
    },
  };
};

export const endsRegistration = (
  memory: GuardMemory,
  { id, place, home, tag, outcome }: Extract<GuardEvent, { type: 'registration-ended' }>,
  now: number,
): GuardDecision => {
  const errs = outcome.type === 'refused' ? campusErrs(memory.gateway, now) : null;
  const told = errs ? ({ type: 'unknown' } as const) : outcome;
  const student = { ...memory.student, registrations: withEnd(memory.student.registrations, id, told, now) };
  if (outcome.type === 'accepted' || outcome.type === 'unsent') {
    const free = givenBack(memory.gateway, id);
    const gateway = outcome.type === 'accepted' ? withForeignAcceptance(free, now) : free;
    const code = { ...memory.code, refused: memory.code.refused.filter((row) => row.id !== id) };
    if (outcome.type === 'unsent') return { answer: noted, next: { student, gateway, code } };
    const proven = withNetwork({ ...student, foreignPause: null, provenAt: now }, home, now);
    return { answer: noted, next: { student: proven, ...withRegistration(gateway, code, place.network, now) } };
  }
  const next = { ...memory, student };
  if (errs) return { answer: errs, next };
  if (outcome.type !== 'marker') return { answer: noted, next };
  const foreignPause = pauseAfter(student.foreignPause, now);
  return {
    answer: { ...noted, pausedSeconds: foreignPause.seconds },
    next: {
      ...next,
      student: { ...student, foreignPause },
      gateway: withMarker(memory.gateway, 'registration', tag, now),
    },
  };
};
