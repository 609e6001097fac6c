import { ended, faultOf, finish, pageLost, rebased, syncWithList, withPhase } from './attempts.ts';
import {
  type Attempt,
  type AttemptFault,
  type AttemptPhase,
  dueAt,
  type EvaluationCourse,
  type EvaluationPlan,
  type EvaluationRun,
  type EvaluationTask,
  excludedKeys,
  isBusy,
  isDrawable,
  isUnopened,
  keysByName,
  PERSON_LOOK_MS,
  PERSON_WAIT_MS,
  type Preview,
  pendingKeys,
  previewOf,
  type RunTiming,
  stopAt,
  type TaskFault,
  type TaskStatus,
  unfinished,
} from './task.ts';
import type { SubmissionOutcome } from './types.ts';

/**
 * Courses as clients name them. Only one of the two; neither: what the run stopped before has left alone is left out,
 * because evaluating it cannot be undone.
 */
export interface StartChoice {
  readonly exclude?: readonly string[];
  readonly only?: readonly string[];
}

export type TaskEvent =
  /**
   * `keep`: what a run that was stopped had shown and left alone is kept for the next one. Only right after it: a list
   * that could not be read says nothing about the courses.
   */
  | { readonly type: 'initialize'; readonly keep?: boolean }
  | { readonly type: 'list-loaded'; readonly courses: readonly EvaluationCourse[] }
  | { readonly type: 'initialization-failed'; readonly fault: TaskFault }
  /** The first answers that were drawn for a course stay. */
  | { readonly type: 'previewed'; readonly preview: Preview }
  /** Other answers in place of those that were shown, for the same questions. */
  | { readonly type: 'edited'; readonly preview: Preview }
  /** `place`: there is room for one more run. A course that is unknown refuses it. */
  | ({
      readonly type: 'start';
      readonly plan: EvaluationPlan;
      readonly timing: RunTiming;
      readonly place: boolean;
    } & StartChoice)
  | { readonly type: 'terminate' }
  /** The time for a submission that was on its way at termination is over. */
  | { readonly type: 'stop-overdue' }
  | { readonly type: 'page-opening'; readonly key: string }
  | { readonly type: 'page-opened'; readonly key: string }
  | { readonly type: 'page-failed'; readonly key: string; readonly fault: AttemptFault }
  /** Stored before anything is sent: a later reader knows that something may be on its way. */
  | { readonly type: 'submission-begun'; readonly key: string }
  | { readonly type: 'submission-answered'; readonly key: string; readonly outcome: SubmissionOutcome }
  | { readonly type: 'page-lost'; readonly key: string }
  /** null: the list could not be read. */
  | { readonly type: 'list-read'; readonly courses: readonly EvaluationCourse[] | null }
  /** Of an opening, or of a reading of the list: the campus wants a second step. */
  | { readonly type: 'person-needed'; readonly key: string | null }
  | { readonly type: 'run-failed'; readonly fault: TaskFault }
  /** No process was at work on the task for a while: a process ended, or its lease did. */
  | { readonly type: 'resumed' }
  | { readonly type: 'clock-set-back' };

const fresh = (status: TaskStatus): EvaluationTask => ({
  status,
  courses: [],
  startedAt: null,
  endedAt: null,
  fault: null,
  successCount: 0,
  failCount: 0,
  run: null,
});

/** What is left of a task that cannot be read any more. */
export const lostTask = (now: number): EvaluationTask => ended(fresh('failed'), 'failed', now, 'interrupted');

const awaitsResult = ({ phase }: Attempt): boolean => phase.kind === 'submitting' || phase.kind === 'verifying';

const withRun = (task: EvaluationTask, run: EvaluationRun): EvaluationTask => ({ ...task, run });

/** What follows by itself: the end of a stopped run once nothing is on its way, and of one with nothing left to do. */
const endedIfOver = (task: EvaluationTask, now: number): EvaluationTask => {
  const { run } = task;
  if (run === null) return task;
  if (run.stopRequestedAt !== null) return run.attempts.some(awaitsResult) ? task : ended(task, 'terminated', now);
  return !run.refreshDue && unfinished(run).length === 0 ? ended(task, 'completed', now) : task;
};

const started = (
  task: EvaluationTask,
  { plan, timing, place, exclude, only }: Extract<TaskEvent, { readonly type: 'start' }>,
  now: number,
): EvaluationTask | null => {
  const byName = keysByName(task);
  const names = only ?? exclude;
  if (names?.some((name) => !byName.has(name))) return null;
  const named = new Set(names?.map((name) => byName.get(name)) ?? excludedKeys(task));
  const isLeftAlone = (key: string): boolean => named.has(key) !== (only !== undefined);
  const pending = pendingKeys(task);
  const keys = pending.filter((key) => !isLeftAlone(key));
  if (keys.length > 0 && !place) return null;
  const run: EvaluationRun = {
    plan,
    fellBack: false,
    timing,
    count: keys.length,
    attempts: keys.map((key) => ({ key, phase: { kind: 'waiting' } })),
    pagesLost: 0,
    excluded: pending.filter(isLeftAlone),
    onlyNamed: only !== undefined,
    lastOpenedAt: null,
    pauseUntil: null,
    stopRequestedAt: null,
    refreshDue: false,
    lastResult: null,
  };
  const { courses, previews = [] } = task;
  return endedIfOver({ ...fresh('running'), courses, previews, startedAt: now, run }, now);
};

