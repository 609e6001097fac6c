import { type SignInStep, signInSteps } from '../../errors.ts';
import type { Ask, AskGroup, CallerClass, StudentMemory } from '../records.ts';
import { campusWait, gatewayWait, secondsUntil, secondsUntilFree } from './campus.ts';
import {
  askerOf,
  hasLastAsk,
  isEqual,
  pairNames,
  standingOf,
  withMismatch,
  withoutMismatches,
  withTryUsed,
} from './comparing.ts';
import {
  campusErrs,
  isGivenBack,
  meetsMarker,
  withAcceptance,
  withAccepted,
  withEnd,
  withEnding,
  withRefusal,
  withUnheld,
} from './endings.ts';
import type { Caller, GuardMemory, Refusal, Rule, SubmittedPair } from './events.ts';
import { guardNumbers as n } from './numbers.ts';
import {
  givenBack,
  go,
  noted,
  pauseLeft,
  unheldWait,
  wait,
  waitAfter,
  withLoginNetwork,
  withRefused,
  withRefusedSecret,
} from './parts.ts';
import { stepRefusal } from './person.ts';
import { wantsStored } from './stored.ts';

const groupOf = (by: CallerClass): AskGroup => (by === 'stranger' ? 'stranger' : 'owner');

/** G3, the budgets: strangers leave two asks of a day to others, and all of them the last one to the owner. */
const askBudgetWait = (
  { asks }: StudentMemory,
  by: CallerClass,
  last: boolean,
  perDay: number,
  now: number,
): number => {
  const { windowMs } = n.asks;
  const strangers = by === 'stranger' ? asks.filter((ask) => ask.by === by) : [];
  return Math.max(
    secondsUntilFree(asks, last ? perDay : perDay - 1, windowMs, now),
    secondsUntilFree(strangers, perDay - 2, windowMs, now),
  );
};

/** G3a: a wait like those of G3, since the refusal of the stored pair may have been the campus's fault. */
const setAsideWait = (student: StudentMemory, perDay: number, now: number): number => {
  const { firstMs, nextMs } = n.asks.setAside;
  const tries = student.asks.filter((ask) => ask.setAside);
  return Math.max(
    secondsUntil(student.setAsideAt + firstMs, now),
    ...tries.map(({ at }) => secondsUntil(at + nextMs, now)),
    secondsUntilFree(tries, Math.floor(perDay / 2), n.asks.windowMs, now),
  );
};

/** G3b: the step at which one of these secrets has been refused already. */
export const refusedBefore = (
  student: StudentMemory,
  by: CallerClass,
  { prints }: Pick<SubmittedPair, 'prints'>,
  now: number,
): SignInStep | undefined => {
  const { strangerMs, replacedMs, ownerMs } = n.asks.refusedSecrets;
  const lasts = (replaced: boolean): number => (by !== 'stranger' ? ownerMs : replaced ? replacedMs : strangerMs);
  return signInSteps.find((step) =>
    student.refusedSecrets.some(
      (row) => row.step === step && prints[step].includes(row.print) && row.at > now - lasts(row.replaced),
    ),
  );
};

/** What stands between a pair that is not the good stored one and the campus. */
const askRefusal = (
  { student, gateway, ...others }: GuardMemory,
  by: CallerClass,
  caller: Caller,
  pair: SubmittedPair,
  perDay: number,
  now: number,
  resumed = false,
): Refusal | null => {
  const setAside = isEqual(pair);
  const asker = askerOf(student, by, caller);
  if (!setAside && !resumed) {
    const step = refusedBefore(student, by, pair, now);
    if (step !== undefined) return { type: 'refuse', rule: 'G3b', why: 'credentials', step };
  }
  const ownWait = setAside ? setAsideWait(student, perDay, now) : waitAfter(student, asker, now);
  const budgetWait = askBudgetWait(student, by, hasLastAsk(student, asker, caller, now), perDay, now);
  // What went before, a marker for example, is what the person answers to.
  if (resumed) {
    return wait('G3', 'login-wait', budgetWait) ?? wait('G13', 'paused', unheldWait(student, 'attended', now));
  }
  return (
    wait(setAside ? 'G3a' : 'G3', 'login-wait', Math.max(ownWait, budgetWait)) ??
    wait('G4', 'paused', pauseLeft(student.foreignPause, now)) ??
    wait('G4', 'paused', campusWait(gateway, by, now)) ??
    wait('G13', 'paused', unheldWait(student, 'attended', now)) ??
    wait('G7', 'gateway-wait', gatewayWait(gateway, groupOf(by), caller, now)) ??
    stepRefusal({ student, gateway, ...others }, caller, 'login-wait', now)
  );
};

