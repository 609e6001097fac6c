import type { SignInStep } from '../../errors.ts';
import {
  campusWait,
  gatewayWait,
  type Place,
  secondsUntil,
  secondsUntilFree,
  withForeignAcceptance,
  withMarker,
} from './campus.ts';
import {
  type Caller,
  type GuardDecision,
  type GuardEvent,
  type GuardMemory,
  type Refusal,
  type SubmittedPair,
  steps,
} from './events.ts';
import type { Ask, AskGroup, CallerClass, StudentMemory } from './memory.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  campusErrs,
  comparingWait,
  givenBack,
  go,
  noted,
  pauseAfter,
  pauseLeft,
  wait,
  waitAfter,
  withEnd,
  withMismatch,
  withNetwork,
  withRefused,
  withRefusedSecret,
} from './parts.ts';

/** The best class that is true. It is not changed by its budget being spent. */
export const classOf = (student: StudentMemory, caller: Caller): CallerClass => {
  if (caller.holder || (caller.proof !== null && student.unlock?.hash === caller.proof)) return 'holder';
  return student.networks.some(({ network }) => caller.home.includes(network)) ? 'known' : 'stranger';
};

const groupOf = (by: CallerClass): AskGroup => (by === 'stranger' ? 'stranger' : 'owner');

/** G3, the budgets: each class leaves one ask a day to the better ones. */
const askBudgetWait = (student: StudentMemory, by: CallerClass, perDay: number, now: number): number => {
  const { windowMs } = n.asks;
  const bounds: Array<{ rows: readonly Ask[]; most: number }> = [{ rows: student.asks, most: perDay }];
  if (by !== 'holder') bounds.push({ rows: student.asks.filter((ask) => ask.by !== 'holder'), most: perDay - 1 });
  if (by === 'stranger') bounds.push({ rows: student.asks.filter((ask) => ask.by === by), most: perDay - 2 });
  return Math.max(...bounds.map(({ rows, most }) => secondsUntilFree(rows, most, windowMs, now)));
};

/** G3a. */
const setAsideWait = (student: StudentMemory, now: number): number => {
  const { firstMs, nextMs, most } = n.asks.setAside;
  const tries = student.asks.filter((ask) => ask.setAside);
  return Math.max(
    secondsUntil(student.setAsideAt + firstMs, now),
    ...tries.map(({ at }) => secondsUntil(at + nextMs, now)),
    secondsUntilFree(tries, most, n.asks.windowMs, now),
  );
};

/** G3b: the step at which one of these secrets has been refused already. */
const refusedBefore = (
  student: StudentMemory,
  by: CallerClass,
  pair: SubmittedPair,
  now: number,
): SignInStep | undefined => {
  const { strangerMs, replacedMs, ownerMs } = n.asks.refusedSecrets;
  const lasts = (replaced: boolean): number => (by !== 'stranger' ? ownerMs : replaced ? replacedMs : strangerMs);
  return steps.find((step) =>
    student.refusedSecrets.some(
      (row) => row.step === step && pair.prints[step].includes(row.print) && row.at > now - lasts(row.replaced),
    ),
  );
};

const isEqual = ({ stored, equalAt }: SubmittedPair): boolean =>
  stored !== 'none' && equalAt.portal && equalAt['unified-login'];

/** What stands between a pair that is not the good stored one and the campus. */
const askRefusal = (
  { student, gateway }: GuardMemory,
  by: CallerClass,
  caller: Place,
  pair: SubmittedPair,
  perDay: number,
  now: number,
): Refusal | null => {
  const setAside = isEqual(pair);
  if (!setAside) {
    const step = refusedBefore(student, by, pair, now);
    if (step !== undefined) return { type: 'refuse', rule: 'G3b', why: 'credentials', step };
  }
  const ownWait = setAside
    ? setAsideWait(student, now)
    : waitAfter(
        student.asks.filter((ask) => ask.by === by),
        n.asks.waitsMs,
        now,
      );
  return (
    wait(setAside ? 'G3a' : 'G3', 'login-wait', Math.max(ownWait, askBudgetWait(student, by, perDay, now))) ??
    wait('G4', 'paused', pauseLeft(student.foreignPause, now)) ??
    wait('G4', 'paused', campusWait(gateway, by, now)) ??
    wait('G7', 'gateway-wait', gatewayWait(gateway, groupOf(by), caller, now))
  );
};

const withoutSecret = (student: StudentMemory, step: SignInStep, prints: readonly string[]): StudentMemory => ({
  ...student,
  refusedSecrets: student.refusedSecrets.filter((row) => row.step !== step || !prints.includes(row.print)),
});

