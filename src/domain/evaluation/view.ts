import { type EditablePreview, editable } from './preview.ts';
import {
  type Attempt,
  type AttemptFault,
  awaitsPerson,
  courseKey,
  courseOf,
  currentAttempt,
  dueAt,
  type EvaluationCourse,
  type EvaluationRun,
  type EvaluationTask,
  finishedCount,
  isExcluded,
  isPending,
  type Preview,
  publicKey,
  publicKeys,
  type TaskFault,
  type TaskStatus,
  unfinished,
} from './task.ts';

/** What a task is doing, for a text that the surface words. `position` of `of` counts from 1. */
export type Progress =
  | { readonly kind: 'nothing' }
  /** The campus wants a second step of the student before it goes on. */
  | { readonly kind: 'person-needed' }
  | { readonly kind: 'loading-list' }
  | { readonly kind: 'ready'; readonly pending: number }
  | { readonly kind: 'opening'; readonly position: number; readonly of: number; readonly questionnaire: string }
  | { readonly kind: 'countdown'; readonly seconds: number }
  | { readonly kind: 'submitting' }
  | { readonly kind: 'reading-list' }
  | { readonly kind: 'attempt-ended'; readonly courseName: string; readonly success: boolean }
  | { readonly kind: 'completed'; readonly success: number; readonly failed: number; readonly nothingToDo: boolean }
  | { readonly kind: 'terminated' }
  | { readonly kind: 'failed'; readonly fault: TaskFault; readonly ran: boolean };

/** A course of the task's list. */
export interface TaskCourse extends EvaluationCourse {
  /** What clients call it. */
  readonly courseKey: string;
  /** The run leaves it alone. */
  readonly excluded: boolean;
}

/** Answers that will be sent for a course, as they are shown. */
export interface PreviewView extends EditablePreview {
  readonly courseKey: string;
  readonly courseName: string;
  readonly teacher: string;
  readonly questionnaire: string;
}

/** A course that the run could not evaluate. */
export interface FailedCourse {
  readonly courseKey: string;
  readonly courseName: string;
  readonly fault: AttemptFault;
}

/** A task as its student sees it at one moment. Times are epoch milliseconds. */
export interface TaskView {
  readonly status: TaskStatus;
  readonly courses: readonly TaskCourse[];
  readonly total: number;
  /** What the campus says, excluded courses included. */
  readonly pending: number;
  readonly successCount: number;
  readonly failCount: number;
  /** In the order of the attempts, as many as `failCount`. */
  readonly failed: readonly FailedCourse[];
  /** Attempts that have ended: the place of the current one, from 0. */
  readonly currentIndex: number;
  /** Seconds until the current course is submitted, 0 outside its countdown. */
  readonly countdown: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly fault: TaskFault | null;
  /** The task had begun to evaluate when it failed. */
  readonly ran: boolean;
  readonly progress: Progress;
}

/** The course that is being evaluated; null before the first, between two and after the last. */
export interface CurrentView {
  readonly status: TaskStatus;
  /** Pending courses that the run does not leave alone. */
  readonly pending: number;
  readonly course: {
    readonly name: string;
    readonly teacher: string;
    readonly index: number;
    /** Attempts ended and left, this one included. */
    readonly of: number;
    readonly countdown: number;
  } | null;
}

const secondsLeft = (run: EvaluationRun, { phase }: Attempt, now: number): number => {
  if (phase.kind !== 'counting') return 0;
  const due = dueAt(run, phase);
  const whole = Math.ceil((due - phase.openedAt) / 1000);
  return Math.min(whole, Math.max(0, Math.ceil((due - now) / 1000)));
};

/** The attempt that is under way, null while the run prepares or pauses. */
const underWay = (run: EvaluationRun): Attempt | null => {
  const current = currentAttempt(run);
  return current === null || run.refreshDue || current.phase.kind === 'waiting' ? null : current;
};