const previewed = (task: EvaluationTask, preview: Preview): EvaluationTask | null =>
  isDrawable(task, preview.key) && previewOf(task, preview.key) === null
    ? { ...task, previews: [...(task.previews ?? []), preview] }
    : null;

const edited = (task: EvaluationTask, preview: Preview): EvaluationTask | null => {
  const { previews = [] } = task;
  const shown = previewOf(task, preview.key);
  if (shown?.questions !== preview.questions || !isUnopened(task, preview.key)) return null;
  return { ...task, previews: previews.map((each) => (each === shown ? preview : each)) };
};

/** The list of a task whose previews and exclusions are those of a stopped run: they stay where a course is pending. */
const listed = (task: EvaluationTask, courses: readonly EvaluationCourse[]): EvaluationTask => {
  const loaded = { ...task, status: 'idle', courses } as const;
  const pending = new Set(pendingKeys(loaded));
  const previews = (task.previews ?? []).filter(({ key }) => pending.has(key));
  return { ...loaded, previews, excluded: excludedKeys(task).filter((key) => pending.has(key)) };
};

/** At the end of the grace an answer that came counts; what is still unknown is neither success nor failure. */
const stoppedNow = (task: EvaluationTask, run: EvaluationRun, now: number): EvaluationTask => {
  const counted = run.attempts.reduce((sum, { key, phase }) => {
    if (phase.kind !== 'verifying' || phase.outcome === 'unknown') return sum;
    return finish(sum, key, phase.outcome === 'accepted' ? 'success' : faultOf(phase), now);
  }, task);
  return ended(counted, 'terminated', now);
};

const afterInterruption = (phase: AttemptPhase, now: number): AttemptPhase => {
  switch (phase.kind) {
    case 'opening':
    case 'counting':
      // The page and its token were in the memory of a process that is gone.
      return { kind: 'waiting' };
    case 'submitting':
      return { kind: 'verifying', outcome: 'unknown', reads: 0, nextReadAt: now };
    case 'verifying':
      return { ...phase, nextReadAt: now };
    default:
      return phase;
  }
};

const resumed = (task: EvaluationTask, now: number): EvaluationTask => {
  const { run, status } = task;
  if (status === 'initializing' || run === null) return ended(task, 'failed', now, 'interrupted');
  const attempts = run.attempts.map(({ key, phase }) => ({ key, phase: afterInterruption(phase, now) }));
  const next = { ...run, attempts, refreshDue: true, lastOpenedAt: null, pauseUntil: null };
  return endedIfOver(withRun(task, next), now);
};

/** Events of an attempt apply to the phase that they follow and to no other. */
const inRun = (task: EvaluationTask, run: EvaluationRun, event: TaskEvent, now: number): EvaluationTask | null => {
  const phaseOf = (key: string): AttemptPhase | undefined => run.attempts.find((attempt) => attempt.key === key)?.phase;
  const moved = (key: string, from: AttemptPhase['kind'], to: AttemptPhase, of = run): EvaluationTask | null =>
    phaseOf(key)?.kind === from ? withRun(task, withPhase(of, key, to)) : null;
  switch (event.type) {
    case 'page-opening': {
      const opening = moved(event.key, 'waiting', { kind: 'opening' });
      return opening?.run ? withRun(opening, { ...opening.run, lastOpenedAt: now }) : null;
    }
    case 'page-opened':
      return moved(event.key, 'opening', { kind: 'counting', openedAt: now }, { ...run, person: null });
    case 'page-failed':
      if (phaseOf(event.key)?.kind !== 'opening') return null;
      // Nothing can have been stored, so the list is not read for it.
      return endedIfOver(finish(task, event.key, event.fault, now), now);
    case 'submission-begun': {
      const phase = phaseOf(event.key);
      const isDue = phase?.kind === 'counting' && dueAt(run, phase) <= now;
      if (!isDue || run.attempts.some(awaitsResult)) return null;
      return withRun(task, withPhase(run, event.key, { kind: 'submitting' }));
    }
    case 'submission-answered': {
      const { outcome } = event;
      // Earlier versions of the service, which may be at work beside this one, know no `not-sent`.
      const result = outcome === 'not-sent' ? ({ outcome: 'refused', unsent: true } as const) : { outcome };
      return moved(event.key, 'submitting', { kind: 'verifying', ...result, reads: 0, nextReadAt: now });
    }
    case 'page-lost':
      if (phaseOf(event.key)?.kind !== 'submitting') return null;
      return endedIfOver(pageLost(task, run, event.key, now), now);
    case 'list-read': {
      const seen = event.courses === null ? run : { ...run, person: null };
      return endedIfOver(syncWithList(withRun(task, seen), seen, event.courses, now), now);
    }
    case 'person-needed': {
      const { key } = event;
      const isOpening = key !== null && phaseOf(key)?.kind === 'opening';
      const person = { since: run.person?.since ?? now, lookAt: now + PERSON_LOOK_MS };
      const waits = isOpening ? withPhase(run, key, { kind: 'waiting' }) : run;
      return withRun(task, { ...waits, person });
    }
    case 'run-failed':
      return ended(task, 'failed', now, event.fault);
    case 'terminate':
      if (run.stopRequestedAt !== null) return task;
      return endedIfOver(withRun(task, { ...run, stopRequestedAt: now }), now);
    case 'clock-set-back': {
      const later = rebased(run, now);
      return later === null ? null : withRun(task, later);
    }
    case 'stop-overdue': {
      const end = stopAt(run);
      return end !== null && end <= now ? stoppedNow(task, run, now) : null;
    }
    default:
      return null;
  }
};

