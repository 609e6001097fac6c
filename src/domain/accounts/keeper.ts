import type { Clock } from '../../lib/clock.ts';
import type { ServiceObserver } from '../observation.ts';
import { isAnswer } from './guard/endings.ts';
import type { GuardAnswer, GuardEvent, GuardMemory } from './guard/events.ts';
import { codeAt, gatewayAt, networkAt, studentAt } from './guard/memory-at.ts';
import { guardNumbers } from './guard/numbers.ts';
import { guard, guardTable } from './guard/table.ts';
import type { GuardScope, GuardStore } from './ports.ts';

/** Applies the guard's table to what is stored. */
export interface GuardKeeper {
  read(scope: GuardScope): Promise<GuardMemory>;
  /** What the table answers to a memory that was read. */
  judge(memory: GuardMemory, event: GuardEvent): GuardAnswer;
  /** What the table would answer now; nothing is written. */
  look(scope: GuardScope, event: GuardEvent): Promise<GuardAnswer>;
  /**
   * Answers and stores what is to be remembered, before anybody is told. `seen`: what was read a moment ago, of which all
   * that the event cannot change is taken as it was.
   */
  decide(scope: GuardScope, event: GuardEvent, seen?: GuardMemory): Promise<GuardAnswer>;
}

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
    if (!isAnswer(event.outcome)) return event;
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
    decide: async (scope, wanted, seen) => {
      const event = counted(wanted);
      const answers = event.type === 'stored-ended' ? (event.answers ?? 0) : 0;
      // The end of a login changes something, too.
      const endsLogin = event.type === 'stored-ended' && event.home !== undefined && isAnswer(event.outcome);
      if (!endsLogin && !guardTable[event.type].always) {
        // Most of the others change nothing on a quiet day: reading says so, and takes no lock.
        const { memory, answer, next } = table(await guards.read(scope), event);
        if (Object.keys(differing(memory, next)).length === 0) {
          notWritten(answers);
          return told(answer, event);
        }
      }
      let written = false;
      const decision = (stored: GuardMemory) => {
        const { memory, answer, next } = table(stored, event);
        written = next.gateway.answered !== memory.gateway.answered;
        return { result: answer, write: differing(memory, next) };
      };
      const decided = await guards.change(scope, guardTable[event.type].changes, clock.now(), decision, seen);
      if (!written) notWritten(answers);
      return told(decided, event);
    },
  };
};