const runningProgress = (task: EvaluationTask, run: EvaluationRun, now: number): Progress => {
  if (awaitsPerson(task)) return { kind: 'person-needed' };
  if (run.refreshDue) return { kind: 'reading-list' };
  const current = underWay(run);
  if (current === null) {
    return run.lastResult === null ? { kind: 'nothing' } : { kind: 'attempt-ended', ...run.lastResult };
  }
  switch (current.phase.kind) {
    case 'opening': {
      const course = courseOf(task, current.key);
      const finished = finishedCount(task);
      const questionnaire = course?.questionnaire?.name ?? '';
      return { kind: 'opening', position: finished + 1, of: finished + unfinished(run).length, questionnaire };
    }
    case 'counting': {
      const seconds = secondsLeft(run, current, now);
      return seconds > 0 ? { kind: 'countdown', seconds } : { kind: 'submitting' };
    }
    case 'verifying':
      return { kind: 'reading-list' };
    default:
      return { kind: 'submitting' };
  }
};

const progressOf = (task: EvaluationTask, pending: number, now: number): Progress => {
  switch (task.status) {
    case 'initializing':
      return { kind: 'loading-list' };
    case 'idle':
      return { kind: 'ready', pending };
    case 'running':
      return task.run === null ? { kind: 'nothing' } : runningProgress(task, task.run, now);
    case 'completed': {
      const nothingToDo = task.run === null || task.run.attempts.length === 0;
      return { kind: 'completed', success: task.successCount, failed: task.failCount, nothingToDo };
    }
    case 'terminated':
      return { kind: 'terminated' };
    case 'failed':
      return { kind: 'failed', fault: task.fault ?? 'unexpected', ran: task.run !== null };
    case 'paused':
      return { kind: 'nothing' };
  }
};

const pendingOf = ({ courses }: EvaluationTask): number => courses.filter(isPending).length;

const listedOf = (task: EvaluationTask): readonly TaskCourse[] => {
  const keys = publicKeys(task.courses);
  return task.courses.map((course, at) => ({
    ...course,
    courseKey: keys[at] ?? '',
    excluded: isExcluded(task, courseKey(course)),
  }));
};

const failedOf = (task: EvaluationTask): readonly FailedCourse[] =>
  (task.run?.attempts ?? []).flatMap(({ key, phase }) => {
    if (phase.kind !== 'done' || phase.result !== 'failure') return [];
    // What an earlier version of the service has counted: it cannot be recovered.
    const { fault = 'interrupted', courseName = courseOf(task, key)?.courseName ?? '' } = phase;
    return { courseKey: publicKey(key), courseName, fault };
  });

export const previewView = (task: EvaluationTask, name: string, preview: Preview): PreviewView => {
  const course = courseOf(task, preview.key);
  return {
    ...editable(preview),
    courseKey: name,
    courseName: course?.courseName ?? '',
    teacher: course?.teacher ?? '',
    questionnaire: course?.questionnaire?.name || preview.title,
  };
};

export const taskView = (task: EvaluationTask, now: number): TaskView => {
  const pending = pendingOf(task);
  const current = task.status === 'running' && task.run !== null ? underWay(task.run) : null;
  return {
    status: task.status,
    courses: listedOf(task),
    total: task.courses.length,
    pending,
    successCount: task.successCount,
    failCount: task.failCount,
    failed: failedOf(task),
    currentIndex: finishedCount(task),
    countdown: current !== null && task.run !== null ? secondsLeft(task.run, current, now) : 0,
    startedAt: task.startedAt,
    endedAt: task.endedAt,
    fault: task.fault,
    ran: task.run !== null,
    progress: progressOf(task, pending, now),
  };
};

export const currentView = (task: EvaluationTask, now: number): CurrentView => {
  const { run, status } = task;
  if (status !== 'running' || run === null) return { status, pending: 0, course: null };
  const pending = task.courses.filter((each) => isPending(each) && !isExcluded(task, courseKey(each))).length;
  const current = underWay(run);
  if (current === null) return { status, pending, course: null };
  const course = courseOf(task, current.key);
  const index = finishedCount(task);
  return {
    status,
    pending,
    course: {
      name: course?.courseName ?? '',
      teacher: course?.teacher ?? '',
      index,
      of: index + unfinished(run).length,
      countdown: secondsLeft(run, current, now),
    },
  };
};