export const wantsLogin = (
  memory: GuardMemory,
  { caller, pair, healthy }: Extract<GuardEvent, { type: 'login-wanted' }>,
  perDay: number,
  now: number,
): GuardDecision => {
  const by = classOf(memory.student, caller);
  const over = wait('G2', 'login-wait', comparingWait(memory.student, by, caller, now));
  if (over) return { answer: over, next: memory };
  // An unlock token has a few tries, whatever they come to.
  const { unlock } = memory.student;
  const student: StudentMemory =
    !caller.holder && by === 'holder' && unlock !== null
      ? { ...memory.student, unlock: { ...unlock, tries: unlock.tries - 1 } }
      : memory.student;
  if (isEqual(pair) && pair.stored === 'good') {
    const many = wait(
      'G1',
      'login-wait',
      secondsUntilFree(
        student.rightLogins.map((at) => ({ at })),
        n.right.most,
        n.right.windowMs,
        now,
      ),
    );
    if (many) return { answer: many, next: { ...memory, student } };
    const foreignStopped =
      pauseLeft(student.foreignPause, now) > 0 || askBudgetWait(student, 'stranger', perDay, now) > 0;
    const proven = healthy || (foreignStopped && student.provenAt > now - n.right.trustMs);
    const counted = { ...student, rightLogins: [...student.rightLogins, now] };
    return proven
      ? { answer: { type: 'token' }, next: { ...memory, student: withNetwork(counted, caller.home, now) } }
      : { answer: { type: 'sign-in' }, next: { ...memory, student: counted } };
  }
  const differs = pair.stored !== 'none' && !isEqual(pair);
  const next = { ...memory, student: differs ? withMismatch(student, by, caller, now) : student };
  return { answer: askRefusal(next, by, caller, pair, perDay, now) ?? { type: 'ask', by }, next };
};

export const beginsAsk = (
  memory: GuardMemory,
  { id, by, caller, pair }: Extract<GuardEvent, { type: 'ask-begins' }>,
  perDay: number,
  now: number,
): GuardDecision => {
  const refusal = askRefusal(memory, by, caller, pair, perDay, now);
  if (refusal) return { answer: refusal, next: memory };
  const { student, gateway } = memory;
  const ask: Ask = { id, at: now, by, state: 'open', endedAt: now, setAside: isEqual(pair) };
  return {
    answer: go,
    next: {
      ...memory,
      student: { ...student, asks: [...student.asks, ask] },
      gateway: withRefused(gateway, id, groupOf(by), caller, now),
    },
  };
};

export const endsAsk = (
  memory: GuardMemory,
  event: Extract<GuardEvent, { type: 'ask-ended' }>,
  now: number,
): GuardDecision => {
  const { id, by, caller, pair, outcome, storedPrints, tag } = event;
  const giveBack = outcome.type === 'accepted' || outcome.type === 'unsent';
  const gateway = giveBack ? givenBack(memory.gateway, id) : memory.gateway;
  const errs = outcome.type === 'refused' ? campusErrs(gateway, now) : null;
  const asks = withEnd(memory.student.asks, id, errs ? { type: 'unknown' } : outcome, now);
  const student = { ...memory.student, asks };
  const next = { ...memory, student, gateway };
  if (errs) return { answer: errs, next };
  switch (outcome.type) {
    case 'unsent':
    case 'unknown':
      return { answer: noted, next };
    case 'marker': {
      const foreignPause = pauseAfter(student.foreignPause, now);
      return {
        answer: { ...noted, pausedSeconds: foreignPause.seconds },
        next: { ...memory, student: { ...student, foreignPause }, gateway: withMarker(gateway, by, tag, now) },
      };
    }
    case 'refused': {
      const { step } = outcome;
      const setsAside = pair.stored === 'good' && pair.equalAt[step];
      let known = withRefusedSecret(student, step, pair.prints[step][0], false, now);
      // Who is refused at the second step has passed the first.
      if (step === 'unified-login') known = withoutSecret(known, 'portal', pair.prints.portal);
      if (setsAside) known = { ...known, setAsideAt: now };
      return { answer: { ...noted, setAside: setsAside ? step : null }, next: { ...next, student: known } };
    }
    case 'accepted': {
      let known: StudentMemory = { ...student, foreignPause: null, ownPause: null, provenAt: now, setAsideAt: 0 };
      for (const step of steps) {
        if (!pair.equalAt[step] && storedPrints) known = withRefusedSecret(known, step, storedPrints[step], true, now);
        known = withoutSecret(known, step, pair.prints[step]);
      }
      const proven = withNetwork(known, caller.home, now);
      return { answer: noted, next: { ...next, student: proven, gateway: withForeignAcceptance(gateway, now) } };
    }
  }
};
