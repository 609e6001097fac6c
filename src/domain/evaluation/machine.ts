import { endIfOver, endTask, ofRun, type RunTask } from './attempts.ts';
import {
  dueAt,
  type EvaluationRun,
  type EvaluationTask,
  excludedKeys,
  isDrawable,
  isUnopened,
  keysByName,
  PERSON_WAIT_MS,
  pendingKeys,
  previewOf,
  stopAt,
  type TaskStatus,
  unfinishedCourses,
} from './task.ts';
import type { TaskEvent, TaskEventType, TransitionRows } from './types.ts';

const newTask = (status: TaskStatus): EvaluationTask => ({
  status,
  courses: [],
  startedAt: null,
  endedAt: null,
  fault: null,
  successCount: 0,
  failCount: 0,
  previews: [],
  excluded: [],
  run: null,
});

/** Replaces a task that can no longer be read. */
export const lostTask = (now: number): EvaluationTask => endTask(newTask('failed'), 'failed', now, 'interrupted');

const initialize = (task: EvaluationTask | null, { keep }: TaskEvent<'initialize'>): EvaluationTask => {
  const begun = newTask('initializing');
  if (keep !== true || task?.status !== 'terminated') return begun;
  return { ...begun, previews: task.previews, excluded: excludedKeys(task) };
};

const loadList = (task: EvaluationTask, { courses }: TaskEvent<'list-loaded'>, now: number): EvaluationTask => {
  if (courses.length === 0) return endTask(task, 'failed', now, 'list-empty');
  const loaded = { ...task, status: 'idle', courses } as const;
  const pending = new Set(pendingKeys(loaded));
  const previews = task.previews.filter(({ key }) => pending.has(key));
  return { ...loaded, previews, excluded: task.excluded.filter((key) => pending.has(key)) };
};

const start = (
  task: EvaluationTask,
  { plan, timing, hasRoom, exclude, only }: TaskEvent<'start'>,
  now: number,
): EvaluationTask | null => {
  const byName = keysByName(task);
  const names = only ?? exclude;
  if (names?.some((name) => !byName.has(name))) return null;
  const named = new Set(names?.map((name) => byName.get(name)) ?? excludedKeys(task));
  const isLeftAlone = (key: string): boolean => named.has(key) !== (only !== undefined);
  const pending = pendingKeys(task);
  const keys = pending.filter((key) => !isLeftAlone(key));
  if (keys.length > 0 && !hasRoom) return null;
  const run: EvaluationRun = {
    plan,
    fellBack: false,
    timing,
    count: keys.length,
    attempts: keys.map((key) => ({ key, phase: { kind: 'waiting' }, resent: false })),
    pagesLost: 0,
    excluded: pending.filter(isLeftAlone),
    lastOpenedAt: null,
    pauseUntil: null,
    stopRequestedAt: null,
    listDue: false,
    refreshDue: false,
    lastResult: null,
    person: null,
  };
  const { courses, previews } = task;
  return endIfOver({ ...newTask('running'), courses, previews, startedAt: now, run }, now);
};

const preview = (task: EvaluationTask, { preview }: TaskEvent<'previewed'>): EvaluationTask | null =>
  isDrawable(task, preview.key) && previewOf(task, preview.key) === null
    ? { ...task, previews: [...task.previews, preview] }
    : null;

const edit = (task: EvaluationTask, { preview }: TaskEvent<'edited'>): EvaluationTask | null => {
  const shown = previewOf(task, preview.key);
  if (shown?.questions !== preview.questions || !isUnopened(task, preview.key)) return null;
  return { ...task, previews: task.previews.map((each) => (each === shown ? preview : each)) };
};

const interrupt = (task: EvaluationTask, _: object, now: number) => endTask(task, 'failed', now, 'interrupted');

const over: TransitionRows<EvaluationTask | null> = { initialize: initialize };
const running: TransitionRows<RunTask> = { ...ofRun, previewed: preview, edited: edit };

