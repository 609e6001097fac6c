import {
  type Attempt,
  type AttemptFault,
  type AttemptPhase,
  courseKey,
  courseOf,
  type EvaluationCourse,
  type EvaluationRun,
  type EvaluationTask,
  isPending,
  PERSON_LOOK_MS,
  type TaskFault,
} from './task.ts';

/** An unknown submission whose list cannot be read is looked up this often before it counts as failed. */
const LIST_READS = 3;
const NEXT_READ_MS = 5_000;

export const withPhase = (run: EvaluationRun, key: string, phase: AttemptPhase): EvaluationRun => ({
  ...run,
  attempts: run.attempts.map((attempt) => (attempt.key === key ? { key, phase } : attempt)),
});

/** Ends an attempt and counts it. The pause of the sequential plan begins here. */
export const finish = (
  task: EvaluationTask,
  key: string,
  result: 'success' | AttemptFault,
  now: number,
): EvaluationTask => {
  const { run } = task;
  if (run === null) return task;
  const success = result === 'success';
  const courseName = courseOf(task, key)?.courseName ?? '';
  const pauseUntil = run.plan === 'sequential' ? now + run.timing.pauseMs : run.pauseUntil;
  const phase: AttemptPhase = success
    ? { kind: 'done', result }
    : { kind: 'done', result: 'failure', fault: result, courseName };
  return {
    ...task,
    successCount: task.successCount + (success ? 1 : 0),
    failCount: task.failCount + (success ? 0 : 1),
    run: { ...withPhase(run, key, phase), lastResult: { courseName, success }, pauseUntil },
  };
};

/** The final state; attempts that have not ended are neither success nor failure. */
export const ended = (
  task: EvaluationTask,
  status: 'completed' | 'failed' | 'terminated',
  now: number,
  fault: TaskFault | null = null,
): EvaluationTask => {
  const { run } = task;
  // Answers are the student's: nothing of them is kept once they are not needed. A stopped run may be begun again.
  const previews = status === 'terminated' ? (task.previews ?? []) : [];
  const over = { ...task, status, endedAt: now, fault, previews };
  if (run === null) return over;
  const attempts = run.attempts.map(
    (attempt): Attempt =>
      attempt.phase.kind === 'done' ? attempt : { key: attempt.key, phase: { kind: 'done', result: 'interrupted' } },
  );
  return { ...over, run: { ...run, attempts, pauseUntil: null, refreshDue: false } };
};

/**
 * Nothing was sent: the page is opened again, after those of the courses that are due before. Sessions that end sooner
 * than a wait would have it go on for ever, so a run loses no more pages than it has courses.
 */
export const pageLost = (task: EvaluationTask, run: EvaluationRun, key: string, now: number): EvaluationTask => {
  const { pagesLost = 0 } = run;
  if (pagesLost >= run.attempts.length) return finish(task, key, 'interrupted', now);
  const others = run.attempts.filter((attempt) => attempt.key !== key);
  const attempts: Attempt[] = [...others, { key, phase: { kind: 'waiting' } }];
  return { ...task, run: { ...run, attempts, pagesLost: pagesLost + 1 } };
};

/**
 * One course at a time from here on; pages that wait for their submission are opened again when their turn comes,
 * because after a refusal for time or token it is unknown which of them is still good.
 */
const fallBack = (run: EvaluationRun, key: string, again: boolean): EvaluationRun => ({
  ...run,
  plan: 'sequential',
  fellBack: true,
  attempts: run.attempts.map((attempt) => {
    const open = attempt.phase.kind === 'counting' || (again && attempt.key === key);
    return open ? { key: attempt.key, phase: { kind: 'waiting' } } : attempt;
  }),
});

/** Of a submission that has failed for good. */
export const faultOf = ({ outcome, unsent }: Extract<AttemptPhase, { kind: 'verifying' }>): AttemptFault => {
  if (outcome === 'accepted') return 'unconfirmed';
  return outcome === 'unknown' || unsent === true ? 'interrupted' : 'refused';
};

