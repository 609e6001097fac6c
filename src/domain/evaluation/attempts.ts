import {
  type Attempt,
  type AttemptFault,
  type AttemptPhase,
  courseKeyOf,
  dueAt,
  type EvaluationCourse,
  type EvaluationRun,
  type EvaluationTask,
  findCourse,
  isPending,
  PERSON_LOOK_MS,
  stopAt,
  type TaskFault,
  unfinishedCourses,
} from './task.ts';
import type { OfCourse, TaskEvent, TransitionRows } from './types.ts';

/** Readings of the list that may fail before an unknown submission counts as failed. */
const LIST_READS = 3;
const NEXT_READ_MS = 5_000;

export type RunTask = EvaluationTask & { readonly run: EvaluationRun };

type Verifying = Extract<AttemptPhase, { readonly kind: 'verifying' }>;

const withRun = (task: RunTask, change: Partial<EvaluationRun>): RunTask => ({
  ...task,
  run: { ...task.run, ...change },
});

const withPhase = (task: RunTask, key: string, phase: AttemptPhase): RunTask =>
  withRun(task, {
    attempts: task.run.attempts.map((attempt) => (attempt.key === key ? { ...attempt, phase } : attempt)),
  });

/** Ends and counts an attempt, and begins the pause of the sequential plan. */
const finish = (
  task: RunTask,
  key: string,
  result: 'success' | AttemptFault,
  now: number,
  unsent: true | undefined = undefined,
): RunTask => {
  const { plan, timing, pauseUntil } = task.run;
  const success = result === 'success';
  const courseName = findCourse(task, key)?.courseName ?? '';
  const phase: AttemptPhase = success
    ? { kind: 'done', result }
    : { kind: 'done', result: 'failure', fault: result, courseName, ...(unsent && { unsent }) };
  const counted = {
    ...task,
    successCount: task.successCount + (success ? 1 : 0),
    failCount: task.failCount + (success ? 0 : 1),
  };
  return withRun(withPhase(counted, key, phase), {
    lastResult: { courseName, success },
    pauseUntil: plan === 'sequential' ? now + timing.pauseMs : pauseUntil,
  });
};

/** The final state of a task. Attempts that have not ended are neither success nor failure. */
export const endTask = (
  task: EvaluationTask,
  status: 'completed' | 'failed' | 'terminated',
  now: number,
  fault: TaskFault | null = null,
): EvaluationTask => {
  const { run } = task;
  const attempts = (run?.attempts ?? []).map(
    (attempt): Attempt =>
      attempt.phase.kind === 'done' ? attempt : { ...attempt, phase: { kind: 'done', result: 'interrupted' } },
  );
  // Answers are kept only for a stopped run, which may be started again.
  const previews = status === 'terminated' ? task.previews : [];
  const over = run && { ...run, attempts, pauseUntil: null };
  return { ...task, status, endedAt: now, fault, previews, run: over };
};

/**
 * Opens the page again after those due before, since nothing was sent. A run may lose as many pages as it has courses;
 * otherwise it would never end while every session ends within the wait.
 */
const pageLost = (task: RunTask, key: string, now: number): RunTask => {
  const { pagesLost, attempts } = task.run;
  if (pagesLost >= attempts.length) return finish(task, key, 'interrupted', now, true);
  const [others, own] = [true, false].map((isOther) => attempts.filter((each) => (each.key !== key) === isOther));
  const again = (own ?? []).map((attempt): Attempt => ({ ...attempt, phase: { kind: 'waiting' } }));
  return withRun(task, { attempts: [...(others ?? []), ...again], pagesLost: pagesLost + 1 });
};

/** Continues one course at a time and opens every page again: after a refusal for time or token any may be bad. */
const fallBack = (task: RunTask): RunTask =>
  withRun(task, {
    plan: 'sequential',
    fellBack: true,
    attempts: task.run.attempts.map((attempt) =>
      attempt.phase.kind === 'counting' ? { ...attempt, phase: { kind: 'waiting' } } : attempt,
    ),
  });

/** Its course was evaluated elsewhere: neither success nor failure. */
const skipped: AttemptPhase = { kind: 'done', result: 'skipped' };

const faultOf = ({ outcome, unsent }: Verifying): AttemptFault => {
  if (outcome === 'accepted') return 'unconfirmed';
  return outcome === 'unknown' || outcome === 'spent' || unsent === true ? 'interrupted' : 'refused';
};

