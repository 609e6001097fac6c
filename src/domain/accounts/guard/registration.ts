import type { Ask, StudentMemory } from '../records.ts';
import { campusWait, codeWait, gatewayWait, secondsUntilFree, withRegistration } from './campus.ts';
import { hasTry, pairNames, withTryUsed } from './comparing.ts';
import {
  campusErrs,
  isGivenBack,
  meetsMarker,
  withAcceptance,
  withEnd,
  withEnding,
  withRefusal,
  withUnheld,
} from './endings.ts';
import type { Caller, GuardEvents, GuardMemory, Rule } from './events.ts';
import { refusedBefore } from './login.ts';
import { guardNumbers as n } from './numbers.ts';
import { givenBack, go, noted, pauseLeft, unheldWait, wait, waitAfter, withRefused } from './parts.ts';
import { stepRefusal } from './person.ts';

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

export const beginsRegistration: Rule<'registration-begins'> = (
  memory,
  { id, invite, caller, prints },
  { now, perDay },
) => {
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
  const asker = by === 'unlock' ? withTryUsed(student) : student;
  return {
    answer: go,
    next: {
      ...memory,
      student: { ...asker, asks: [...asker.asks, ask] },
      gateway: withRefused(gateway, id, group, caller, now),
      code: { ...code, refused: [...code.refused, { id, at: now, network, invite }] },
    },
  };
};

/** One that was given back while a person answered counts again, for the network that it came from. */
const bookedAgain = (
  { student, gateway, code }: GuardMemory,
  { id, resumed, caller }: GuardEvents['registration-ended'],
  now: number,
): Pick<GuardMemory, 'gateway' | 'code'> => {
  if (resumed === undefined || code.refused.some((row) => row.id === id)) return { gateway, code };
  const network = student.asks.find((ask) => ask.id === id)?.network ?? caller.network;
  return {
    gateway: withRefused(gateway, id, 'registration', { ...caller, network }, now),
    code: { ...code, refused: [...code.refused, { id, at: now, network, invite: resumed }] },
  };
};

export const endsRegistration: Rule<'registration-ended'> = (memory, event, { now }) => {
  const { id, caller, prints, tag, outcome } = event;
  const gateway = withEnding(memory, 'registration', event, true, now);
  const errs = outcome.type === 'refused' ? campusErrs(gateway, now) : null;
  // The student's ask stays booked while the step has not been taken; no wrong password has reached the campus.
  const waits = outcome.type === 'person' && outcome.offered === true;
  const asks = withEnd(memory.student.asks, id, errs ? { type: 'unknown' } : outcome, now, waits);
  const student = withUnheld({ ...memory.student, asks }, outcome, 'attended', now);
  if (isGivenBack(outcome)) {
    const code = { ...memory.code, refused: memory.code.refused.filter((row) => row.id !== id) };
    const next = { ...memory, student, gateway: givenBack(gateway, id), code };
    if (outcome.type !== 'accepted') return { answer: noted, next };
    const accepted = withAcceptance(next, { ...event, outcome }, now);
    return { answer: noted, next: { ...accepted, ...withRegistration(accepted.gateway, code, caller.network, now) } };
  }
  const next = { ...memory, student, ...bookedAgain({ ...memory, gateway }, event, now) };
  if (errs) return { answer: errs, next };
  if (outcome.type === 'refused') {
    return { answer: noted, next: { ...next, student: withRefusal(student, outcome.step, prints, now) } };
  }
  return outcome.type === 'marker' ? meetsMarker(next, 'registration', tag, now) : { answer: noted, next };
};
