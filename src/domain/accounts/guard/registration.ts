import { signInSteps } from '../../errors.ts';
import {
  campusWait,
  codeWait,
  gatewayWait,
  secondsUntilFree,
  withAnswers,
  withForeignAcceptance,
  withMarker,
  withRegistration,
} from './campus.ts';
import { hasTry, pairNames, withTryUsed } from './comparing.ts';
import type { Caller, GuardDecision, GuardEvent, GuardMemory } from './events.ts';
import { refusedBefore } from './login.ts';
import type { Ask, StudentMemory } from './memory.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  campusErrs,
  givenBack,
  go,
  isGivenBack,
  noted,
  pauseAfter,
  pauseLeft,
  unheldWait,
  wait,
  waitAfter,
  withAccepted,
  withEnd,
  withLoginNetwork,
  withoutSecret,
  withRefused,
  withRefusedSecret,
  withUnheld,
  withUnheldHere,
} from './parts.ts';
import { stepRefusal, withoutStep, withoutStop } from './person.ts';
import { withQuiet } from './quiet.ts';

/**
 * Who registers is a stranger, unless the operator has vouched for him: other tokens there are none yet. A budget that
 * was only given back by the operator would be spent by another stranger first.
 */
const registrantOf = (student: StudentMemory, caller: Caller): 'stranger' | 'unlock' =>
  hasTry(student, caller) ? 'unlock' : 'stranger';

/** G5, the part of the student id. */
export const registrationWait = (
  { student, network }: GuardMemory,
  caller: Caller,
  perDay: number,
  now: number,
): number => {
  const { asks } = student;
  const by = registrantOf(student, caller);
  const again = waitAfter(student, by, now);
  if (by === 'unlock') return Math.max(again, secondsUntilFree(asks, perDay, n.asks.windowMs, now));
  const here = caller.trusted ? [] : asks.filter((ask) => ask.network === caller.network);
  const most = caller.trusted || network.acceptedAt > 0 ? perDay - 1 : perDay - 2;
  return Math.max(
    again,
    secondsUntilFree(asks, most, n.asks.windowMs, now),
    secondsUntilFree(here, n.registrations.networkPerDay, n.asks.windowMs, now),
  );
};

export const beginsRegistration = (
  memory: GuardMemory,
  { id, invite, caller, prints }: Extract<GuardEvent, { type: 'registration-begins' }>,
  perDay: number,
  now: number,
): GuardDecision => {
  const { student, gateway, code } = memory;
  const group = 'registration';
  // As to owners: a new password may take effect late, and who registers mostly is the student.
  const step = refusedBefore(student, 'known', { prints }, now);
  if (step !== undefined) return { answer: { type: 'refuse', rule: 'G3b', why: 'credentials', step }, next: memory };
  const ownWait = Math.max(registrationWait(memory, caller, perDay, now), codeWait(code, invite, caller, now));
  const refusal =
    wait('G5', 'registration-wait', ownWait) ??
    wait('G4', 'paused', pauseLeft(student.foreignPause, now)) ??
    wait('G4', 'paused', campusWait(gateway, group, now)) ??
    wait('G13', 'paused', unheldWait(student, 'attended', now)) ??
    wait('G7', 'gateway-wait', gatewayWait(gateway, group, caller, now)) ??
    stepRefusal(memory, caller, 'registration-wait', now);
  if (refusal) return { answer: refusal, next: memory };
  if (id === null) return { answer: go, next: memory };
  const by = registrantOf(student, caller);
  const { network } = caller;
  const ask: Ask = {
    id,
    at: now,
    by,
    network,
    state: 'open',
    endedAt: now,
    setAside: false,
    pair: pairNames({ prints })[0] ?? '',
  };
  const known = by === 'unlock' ? withTryUsed(student) : student;
  return {
    answer: go,
    next: {
      ...memory,
      student: { ...known, asks: [...known.asks, ask] },
      gateway: withRefused(gateway, id, group, caller, now),
      code: { ...code, refused: [...code.refused, { id, at: now, network, invite }] },
    },
  };
};

/** One that was given back while a person answered counts again, for the network that it came from. */
const bookedAgain = (
  { student, gateway, code }: GuardMemory,
  { id, resumed, caller }: Extract<GuardEvent, { type: 'registration-ended' }>,
  now: number,
): Pick<GuardMemory, 'gateway' | 'code'> => {
  if (resumed === undefined || code.refused.some((row) => row.id === id)) return { gateway, code };
  const network = student.asks.find((ask) => ask.id === id)?.network ?? caller.network;
  return {
    gateway: withRefused(gateway, id, 'registration', { ...caller, network }, now),
    code: { ...code, refused: [...code.refused, { id, at: now, network, invite: resumed }] },
  };
};

export const endsRegistration = (
  memory: GuardMemory,
  event: Extract<GuardEvent, { type: 'registration-ended' }>,
  now: number,
): GuardDecision => {
  const { id, caller, prints, tag, outcome } = event;
  const isAnswer = outcome.type !== 'unsent' && outcome.type !== 'unknown';
  const answered = isAnswer ? withAnswers(memory.gateway, 'registration', 1, now) : memory.gateway;
  const quiet = withQuiet(answered, memory.student.person, outcome, true, now);
  const gateway = withUnheldHere(quiet, outcome, tag, now);
  const errs = outcome.type === 'refused' ? campusErrs(gateway, now) : null;
  const told = errs ? ({ type: 'unknown' } as const) : outcome;
  // The student's ask stays booked while the step has not been taken; no wrong password has reached the campus.
  const waits = outcome.type === 'person' && outcome.offered === true;
  const asks = withEnd(memory.student.asks, id, told, now, waits);
  const student = withUnheld({ ...memory.student, asks }, outcome, 'attended', now);
  if (isGivenBack(outcome)) {
    const free = givenBack(gateway, id);
    const code = { ...memory.code, refused: memory.code.refused.filter((row) => row.id !== id) };
    const next = { ...memory, student, gateway: free, code };
    if (outcome.type !== 'accepted') return { answer: noted, next };
    let proven: StudentMemory = { ...student, foreignPause: null, provenAt: now };
    if (!outcome.stepped) proven = withoutStep(proven, free, now);
    for (const step of signInSteps) proven = withoutSecret(proven, step, prints[step]);
    return {
      answer: noted,
      next: {
        ...next,
        ...withRegistration(
          withForeignAcceptance(outcome.stepped ? free : withoutStop(free, tag), now),
          code,
          caller.network,
          now,
        ),
        student: withLoginNetwork(proven, caller.home, now),
        network: withAccepted(memory.network, now),
      },
    };
  }
  const next = { ...memory, student, ...bookedAgain({ ...memory, gateway }, event, now) };
  if (errs) return { answer: errs, next };
  if (outcome.type === 'refused') {
    const { step } = outcome;
    const known = withRefusedSecret(student, step, prints[step][0], false, now);
    // Who is refused at the second step has passed the first.
    const passed = step === 'unified-login' ? withoutSecret(known, 'portal', prints.portal) : known;
    return { answer: noted, next: { ...next, student: passed } };
  }
  if (outcome.type !== 'marker') return { answer: noted, next };
  const foreignPause = pauseAfter(student.foreignPause, now);
  return {
    answer: { ...noted, pausedSeconds: foreignPause.seconds },
    next: {
      ...next,
      student: { ...student, foreignPause },
      gateway: withMarker(next.gateway, 'registration', tag, now),
    },
  };
};
