import { rebased } from './clock-set-back.ts';
import { STOP_GRACE_MS } from './machine.ts';
import { type EvaluationRun, type EvaluationTask, unfinished } from './task.ts';

/** What the one at work on a task has to do next. */
export type Step =
  | { readonly kind: 'open'; readonly key: string }
  | { readonly kind: 'submit'; readonly key: string }
  | { readonly kind: 'read-list' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'stop-overdue' }
  | { readonly kind: 'clock-set-back' }
  /** A submission that this worker did not send: what came of it is unknown. */
  | { readonly kind: 'settle'; readonly key: string }
  | { readonly kind: 'end' };

const dueAt = (run: EvaluationRun, openedAt: number): number => openedAt + run.timing.waitMs;

const overlapped = (run: EvaluationRun, now: number): Step => {
  const left = unfinished(run);
  const moments: number[] = [];
  for (const { key, phase } of left) {
    if (phase.kind !== 'counting') continue;
    if (dueAt(run, phase.openedAt) <= now) return { kind: 'submit', key };
    moments.push(dueAt(run, phase.openedAt));
  }
  // An opening that is found here is not this worker's, and nobody else is at work any more.
  const next = left.find(({ phase }) => phase.kind === 'waiting' || phase.kind === 'opening');
  if (next !== undefined) {
    const openAt = run.lastOpenedAt === null ? now : run.lastOpenedAt + run.timing.openEveryMs;
    if (openAt <= now) return { kind: 'open', key: next.key };
    moments.push(openAt);
  }
  return { kind: 'wait', until: Math.min(...moments) };
};

const sequential = (run: EvaluationRun, now: number): Step => {
  const [attempt] = unfinished(run);
  if (attempt?.phase.kind === 'counting') {
    const due = dueAt(run, attempt.phase.openedAt);
    return due <= now ? { kind: 'submit', key: attempt.key } : { kind: 'wait', until: due };
  }
  if (run.pauseUntil !== null && run.pauseUntil > now) return { kind: 'wait', until: run.pauseUntil };
  return attempt === undefined ? { kind: 'end' } : { kind: 'open', key: attempt.key };
};

/** One thing at a time: evaluation calls of one session do not run side by side, in either plan. */
export const nextStep = (task: EvaluationTask, now: number): Step => {
  const { run } = task;
  if (task.status !== 'running' || run === null) return { kind: 'end' };
  const stopAt = run.stopRequestedAt === null ? null : run.stopRequestedAt + STOP_GRACE_MS;
  if (stopAt !== null && stopAt <= now) return { kind: 'stop-overdue' };
  if (rebased(run, now) !== null) return { kind: 'clock-set-back' };
  for (const { key, phase } of run.attempts) {
    if (phase.kind === 'submitting') return { kind: 'settle', key };
    if (phase.kind !== 'verifying') continue;
    if (phase.nextReadAt <= now) return { kind: 'read-list' };
    return { kind: 'wait', until: stopAt === null ? phase.nextReadAt : Math.min(stopAt, phase.nextReadAt) };
  }
  if (run.refreshDue) return { kind: 'read-list' };
  return run.plan === 'overlapped' ? overlapped(run, now) : sequential(run, now);
};
