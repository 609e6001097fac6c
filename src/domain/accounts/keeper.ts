import type { Clock } from '../../lib/clock.ts';
import type { ServiceObserver } from '../observation.ts';
import type { GuardAnswer, GuardEvent, GuardMemory } from './guard/events.ts';
import { codeAt, gatewayAt, networkAt, studentAt } from './guard/memory-at.ts';
import { guardNumbers } from './guard/numbers.ts';
import { guard } from './guard/table.ts';
import type { GuardPart, GuardScope, GuardStore } from './ports.ts';

/** Applies the guard's table to what is stored. */
export interface GuardKeeper {
  read(scope: GuardScope): Promise<GuardMemory>;
  /** What the table answers to a memory that was read. */
  judge(memory: GuardMemory, event: GuardEvent): GuardAnswer;
  /** What the table would answer now; nothing is written. */
  look(scope: GuardScope, event: GuardEvent): Promise<GuardAnswer>;
  /** Answers and stores what is to be remembered, before anybody is told. */
  decide(scope: GuardScope, event: GuardEvent): Promise<GuardAnswer>;
}

/** Events that change something nearly always: looking first would only cost a statement. */
const alwaysChange: ReadonlySet<GuardEvent['type']> = new Set([
  'login-wanted',
  'ask-begins',
  'ask-ended',
  'early-renewal',
  'challenge-opens',
  'challenge-sends',
  'challenge-unsent',
  'post-begins',
  'post-ended',
]);

/** What an event may change. A login with the stored pair must not wait for the row that everybody shares. */
const changed: Readonly<Record<GuardEvent['type'], readonly GuardPart[]>> = {
  comparing: [],
  'login-wanted': ['student'],
  'ask-begins': ['student', 'gateway'],
  'ask-ended': ['student', 'gateway'],
  'stored-wanted': ['gateway'],
  'early-renewal': ['student'],
  'stored-ended': ['student', 'gateway'],
  'challenge-opens': ['student', 'gateway'],
  'challenge-sends': ['student'],
  'challenge-unsent': ['student'],
  'challenge-passed': ['student', 'gateway'],
  'portal-wanted': ['student', 'gateway'],
  'captcha-met': ['student', 'gateway'],
  'post-begins': ['gateway'],
  'post-ended': ['gateway'],
  'deletion-wanted': ['student'],
  'registration-wanted': [],
  'registration-begins': ['student', 'gateway', 'code'],
  'registration-ended': ['student', 'gateway', 'code'],
  'token-used': ['student'],
  unlocked: ['student'],
  revoked: ['student'],
};

/** The parts of the memory that the table has changed. */
const differing = (before: GuardMemory, after: GuardMemory): Partial<GuardMemory> => ({
  ...(before.student === after.student ? {} : { student: after.student }),
  ...(before.gateway === after.gateway ? {} : { gateway: after.gateway }),
  ...(before.code === after.code ? {} : { code: after.code }),
  ...(before.network === after.network ? {} : { network: after.network }),
});

const at = (memory: GuardMemory, now: number): GuardMemory => {
  const gateway = gatewayAt(memory.gateway, now);
  return {
    student: studentAt(memory.student, now, gateway.heldAgain),
    gateway,
    code: codeAt(memory.code, now),
    network: networkAt(memory.network, now),
  };
};

export const createGuardKeeper = (deps: {
  readonly guards: GuardStore;
  readonly clock: Clock;
  /** N of `CAMPUS_REFUSALS_PER_DAY`. */
  readonly perDay: number;
  readonly observer?: Pick<ServiceObserver, 'guarded'>;
}): GuardKeeper => {
  const { guards, clock, perDay } = deps;
  const table = (stored: GuardMemory, event: GuardEvent) => {
    const now = clock.now();
    const memory = at(stored, now);
    return { memory, ...guard(memory, { now, perDay }, event) };
  };
  /** Accepted stored pairs that are not written down: the row that everybody shares is not written for each of them. */
  let unwritten = { count: 0, since: 0 };
  const notWritten = (count: number): void => {
    const since = unwritten.count === 0 ? clock.monotonic() : unwritten.since;
    unwritten = { count: unwritten.count + count, since };
  };
  const counted = (event: GuardEvent): GuardEvent => {
    if (event.type !== 'stored-ended') return event;
    const { type } = event.outcome;
    if (type === 'unsent' || type === 'unknown') return event;
    const { count, since } = unwritten;
    const isLate = clock.monotonic() - since >= guardNumbers.markers.windowMs;
    unwritten = { count: 0, since: 0 };
    return { ...event, answers: isLate ? 1 : count + 1 };
  };
  const told = (answer: GuardAnswer, event: GuardEvent): GuardAnswer => {
    if (answer.type === 'refuse') deps.observer?.guarded(answer.rule, 'by' in event ? event.by : event.type);
    return answer;
  };
  return {
    judge: (memory, event) => told(table(memory, event).answer, event),
    read: async (scope) => at(await guards.read(scope), clock.now()),
    look: async (scope, event) => told(table(await guards.read(scope), event).answer, event),
    decide: async (scope, wanted) => {
      const event = counted(wanted);
      const answers = event.type === 'stored-ended' ? (event.answers ?? 0) : 0;
      if (!alwaysChange.has(event.type)) {
        // Most of the others change nothing on a quiet day: reading says so, and takes no lock.
        const { memory, answer, next } = table(await guards.read(scope), event);
        if (Object.keys(differing(memory, next)).length === 0) {
          notWritten(answers);
          return told(answer, event);
        }
      }
      let written = false;
      const decided = await guards.change(scope, changed[event.type], clock.now(), (stored) => {
        const anew = table(stored, event);
        written = anew.next.gateway.answered !== anew.memory.gateway.answered;
        return { result: anew.answer, write: differing(anew.memory, anew.next) };
      });
      if (!written) notWritten(answers);
      return told(decided, event);
    },
  };
};
