import { SETTLING_PAUSE_MS } from './list-sync.ts';
import type { AttemptPhase, EvaluationRun } from './task.ts';

const phaseBy = (phase: AttemptPhase, now: number): AttemptPhase => {
  if (phase.kind === 'counting' && phase.openedAt > now) return { ...phase, openedAt: now };
  if (phase.kind === 'verifying' && phase.nextReadAt > now + SETTLING_PAUSE_MS) return { ...phase, nextReadAt: now };
  return phase;
};

/**
 * The run after the clock was set back: what lies ahead of it counts from now, so no wait is longer than a whole one.
 * null when nothing lies ahead. The moment of a stop request is another replica's, and is left as it is.
 */
export const rebased = (run: EvaluationRun, now: number): EvaluationRun | null => {
  const attempts = run.attempts.map((attempt) => {
    const phase = phaseBy(attempt.phase, now);
    return phase === attempt.phase ? attempt : { key: attempt.key, phase };
  });
  const lastOpenedAt = run.lastOpenedAt === null ? null : Math.min(run.lastOpenedAt, now);
  const pauseUntil = run.pauseUntil === null ? null : Math.min(run.pauseUntil, now + run.timing.pauseMs);
  const isSame =
    lastOpenedAt === run.lastOpenedAt &&
    pauseUntil === run.pauseUntil &&
    attempts.every((attempt, at) => attempt === run.attempts[at]);
  return isSame ? null : { ...run, lastOpenedAt, pauseUntil, attempts };
};
