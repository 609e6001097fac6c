import type { Clock } from '../../lib/clock.ts';
import type { ServiceObserver } from '../observation.ts';
import { isAnswer } from './guard/endings.ts';
import { type GuardAnswer, type GuardEvent, type GuardMemory, limitNames } from './guard/events.ts';
import { codeAt, gatewayAt, networkAt, studentAt } from './guard/memory-at.ts';
import { guardNumbers } from './guard/numbers.ts';
import { type GuardPart, guard, guardTable } from './guard/table.ts';

/** Whose memory is meant. `code` is only given where a registration is concerned. */
export interface GuardScope {
  readonly userid: string;
  readonly code: string | null;
  /** Keyed name of the network that the call comes from; left out: it is not concerned. */
  readonly network?: string;
}

export interface GuardStore {
  read(scope: GuardScope): Promise<GuardMemory>;
  /**
   * One transaction: the parts in `lock` are locked, everything is read, and what `decide` says is written, which is
   * never more than was locked. `decide` is pure and may run more than once. `seen`: read before, and good enough for what
   * is not locked.
   */
  change<T>(
    scope: GuardScope,
    lock: readonly GuardPart[],
    now: number,
    decide: (memory: GuardMemory) => { result: T; write: Partial<GuardMemory> },
    seen?: GuardMemory,
  ): Promise<T>;
  /** Forgets what nothing has touched for so long that it says nothing any more. */
  sweep(now: number): Promise<number>;
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

export type GuardKeeper = ReturnType<typeof createGuardKeeper>;

/** Applies the guard's table to what is stored. */
export const createGuardKeeper = (deps: {
  readonly guards: GuardStore;
  readonly clock: Clock;
  /** N of `CAMPUS_REFUSALS_PER_DAY`. */
  readonly perDay: number;
  readonly observer?: Pick<ServiceObserver, 'guarded'>;
}) => {
  const { guards, clock, perDay } = deps;
  const table = (stored: GuardMemory, event: GuardEvent) => {
    const now = clock.now();
    const memory = at(stored, now);
    return { memory, ...guard(memory, { now, perDay }, event) };
  };
  /** Accepted stored pairs that are not written down: the row that all share is not written for each of them. */
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
    if (answer.type === 'refuse')
      deps.observer?.guarded(limitNames[answer.rule], 'by' in event ? event.by : event.type);
    return answer;
  };
  return {
    /** What the table answers to a memory that was read. */
    judge: (memory: GuardMemory, event: GuardEvent): GuardAnswer => told(table(memory, event).answer, event),
    read: async (scope: GuardScope): Promise<GuardMemory> => at(await guards.read(scope), clock.now()),
    /** What the table would answer now; nothing is written. */
    look: async (scope: GuardScope, event: GuardEvent): Promise<GuardAnswer> =>
      told(table(await guards.read(scope), event).answer, event),
    /**
     * Stores what is to be remembered before the caller is told. `seen`: what was read a moment ago, of which all
     * that the event cannot change is taken as it was.
     */
    decide: async (scope: GuardScope, wanted: GuardEvent, seen?: GuardMemory): Promise<GuardAnswer> => {
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
