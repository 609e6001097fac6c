import { type Student, silentLog } from '../../src/domain/context.ts';
import { createLeases } from '../../src/domain/lease.ts';
import { CampusQueue } from '../../src/domain/reads/campus-queue.ts';
import { copyLimits } from '../../src/domain/reads/copy-limits.ts';
import type { CampusQueueStore, CopyStore } from '../../src/domain/reads/ports.ts';
import { Reads } from '../../src/domain/reads/reads.ts';
import { openAccountStores } from './account-stores.ts';
import { plainMarks } from './student-marks.ts';

export const studentOf = (userid: string): Student => ({ userid, marks: plainMarks() });

export const turns = async (): Promise<void> => {
  for (let i = 0; i < 30; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Does this in its turn, unless another replica has done it meanwhile. */
export const inTurn = async <T>(
  queue: CampusQueue | undefined,
  wanted: Parameters<CampusQueue['enter']>[0],
  work: () => Promise<T>,
): Promise<unknown> => {
  if (queue === undefined) throw new Error('no queue');
  await using turn = await queue.enter<unknown>(wanted);
  return turn.done ?? (await turn.answer(work()));
};

/** The parts that replicas share, and replicas over them. */
export const forAllRig = async (everyMs = 5_000) => {
  const { clock, leases } = await openAccountStores();
  const values = new Map<string, { text: string; readAt: number }>();
  const gone = new Set<string>();
  const nameOf = (read: string, params: string) => `${read} ${params}`;
  const store: CopyStore = {
    find: async ({ read, params, shape }, after = 0) => {
      const found = values.get(nameOf(read, params));
      return found && found.readAt > after ? { ...found, writes: 0, shape } : null;
    },
    timesForAll: async ({ read }, params) =>
      new Map(
        params.flatMap((each) => {
          const found = values.get(nameOf(read, each));
          return found ? [[each, found.readAt] as const] : [];
        }),
      ),
    keepForAll: async ({ read, params, text, readAt }) => {
      if (Buffer.byteLength(text) <= copyLimits.bytesOfOne) values.set(nameOf(read, params), { text, readAt });
    },
    keep: async () => {},
  };
  let line = { endedAt: Number.NEGATIVE_INFINITY, pauseUntil: 0, pauseMs: 0 };
  const lines: CampusQueueStore = {
    state: async (_, now) => ({
      sinceMs: now - line.endedAt,
      pauseLeftMs: Math.max(0, line.pauseUntil - now),
      pauseMs: line.pauseMs,
    }),
    end: async (_, now, pauseMs) => {
      line = { ...line, endedAt: now, ...(pauseMs === undefined ? {} : { pauseMs, pauseUntil: now + pauseMs }) };
    },
  };
  const newQueue = () =>
    new CampusQueue({ leases: createLeases(leases, clock), store: lines, clock, log: silentLog, everyMs });
  return {
    clock,
    values,
    /** Students whose account was erased. */
    gone,
    queue: newQueue,
    reads: () =>
      new Reads({
        copies: store,
        queue: newQueue(),
        marks: { marks: async (userid) => (gone.has(userid) ? null : plainMarks()) },
        clock,
        log: silentLog,
        settings: {
          ...{ freshSeconds: 0, staleIfErrorSeconds: 0, staleIfPersonSeconds: 604_800, revalidateSeconds: 0 },
          keepCopies: true,
        },
      }),
    /** Moves time until the work is done. */
    async during<T>(work: Promise<T>, stepMs = 250): Promise<T> {
      let settled = false;
      const end = () => {
        settled = true;
      };
      work.then(end, end);
      for (let i = 0; !settled && i < 2_000; i += 1) {
        await turns();
        if (!settled) clock.advance(stepMs);
      }
      return work;
    },
  };
};