export const wantsLogin: Rule<'login-wanted'> = (memory, { caller, pair, tag, healthy }, { now, perDay }) => {
  const standing = standingOf(memory.student, caller, now);
  const { by } = standing;
  const over = wait('G2', 'login-wait', standing.waitSeconds);
  if (over) return { answer: over, next: memory };
  const student = standing.booked === null ? withTryUsed(memory.student) : memory.student;
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
      pauseLeft(student.foreignPause, now) > 0 || askBudgetWait(student, 'stranger', false, perDay, now) > 0;
    const trusted = healthy || (foreignStopped && student.provenAt > now - n.right.trustMs);
    const counted = { ...withoutMismatches(student, pair), rightLogins: [...student.rightLogins, now] };
    if (trusted) {
      const updated = withLoginNetwork(counted, caller.home, now);
      const network = withAccepted(memory.network, now);
      return { answer: { type: 'token' }, next: { ...memory, student: updated, network } };
    }
    const next = { ...memory, student: counted };
    // What is in its way is there now; its turn as a probe is taken under the lease.
    const { answer } = wantsStored(next, { stored: 'good', tag, attended: true, caller }, { now });
    return { answer, next };
  }
  const differs = pair.stored !== 'none' && !isEqual(pair);
  const next = { ...memory, student: differs ? withMismatch(student, standing, caller, pair, now) : student };
  return { answer: askRefusal(next, by, caller, pair, perDay, now) ?? { type: 'ask', by }, next };
};

export const beginsAsk: Rule<'ask-begins'> = (memory, { id, by, caller, pair, resumed }, { now, perDay }) => {
  const refusal = askRefusal(memory, by, caller, pair, perDay, now, resumed);
  if (refusal) return { answer: refusal, next: memory };
  const { student, gateway } = memory;
  const ask: Ask = {
    id,
    at: now,
    by: askerOf(student, by, caller),
    network: caller.network,
    state: 'open',
    endedAt: now,
    setAside: isEqual(pair),
    pair: pairNames(pair)[0] ?? '',
  };
  return {
    answer: go,
    next: {
      ...memory,
      student: { ...student, asks: [...student.asks, ask] },
      gateway: withRefused(gateway, id, groupOf(by), caller, now),
    },
  };
};

export const endsAsk: Rule<'ask-ended'> = (memory, event, { now }) => {
  const { id, by, pair, outcome, storedPrints, tag } = event;
  const counted = withEnding(memory, by, event, true, now);
  const gateway = isGivenBack(outcome) ? givenBack(counted, id) : counted;
  const errs = outcome.type === 'refused' ? campusErrs(gateway, now) : null;
  // A stranger's ask stays booked while he has not taken the step.
  const waits = by === 'stranger' && outcome.type === 'person' && outcome.offered === true;
  const asks = withEnd(memory.student.asks, id, errs ? { type: 'unknown' } : outcome, now, waits);
  const student = withUnheld({ ...memory.student, asks }, outcome, 'attended', now);
  const next = { ...memory, student, gateway };
  if (errs) return { answer: errs, next };
  if (outcome.type === 'marker') return meetsMarker(next, by, tag, now);
  if (outcome.type === 'refused') {
    const { step } = outcome;
    const updated = withRefusal(student, step, pair.prints, now);
    if (pair.stored !== 'good' || !pair.equalAt[step]) return { answer: noted, next: { ...next, student: updated } };
    return { answer: { ...noted, setAside: step }, next: { ...next, student: { ...updated, setAsideAt: now } } };
  }
  if (outcome.type !== 'accepted') return { answer: noted, next };
  let updated: StudentMemory = { ...withoutMismatches(student, pair), ownPause: null, rest: null, setAsideAt: 0 };
  for (const step of signInSteps) {
    if (!pair.equalAt[step] && storedPrints) updated = withRefusedSecret(updated, step, storedPrints[step], true, now);
  }
  return {
    answer: noted,
    next: withAcceptance({ ...next, student: updated }, { ...event, prints: pair.prints, outcome }, now),
  };
};
