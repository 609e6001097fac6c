import { ended, finish, pageLost, withPhase } from './attempts.ts';
import { rebased } from './clock-set-back.ts';
import { syncWithList } from './list-sync.ts';
import {
  type Attempt,
  type AttemptPhase,
  courseKey,
  type EvaluationPlan,
  type EvaluationRun,
  type EvaluationTask,
  isActive,
  isFinal,
  type RunTiming,
  type SubmissionOutcome,
  type TaskFault,
  unfinished,
} from './task.ts';
import { type EvaluationCourse, isPending } from './types.ts';

export type TaskEvent =
  | { readonly type: 'initialize' }
  | { readonly type: 'list-loaded'; readonly courses: readonly EvaluationCourse[] }
  | { readonly type: 'initialization-failed'; readonly fault: TaskFault }
  /** `place`: there is room for one more run. */
  | { readonly type: 'start'; readonly plan: EvaluationPlan; readonly timing: RunTiming; readonly place: boolean }
  | { readonly type: 'terminate' }
  /** The time for a submission that was on its way at termination is over. */
  | { readonly type: 'stop-overdue' }
  | { readonly type: 'page-opening'; readonly key: string }
  | { readonly type: 'page-opened'; readonly key: string }
  | { readonly type: 'page-failed'; readonly key: string }
  /** Stored before anything is sent: whoever reads it later knows that something may be on its way. */
  | { readonly type: 'submission-begun'; readonly key: string }
  | { readonly type: 'submission-answered'; readonly key: string; readonly outcome: SubmissionOutcome }
  | { readonly type: 'page-lost'; readonly key: string }
  /** null: the list could not be read. */
  | { readonly type: 'list-read'; readonly courses: readonly EvaluationCourse[] | null }
  | { readonly type: 'run-failed'; readonly fault: TaskFault }
  /** Nobody was at work on the task for a while: a process ended, or its lease did. */
  | { readonly type: 'resumed' }
  | { readonly type: 'clock-set-back' };

/** What the one who caused the transition has to do. */
export type Effect = 'load-list' | 'run' | 'stop-running';

export interface Transition {
  /** null only where there was no task and none was made. */
  readonly task: EvaluationTask | null;
  /** False: the event does not apply in this state and nothing has changed. */
  readonly accepted: boolean;
  readonly effects: readonly Effect[];
}

/** How long a submission that is on its way is awaited when the run is terminated. */
export const STOP_GRACE_MS = 5_000;