/** @param stored what the list says about the course: null when it could not be read or does not name the course */
const verified = (
  task: EvaluationTask,
  run: EvaluationRun,
  key: string,
  phase: Extract<AttemptPhase, { kind: 'verifying' }>,
  stored: boolean | null,
  now: number,
): EvaluationTask => {
  switch (phase.outcome) {
    case 'accepted':
      return finish(task, key, stored === false ? faultOf(phase) : 'success', now);
    case 'refused':
      return finish(task, key, faultOf(phase), now);
    case 'not-yet': {
      if (run.plan !== 'overlapped' || run.fellBack) return finish(task, key, faultOf(phase), now);
      // Sent again only where the list shows that nothing was stored.
      const again = stored === false;
      const sequential = { ...task, run: fallBack(run, key, again) };
      return again ? sequential : finish(sequential, key, faultOf(phase), now);
    }
    case 'unknown': {
      if (stored !== null) return finish(task, key, stored ? 'success' : faultOf(phase), now);
      const reads = phase.reads + 1;
      if (reads >= LIST_READS) return finish(task, key, faultOf(phase), now);
      return { ...task, run: withPhase(run, key, { ...phase, reads, nextReadAt: now + NEXT_READ_MS }) };
    }
  }
};

/**
 * What a reading of the list changes: submissions find their result, courses that were evaluated elsewhere are
 * left out, new pending ones join the run unless it is one of named courses. A list that is empty or could not be read
 * keeps the old one.
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
  /** A course that is not on the list says nothing. */
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
  const { excluded = [], onlyNamed = false } = next.run;
  const knownKeys = new Set([...next.run.attempts.map(({ key }) => key), ...excluded]);
  const left = next.run.attempts.map((attempt): Attempt => {
    const nothingSent = ['waiting', 'opening', 'counting'].includes(attempt.phase.kind);
    return nothingSent && evaluated.has(attempt.key)
      ? { key: attempt.key, phase: { kind: 'done', result: 'skipped' } }
      : attempt;
  });
  const added = [...pending].filter((key) => !knownKeys.has(key));
  const joined = onlyNamed ? [] : added;
  const attempts = [...left, ...joined.map((key): Attempt => ({ key, phase: { kind: 'waiting' } }))];
  const leftAlone = onlyNamed ? { excluded: [...excluded, ...added] } : {};
  return { ...next, courses: list ?? task.courses, run: { ...next.run, ...leftAlone, attempts, refreshDue: false } };
};

const phaseNotAhead = (phase: AttemptPhase, now: number): AttemptPhase => {
  if (phase.kind === 'counting' && phase.openedAt > now) return { ...phase, openedAt: now };
  if (phase.kind === 'verifying' && phase.nextReadAt > now + NEXT_READ_MS) return { ...phase, nextReadAt: now };
  return phase;
};

/**
 * The run after the clock was set back: what lies ahead of it counts from now, so no wait is longer than a whole one.
 * null when nothing lies ahead. The moment of a stop request is another replica's, and is left as it is.
 */
export const rebased = (run: EvaluationRun, now: number): EvaluationRun | null => {
  const attempts = run.attempts.map((attempt) => {
    const phase = phaseNotAhead(attempt.phase, now);
    return phase === attempt.phase ? attempt : { key: attempt.key, phase };
  });
  const lastOpenedAt = run.lastOpenedAt === null ? null : Math.min(run.lastOpenedAt, now);
  const pauseUntil = run.pauseUntil === null ? null : Math.min(run.pauseUntil, now + run.timing.pauseMs);
  const { person = null } = run;
  const isAhead = person !== null && (person.since > now || person.lookAt > now + PERSON_LOOK_MS);
  const since = isAhead ? { since: Math.min(person.since, now), lookAt: now } : person;
  const isSame =
    !isAhead &&
    lastOpenedAt === run.lastOpenedAt &&
    pauseUntil === run.pauseUntil &&
    attempts.every((attempt, at) => attempt === run.attempts[at]);
  return isSame ? null : { ...run, lastOpenedAt, pauseUntil, attempts, person: since };
};
