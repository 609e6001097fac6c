import { type Clock, systemClock } from '../../lib/clock.ts';
import { studentTag } from '../../lib/hash.ts';
import type { CallContext, Log } from '../context.ts';
import { type Attention, abandoned } from './attention.ts';
import { backgroundCall } from './background-call.ts';
import { STOP_GRACE_MS } from './machine.ts';
import type { EvaluationTask } from './task.ts';

/** At shutdown a submission that is on its way gets this long to be answered. */
const CLOSING_GRACE_MS = 5_000;

export interface Sending {
  readonly userid: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Deadline of the call. */
  readonly callMs: number;
  readonly attention: Attention;
  /** The task as it is at the moment. */
  readonly task: () => EvaluationTask;
}

/** Resolves when the submission is not to be awaited any longer; never while nobody wants the run to stop. */
const patience = async ({ attention, clock, task }: Sending, settled: AbortSignal): Promise<void> => {
  while (!settled.aborted) {
    if (attention.leaving.aborted) {
      await systemClock.wait(CLOSING_GRACE_MS, settled).catch(() => {});
      return;
    }
    const { run, status } = task();
    if (run === null || status !== 'running') return;
    const left = run.stopRequestedAt === null ? null : run.stopRequestedAt + STOP_GRACE_MS - clock.now();
    if (left !== null && left <= 0) return;
    if (left !== null) await attention.rest(clock, left, settled);
    else await attention.changed(settled);
  }
};

/**
 * Sends a submission, once, and waits for its answer as long as the run may.
 * null: given up after a stop request, or at the end of the process. The task knows, or settles it later.
 */
export const sendOnce = async <T>(
  sending: Sending,
  submit: (context: CallContext) => Promise<T>,
): Promise<T | 'unknown' | null> => {
  const { userid, log, callMs } = sending;
  const giveUp = new AbortController();
  let outcome: T | 'unknown' | null = null;
  const sent = backgroundCall(log, callMs, giveUp.signal, submit).then(
    (result) => {
      outcome = result;
    },
    (error: unknown) => {
      const err = error instanceof Error ? error.name : typeof error;
      log.error({ student: studentTag(userid), err }, 'submission without an answer');
      outcome = 'unknown';
    },
  );
  const settled = new AbortController();
  await Promise.race([
    sent.finally(() => settled.abort(abandoned)),
    patience(sending, settled.signal).then(() => giveUp.abort(abandoned)),
  ]);
  return outcome;
};