const fresh = (status: EvaluationTask['status']): EvaluationTask => ({
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

const unchanged = (task: EvaluationTask | null): Transition => ({ task, accepted: false, effects: [] });
const changed = (task: EvaluationTask, ...effects: Effect[]): Transition => ({ task, accepted: true, effects });

const isAfloat = ({ phase }: Attempt): boolean => phase.kind === 'submitting' || phase.kind === 'verifying';

const withRun = (task: EvaluationTask, run: EvaluationRun): EvaluationTask => ({ ...task, run });

/** What follows by itself: the end of a stopped run once nothing is on its way, and of one with nothing left to do. */
const settle = (task: EvaluationTask, now: number): Transition => {
  const { run } = task;
  if (run === null) return changed(task);
  if (run.stopRequestedAt !== null) {
    return run.attempts.some(isAfloat) ? changed(task) : changed(ended(task, 'terminated', now), 'stop-running');
  }
  if (!run.refreshDue && unfinished(run).length === 0) return changed(ended(task, 'completed', now), 'stop-running');
  return changed(task);
};

const started = (
  task: EvaluationTask,
  { plan, timing, place }: Extract<TaskEvent, { readonly type: 'start' }>,
  now: number,
): Transition => {
  const keys = [...new Set(task.courses.filter(isPending).map(courseKey))];
  if (keys.length > 0 && !place) return unchanged(task);
  const run: EvaluationRun = {
    plan,
    fellBack: false,
    timing,
    count: keys.length,
    attempts: keys.map((key) => ({ key, phase: { kind: 'waiting' } })),
    pagesLost: 0,
    lastOpenedAt: null,
    pauseUntil: null,
    stopRequestedAt: null,
    refreshDue: false,
    lastResult: null,
  };
  const running: EvaluationTask = { ...fresh('running'), courses: task.courses, startedAt: now, run };
  return keys.length === 0 ? changed(ended(running, 'completed', now)) : changed(running, 'run');
};

/** At the end of the grace an answer that came counts; what is still unknown is neither success nor failure. */
const stopNow = (task: EvaluationTask, run: EvaluationRun, now: number): Transition => {
  const counted = run.attempts.reduce((sum, { key, phase }) => {
    if (phase.kind !== 'verifying' || phase.outcome === 'unknown') return sum;
    return finish(sum, key, phase.outcome === 'accepted' ? 'success' : 'failure', now);
  }, task);
  return changed(ended(counted, 'terminated', now), 'stop-running');
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

const resumed = (task: EvaluationTask, now: number): Transition => {
  if (task.status === 'initializing') return changed(ended(task, 'failed', now, 'interrupted'));
  const { run } = task;
  if (run === null) return changed(ended(task, 'failed', now, 'interrupted'));
  const attempts = run.attempts.map(({ key, phase }) => ({ key, phase: afterInterruption(phase, now) }));
  return settle(withRun(task, { ...run, attempts, refreshDue: true, lastOpenedAt: null, pauseUntil: null }), now);
};

/** Events of an attempt apply to the phase that they follow and to no other. */
const inRun = (task: EvaluationTask, run: EvaluationRun, event: TaskEvent, now: number): Transition => {
  const phaseOf = (key: string): AttemptPhase['kind'] | null =>
    run.attempts.find((attempt) => attempt.key === key)?.phase.kind ?? null;
  switch (event.type) {
    case 'page-opening':
      if (phaseOf(event.key) !== 'waiting') return unchanged(task);
      return changed(withRun(task, { ...withPhase(run, event.key, { kind: 'opening' }), lastOpenedAt: now }));
    case 'page-opened':
      if (phaseOf(event.key) !== 'opening') return unchanged(task);
      return changed(withRun(task, withPhase(run, event.key, { kind: 'counting', openedAt: now })));
    case 'page-failed':
      if (phaseOf(event.key) !== 'opening') return unchanged(task);
      return settle(finish(task, event.key, 'failure', now), now);
    case 'submission-begun': {
      const phase = run.attempts.find(({ key }) => key === event.key)?.phase;
      const due = phase?.kind === 'counting' && phase.openedAt + run.timing.waitMs <= now;
      if (!due || run.attempts.some(isAfloat)) return unchanged(task);
      return changed(withRun(task, withPhase(run, event.key, { kind: 'submitting' })));
    }
    case 'submission-answered':
      if (phaseOf(event.key) !== 'submitting') return unchanged(task);
      return changed(
        withRun(
          task,
          withPhase(run, event.key, { kind: 'verifying', outcome: event.outcome, reads: 0, nextReadAt: now }),
        ),
      );
    case 'page-lost':
      return phaseOf(event.key) === 'submitting' ? settle(pageLost(task, run, event.key, now), now) : unchanged(task);
    case 'list-read':
      return settle(syncWithList(task, run, event.courses, now), now);
    case 'run-failed':
      return changed(ended(task, 'failed', now, event.fault), 'stop-running');
    case 'terminate': {
      if (run.stopRequestedAt !== null) return changed(task);
      return settle(withRun(task, { ...run, stopRequestedAt: now }), now);
    }
    case 'clock-set-back': {
      const later = rebased(run, now);
      return later === null ? unchanged(task) : changed(withRun(task, later));
    }
    case 'stop-overdue': {
      const over = run.stopRequestedAt !== null && run.stopRequestedAt + STOP_GRACE_MS <= now;
      return over ? stopNow(task, run, now) : unchanged(task);
    }
    default:
      return unchanged(task);
  }
};

/**
 * The evaluation task as a table: state and event in, state and effects out. It knows no time but `now`, no storage
 * and no campus.
 */
export const transition = (task: EvaluationTask | null, event: TaskEvent, now: number): Transition => {
  const status = task?.status ?? null;
  if (event.type === 'initialize') {
    const free = status === null || status === 'idle' || isFinal(status);
    return free ? changed(fresh('initializing'), 'load-list') : unchanged(task);
  }
  if (task === null || status === null) return unchanged(null);
  if (event.type === 'resumed') {
    return status === 'initializing' || isActive(status) ? resumed(task, now) : unchanged(task);
  }
  switch (status) {
    case 'initializing':
      if (event.type === 'list-loaded') {
        return event.courses.length === 0
          ? changed(ended(task, 'failed', now, 'list-empty'))
          : changed({ ...task, status: 'idle', courses: event.courses });
      }
      if (event.type === 'initialization-failed') return changed(ended(task, 'failed', now, event.fault));
      return unchanged(task);
    case 'idle':
      return event.type === 'start' ? started(task, event, now) : unchanged(task);
    case 'running':
      return task.run === null ? unchanged(task) : inRun(task, task.run, event, now);
    default:
      return unchanged(task);
  }
};