const table: Readonly<Record<Exclude<TaskStatus, 'running'>, TransitionRows<EvaluationTask>>> = {
  initializing: {
    'list-loaded': loadList,
    'initialization-failed': (task, { fault }, now) => endTask(task, 'failed', now, fault),
    interrupted: interrupt,
  },
  idle: { initialize: initialize, previewed: preview, edited: edit, start: start },
  paused: { interrupted: interrupt },
  completed: over,
  failed: over,
  terminated: over,
};

const isRun = (task: EvaluationTask): task is RunTask => task.run !== null;

/** The next state of a task after an event; null where the event does not apply. */
export const transition = <T extends TaskEventType>(
  task: EvaluationTask | null,
  event: TaskEvent<T>,
  now: number,
): EvaluationTask | null => {
  const type: T = event.type;
  if (task === null) return over[type]?.(task, event, now) ?? null;
  if (task.status !== 'running') return table[task.status][type]?.(task, event, now) ?? null;
  if (!isRun(task)) return type === 'interrupted' ? interrupt(task, event, now) : null;
  const next = running[type]?.(task, event, now) ?? null;
  if (next === null || next.status !== 'running' || !isRun(next)) return next;
  // The process at work ends it, so that it never takes the run for one that goes on.
  return type === 'stop-asked' ? next : endIfOver(next, now);
};

/** The next action of the process at work. */
export type TaskStep =
  | { readonly kind: 'open'; readonly key: string }
  | { readonly kind: 'submit'; readonly key: string }
  | { readonly kind: 'read-list' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'apply'; readonly event: TaskEvent }
  | { readonly kind: 'end' };

const nextOverlapped = (run: EvaluationRun, now: number): TaskStep => {
  const left = unfinishedCourses(run);
  const moments: number[] = [];
  for (const { key, phase } of left) {
    if (phase.kind !== 'counting') continue;
    if (dueAt(run, phase) <= now) return { kind: 'submit', key };
    moments.push(dueAt(run, phase));
  }
  const next = left.find(({ phase }) => phase.kind === 'waiting');
  if (next !== undefined) {
    const openAt = run.lastOpenedAt === null ? now : run.lastOpenedAt + run.timing.openEveryMs;
    if (openAt <= now) return { kind: 'open', key: next.key };
    moments.push(openAt);
  }
  return { kind: 'wait', until: Math.min(...moments) };
};

const nextSequential = (run: EvaluationRun, now: number): TaskStep => {
  const [attempt] = unfinishedCourses(run);
  if (attempt?.phase.kind === 'counting') {
    const due = dueAt(run, attempt.phase);
    return due <= now ? { kind: 'submit', key: attempt.key } : { kind: 'wait', until: due };
  }
  if (run.pauseUntil !== null && run.pauseUntil > now) return { kind: 'wait', until: run.pauseUntil };
  return attempt === undefined ? { kind: 'end' } : { kind: 'open', key: attempt.key };
};

/** One step at a time, in both plans: evaluation calls of one session must not run side by side. */
export const nextTaskStep = (task: EvaluationTask, now: number): TaskStep => {
  if (task.status !== 'running' || !isRun(task)) return { kind: 'end' };
  const { run } = task;
  const end = stopAt(run);
  if (end !== null && end <= now) return { kind: 'apply', event: { type: 'stop-overdue' } };
  const { person } = run;
  if (person !== null && person.since + PERSON_WAIT_MS <= now) {
    return { kind: 'apply', event: { type: 'run-failed', fault: 'person-needed' } };
  }
  if (person !== null && person.lookAt > now) {
    return { kind: 'wait', until: end === null ? person.lookAt : Math.min(end, person.lookAt) };
  }
  for (const { key, phase } of run.attempts) {
    if (phase.kind === 'submitting') {
      // Its answer was given up, or another process sent it: its outcome is unknown.
      return { kind: 'apply', event: { type: 'submission-answered', key, outcome: 'unknown' } };
    }
    if (phase.kind !== 'verifying') continue;
    if (phase.nextReadAt <= now) return { kind: 'read-list' };
    return { kind: 'wait', until: end === null ? phase.nextReadAt : Math.min(end, phase.nextReadAt) };
  }
  if (unfinishedCourses(run).length === 0) return { kind: 'read-list' };
  return run.plan === 'overlapped' ? nextOverlapped(run, now) : nextSequential(run, now);
};
