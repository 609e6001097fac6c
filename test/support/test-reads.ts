import { silentLog } from '../../src/domain/context.ts';
import { type SignInStep, signInSteps } from '../../src/domain/errors.ts';
import type { CampusQueue } from '../../src/domain/reads/campus-queue.ts';
import type { CopyStore, MarkStore } from '../../src/domain/reads/ports.ts';
import { Reads } from '../../src/domain/reads/reads.ts';
import { Writes } from '../../src/domain/reads/writes.ts';
import type { Clock } from '../../src/lib/time.ts';
import { plainMarks } from './student-marks.ts';

/** Every student there is, and nothing is being written for them. */
export const calmMarks: MarkStore = {
  marks: async () => plainMarks(),
  announceWrite: async (_userid, _application, mark) => ({ count: 1, ...mark(0) }),
  endWrite: async () => {},
};

export const noCopies: CopyStore = {
  find: async () => null,
  keep: async () => {},
  keepForAll: async () => {},
  timesForAll: async () => new Map(),
};

/** The queue is empty. */
const noQueue: Pick<CampusQueue, 'enter'> = {
  enter: async () => ({ done: undefined, answer: (sent) => sent, [Symbol.asyncDispose]: async () => {} }),
};

/** The way to reads without storage; reads without their own freshness are asked for every time. */
export const testReads = (
  clock: Clock,
  {
    freshSeconds = 0,
    staleIfErrorSeconds = 0,
    staleIfPersonSeconds = 0,
    revalidateSeconds = 0,
    marks = calmMarks,
    copies = null as CopyStore | null,
    taken = signInSteps as readonly SignInStep[],
  } = {},
): Reads => {
  const settings = { freshSeconds, staleIfErrorSeconds, staleIfPersonSeconds, revalidateSeconds };
  return new Reads({
    ...{ marks, copies: copies ?? noCopies, queue: noQueue, clock, log: silentLog },
    taken,
    settings: { ...settings, keepCopies: copies !== null },
  });
};

export const testWrites = (clock: Clock, marks = calmMarks): Writes => new Writes({ marks, clock });