/** The list says that nothing was stored: the page is opened again, and the answers are sent once more. */
const sendAgain = (task: RunTask, key: string, now: number): RunTask => {
  const { attempts } = task.run;
  if (attempts.some((attempt) => attempt.key === key && attempt.resent)) {
    return finish(task, key, 'refused', now);
  }
  const again = (attempt: Attempt): Attempt =>
    attempt.key === key ? { ...attempt, phase: { kind: 'waiting' }, resent: true } : attempt;
  return withRun(task, { attempts: attempts.map(again) });
};

const isUnsentIn = (phase: AttemptPhase): true | undefined =>
  phase.kind === 'verifying' && phase.unsent === true ? true : undefined;

/** @param stored whether the list shows the course as evaluated; null: it is unread, or does not name the course */
const verify = (task: RunTask, key: string, phase: Verifying, stored: boolean | null, now: number): RunTask => {
  const { outcome, reads } = phase;
  const markDone = (success: boolean, of = task): RunTask =>
    finish(of, key, success ? 'success' : faultOf(phase), now, isUnsentIn(phase));
  if (outcome === 'accepted') return markDone(stored !== false);
  if (outcome === 'spent' && stored === false) return sendAgain(task, key, now);
  if (outcome === 'unknown' || outcome === 'spent') {
    if (stored !== null || reads + 1 >= LIST_READS) return markDone(stored === true);
    return withPhase(task, key, { ...phase, reads: reads + 1, nextReadAt: now + NEXT_READ_MS });
  }
  // What the campus did not take from here was evaluated elsewhere.
  if (stored === true) return withPhase(outcome === 'refused' ? task : fallBack(task), key, skipped);
  if (outcome === 'refused' || task.run.plan === 'sequential') return markDone(false);
  // Sent again only where the list shows that nothing was stored.
  const sequential = fallBack(task);
  return stored === false ? withPhase(sequential, key, { kind: 'waiting' }) : markDone(false, sequential);
};

const sendsNothingYet = ({ kind }: AttemptPhase): boolean =>
  kind === 'waiting' || kind === 'opening' || kind === 'counting';

const hasSentNothing = (phase: AttemptPhase): boolean =>
  phase.kind === 'done' &&
  phase.result === 'failure' &&
  (phase.fault === 'page_failed' || phase.fault === 'preview_outdated');

/** The list as it was read, then the courses of the run that it has lost. An accepted one is no longer pending. */
const listKeeping = (task: RunTask, list: readonly EvaluationCourse[]): readonly EvaluationCourse[] => {
  const named = new Set(list.map(courseKeyOf));
  const lost = task.run.attempts.flatMap(({ key, phase }) => {
    const course = named.has(key) ? null : findCourse(task, key);
    const isAccepted = phase.kind === 'done' && phase.result === 'success';
    return course === null ? [] : [isAccepted ? { ...course, evaluated: '是' } : course];
  });
  return [...list, ...lost];
};

/**
 * Gives submissions their result by a reading of the list, and skips courses that were evaluated elsewhere. New courses
 * are left alone: the student saw no preview of them. An empty or unread list decides nothing.
 */
const syncWithList = (task: RunTask, read: readonly EvaluationCourse[] | null, now: number): RunTask => {
  const list = read === null || read.length === 0 ? null : read;
  const pending = new Set((list ?? task.courses).filter(isPending).map(courseKeyOf));
  const evaluated = new Set((list ?? []).map(courseKeyOf).filter((key) => !pending.has(key)));
  const isStored = (key: string): boolean | null => {
    if (evaluated.has(key)) return true;
    return list !== null && pending.has(key) ? false : null;
  };
  // Before the list is replaced, so that results have the names that the courses had.
  const settled = task.run.attempts.reduce(
    (next, { key, phase }) => (phase.kind === 'verifying' ? verify(next, key, phase, isStored(key), now) : next),
    task,
  );
  const { excluded } = settled.run;
  const attempts = settled.run.attempts.map((attempt): Attempt => {
    const { key, phase } = attempt;
    const isSkipped = evaluated.has(key) && (sendsNothingYet(phase) || hasSentNothing(phase));
    return isSkipped ? { ...attempt, phase: skipped } : attempt;
  });
  const failCount = attempts.filter(({ phase }) => phase.kind === 'done' && phase.result === 'failure').length;
  const listedBefore = new Set([...attempts.map(({ key }) => key), ...excluded]);
  const added = [...pending].filter((key) => !listedBefore.has(key));
  const run = withRun({ ...settled, failCount }, { attempts, excluded: [...excluded, ...added], listDue: false });
  return list === null ? run : { ...run, courses: listKeeping(run, list) };
};

const awaitsResult = ({ phase }: Attempt): boolean => phase.kind === 'submitting' || phase.kind === 'verifying';

