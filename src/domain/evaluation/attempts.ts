import {
  type Attempt,
  type AttemptPhase,
  type AttemptResult,
  courseOf,
  type EvaluationRun,
  type EvaluationTask,
  type TaskFault,
} from './task.ts';

export const withPhase = (run: EvaluationRun, key: string, phase: AttemptPhase): EvaluationRun => ({
  ...run,
  attempts: run.attempts.map((attempt) => (attempt.key === key ? { key, phase } : attempt)),
});

/** Ends an attempt and counts it. The pause of the sequential plan begins here. */
export const finish = (task: EvaluationTask, key: string, result: AttemptResult, now: number): EvaluationTask => {
  const { run } = task;
  if (run === null) return task;
  const counts = result === 'success' || result === 'failure';
  const lastResult = counts
    ? { courseName: courseOf(task, key)?.courseName ?? '', success: result === 'success' }
    : run.lastResult;
  const pauseUntil = counts && run.plan === 'sequential' ? now + run.timing.pauseMs : run.pauseUntil;
  return {
    ...task,
    successCount: task.successCount + (result === 'success' ? 1 : 0),
    failCount: task.failCount + (result === 'failure' ? 1 : 0),
    run: { ...withPhase(run, key, { kind: 'done', result }), lastResult, pauseUntil },
  };
};

/**
 * Nothing was sent: the page is opened anew, after those of the courses that are due before. Sessions that end sooner
 * than a wait would have it go on for ever, so a run loses no more pages than it has courses.
 */
export const pageLost = (task: EvaluationTask, run: EvaluationRun, key: string, now: number): EvaluationTask => {
  if (run.pagesLost >= run.attempts.length) return finish(task, key, 'failure', now);
  const others = run.attempts.filter((attempt) => attempt.key !== key);
  const attempts: Attempt[] = [...others, { key, phase: { kind: 'waiting' } }];
  return { ...task, run: { ...run, attempts, pagesLost: run.pagesLost + 1 } };
};

/** The final state; attempts that have not ended are neither success nor failure. */
export const ended = (
  task: EvaluationTask,
  status: 'completed' | 'failed' | 'terminated',
  now: number,
  fault: TaskFault | null = null,
): EvaluationTask => {
  const { run } = task;
  if (run === null) return { ...task, status, endedAt: now, fault };
  const attempts = run.attempts.map(
    (attempt): Attempt =>
      attempt.phase.kind === 'done' ? attempt : { key: attempt.key, phase: { kind: 'done', result: 'interrupted' } },
  );
  return { ...task, status, endedAt: now, fault, run: { ...run, attempts, pauseUntil: null, refreshDue: false } };
};