/**
 * The evaluation task as a table: state and event in, the next state out; null where the event does not apply. It
 * knows no time but `now`, no storage and no campus.
 */
export const transition = (task: EvaluationTask | null, event: TaskEvent, now: number): EvaluationTask | null => {
  if (event.type === 'initialize') {
    if (task !== null && isBusy(task.status)) return null;
    const { previews = [] } = task ?? {};
    const kept = event.keep === true && task?.status === 'terminated' ? { previews, excluded: excludedKeys(task) } : {};
    return { ...fresh('initializing'), ...kept };
  }
  if (task === null) return null;
  if (event.type === 'previewed') return previewed(task, event.preview);
  if (event.type === 'edited') return edited(task, event.preview);
  if (event.type === 'resumed') return isBusy(task.status) ? resumed(task, now) : null;
  switch (task.status) {
    case 'initializing':
      if (event.type === 'initialization-failed') return ended(task, 'failed', now, event.fault);
      if (event.type !== 'list-loaded') return null;
      return event.courses.length === 0 ? ended(task, 'failed', now, 'list-empty') : listed(task, event.courses);
    case 'idle':
      return event.type === 'start' ? started(task, event, now) : null;
    case 'running':
      return task.run === null ? null : inRun(task, task.run, event, now);
    default:
      return null;
  }
};

/** What the one at work on a task has to do next. */
type Step =
  | { readonly kind: 'open'; readonly key: string }
  | { readonly kind: 'submit'; readonly key: string }
  | { readonly kind: 'read-list' }
  | { readonly kind: 'wait'; readonly until: number }
  /** Nothing but a transition. */
  | { readonly kind: 'apply'; readonly event: TaskEvent }
  | { readonly kind: 'end' };

const overlapped = (run: EvaluationRun, now: number): Step => {
  const left = unfinished(run);
  const moments: number[] = [];
  for (const { key, phase } of left) {
    if (phase.kind !== 'counting') continue;
    if (dueAt(run, phase) <= now) return { kind: 'submit', key };
    moments.push(dueAt(run, phase));
  }
  // An opening that is found here is not this worker's, and no other is at work any more.
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
    const due = dueAt(run, attempt.phase);
    return due <= now ? { kind: 'submit', key: attempt.key } : { kind: 'wait', until: due };
  }
  if (run.pauseUntil !== null && run.pauseUntil > now) return { kind: 'wait', until: run.pauseUntil };
  return attempt === undefined ? { kind: 'end' } : { kind: 'open', key: attempt.key };
};

/** One thing at a time: evaluation calls of one session do not run side by side, in either plan. */
export const nextStep = (task: EvaluationTask, now: number): Step => {
  const { run } = task;
  if (task.status !== 'running' || run === null) return { kind: 'end' };
  const end = stopAt(run);
  if (end !== null && end <= now) return { kind: 'apply', event: { type: 'stop-overdue' } };
  if (rebased(run, now) !== null) return { kind: 'apply', event: { type: 'clock-set-back' } };
  const { person = null } = run;
  if (person !== null && person.since + PERSON_WAIT_MS <= now) {
    return { kind: 'apply', event: { type: 'run-failed', fault: 'person-needed' } };
  }
  if (person !== null && person.lookAt > now) {
    return { kind: 'wait', until: end === null ? person.lookAt : Math.min(end, person.lookAt) };
  }
  for (const { key, phase } of run.attempts) {
    if (phase.kind === 'submitting') {
      // Its answer was given up, or never asked for here: what came of it is unknown.
      return { kind: 'apply', event: { type: 'submission-answered', key, outcome: 'unknown' } };
    }
    if (phase.kind !== 'verifying') continue;
    if (phase.nextReadAt <= now) return { kind: 'read-list' };
    return { kind: 'wait', until: end === null ? phase.nextReadAt : Math.min(end, phase.nextReadAt) };
  }
  if (run.refreshDue) return { kind: 'read-list' };
  return run.plan === 'overlapped' ? overlapped(run, now) : sequential(run, now);
};
