import { finish, withPhase } from './attempts.ts';
import { courseKey, type EvaluationRun, type EvaluationTask } from './task.ts';
import { type EvaluationCourse, isPending } from './types.ts';

/** An unknown submission whose list cannot be read is looked up this often before it counts as failed. */
const SETTLING_READS = 3;
export const SETTLING_PAUSE_MS = 5_000;

type Verifying = Extract<EvaluationRun['attempts'][number]['phase'], { kind: 'verifying' }>;

/** One course at a time from here on; pages that wait for their submission are opened anew when their turn comes. */
const fallBack = (run: EvaluationRun, key: string, again: boolean): EvaluationRun => ({
  ...run,
  plan: 'sequential',
  fellBack: true,
  attempts: run.attempts.map((attempt) => {
    const open = attempt.phase.kind === 'counting' || (again && attempt.key === key);
    return open ? { key: attempt.key, phase: { kind: 'waiting' } } : attempt;
  }),
});

/** @param stored what the list says about the course: null when it could not be read or does not name the course */
const verified = (
  task: EvaluationTask,
  run: EvaluationRun,
  key: string,
  phase: Verifying,
  stored: boolean | null,
  now: number,
): EvaluationTask => {
  switch (phase.outcome) {
    case 'accepted':
      return finish(task, key, stored === false ? 'failure' : 'success', now);
    case 'refused':
      return finish(task, key, 'failure', now);
    case 'not-yet': {
      if (run.plan !== 'overlapped' || run.fellBack) return finish(task, key, 'failure', now);
      // Sent again only where the list shows that nothing was stored.
      const again = stored === false;
      const sequential = { ...task, run: fallBack(run, key, again) };
      return again ? sequential : finish(sequential, key, 'failure', now);
    }
    case 'unknown': {
      if (stored !== null) return finish(task, key, stored ? 'success' : 'failure', now);
      const reads = phase.reads + 1;
      if (reads >= SETTLING_READS) return finish(task, key, 'failure', now);
      return { ...task, run: withPhase(run, key, { ...phase, reads, nextReadAt: now + SETTLING_PAUSE_MS }) };
    }
  }
};

/**
 * What a reading of the list changes: submissions find their result, courses that somebody else has evaluated are
 * left out, new pending ones join the run. A list that is empty or could not be read keeps the old one.
 */
export const syncWithList = (
  task: EvaluationTask,
  run: EvaluationRun,
  courses: readonly EvaluationCourse[] | null,
  now: number,
): EvaluationTask => {
  const list = courses === null || courses.length === 0 ? null : courses;
  const pending = new Set((list ?? task.courses).filter(isPending).map(courseKey));
  const evaluated = new Set((list ?? []).map(courseKey).filter((key) => !pending.has(key)));
  /** A course that is not on the list at all proves nothing. */
  const stored = (key: string): boolean | null => {
    if (evaluated.has(key)) return true;
    return list !== null && pending.has(key) ? false : null;
  };
  // Results are told with the names of the list that the courses were taken from.
  let next = task;
  for (const { key, phase } of run.attempts) {
    const current = next.run;
    if (current === null || phase.kind !== 'verifying') continue;
    next = verified(next, current, key, phase, stored(key), now);
  }
  if (next.run === null) return next;
  const known = new Set(next.run.attempts.map(({ key }) => key));
  const left = next.run.attempts.map((attempt) => {
    const idle = ['waiting', 'opening', 'counting'].includes(attempt.phase.kind);
    return idle && evaluated.has(attempt.key)
      ? { key: attempt.key, phase: { kind: 'done', result: 'skipped' } as const }
      : attempt;
  });
  const joined = [...pending].filter((key) => !known.has(key));
  const attempts = [...left, ...joined.map((key) => ({ key, phase: { kind: 'waiting' } as const }))];
  return { ...next, courses: list ?? task.courses, run: { ...next.run, attempts, refreshDue: false } };
};