export const endIfOver = (task: RunTask, now: number): EvaluationTask => {
  const { attempts, stopRequestedAt, listDue } = task.run;
  if (stopRequestedAt !== null) return attempts.some(awaitsResult) ? task : endTask(task, 'terminated', now);
  return unfinishedCourses(task.run).length === 0 && !listDue ? endTask(task, 'completed', now) : task;
};

const resultOf = ({ phase }: Attempt): 'success' | AttemptFault => {
  if (phase.kind !== 'verifying') return 'interrupted';
  return phase.outcome === 'accepted' ? 'success' : faultOf(phase);
};

/** Counts attempts before the list has confirmed them: by the answer of the campus, or as interrupted without one. */
const withResults = (task: RunTask, now: number): RunTask =>
  task.run.attempts
    .filter(awaitsResult)
    .reduce(
      (counted, attempt) => finish(counted, attempt.key, resultOf(attempt), now, isUnsentIn(attempt.phase)),
      task,
    );

const waitForPerson = (task: RunTask, { key }: TaskEvent<'person-needed'>, now: number): RunTask => {
  const { person, attempts } = task.run;
  // No student is asked for a step just for the last look at the list.
  if (unfinishedCourses(task.run).length === 0) return withRun(task, { listDue: false });
  const isOpening = attempts.some((attempt) => attempt.key === key && attempt.phase.kind === 'opening');
  const waits = key !== null && isOpening ? withPhase(task, key, { kind: 'waiting' }) : task;
  return withRun(waits, { person: { since: person?.since ?? now, lookAt: now + PERSON_LOOK_MS } });
};

/** Limits an event to attempts in one phase. */
const inPhase =
  <K extends AttemptPhase['kind'], E extends OfCourse>(
    kind: K,
    next: (task: RunTask, event: E, now: number, phase: Extract<AttemptPhase, { readonly kind: K }>) => RunTask | null,
  ) =>
  (task: RunTask, event: E, now: number): RunTask | null => {
    const phase = task.run.attempts.find(({ key }) => key === event.key)?.phase;
    const isPhase = (of: AttemptPhase): of is Extract<AttemptPhase, { readonly kind: K }> => of.kind === kind;
    return phase !== undefined && isPhase(phase) ? next(task, event, now, phase) : null;
  };

const stopTask = (task: RunTask, _: object, now: number): RunTask =>
  withRun(task, { stopRequestedAt: task.run.stopRequestedAt ?? now });

export const ofRun: TransitionRows<RunTask> = {
  'page-opening': inPhase('waiting', (task, { key }, now) =>
    withRun(withPhase(task, key, { kind: 'opening' }), { lastOpenedAt: now }),
  ),
  'page-opened': inPhase('opening', (task, { key }, now) =>
    withRun(withPhase(task, key, { kind: 'counting', openedAt: now }), { person: null }),
  ),
  // Nothing can have been stored, so the list is read for it once, with the next submission or before the end.
  'page-failed': inPhase('opening', (task, { key, fault }: TaskEvent<'page-failed'>, now) =>
    withRun(finish(task, key, fault, now), { listDue: true }),
  ),
  'submission-begun': inPhase('counting', (task, { key }, now, phase) =>
    dueAt(task.run, phase) > now || task.run.attempts.some(awaitsResult)
      ? null
      : withPhase(task, key, { kind: 'submitting' }),
  ),
  'submission-answered': inPhase('submitting', (task, { key, outcome }: TaskEvent<'submission-answered'>, now) => {
    const result = outcome === 'not-sent' ? ({ outcome: 'refused', unsent: true } as const) : { outcome };
    return withPhase(task, key, { kind: 'verifying', ...result, reads: 0, nextReadAt: now });
  }),
  'page-lost': inPhase('submitting', (task, { key }, now) => pageLost(task, key, now)),
  'list-read': (task, { courses }, now) =>
    syncWithList(courses === null ? task : withRun(task, { person: null }), courses, now),
  'person-needed': waitForPerson,
  'run-failed': (task, { fault }, now) => endTask(task, 'failed', now, fault),
  terminate: stopTask,
  'stop-asked': stopTask,
  // A submission without an answer counts as failed here, and the list of the campus tells its outcome.
  interrupted: (task, _, now) => endTask(withResults(task, now), 'failed', now, 'interrupted'),
  'stop-overdue': (task, _, now) =>
    (stopAt(task.run) ?? Number.POSITIVE_INFINITY) <= now ? endTask(withResults(task, now), 'terminated', now) : null,
};
