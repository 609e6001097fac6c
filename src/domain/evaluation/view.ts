import {
  type Attempt,
  awaitsPerson,
  courseKeyOf,
  dueAt,
  type EvaluationRun,
  type EvaluationTask,
  excludedKeys,
  findCourse,
  isPending,
  namedCourses,
  publicKey,
  type TaskFault,
  unfinishedCourses,
} from './task.ts';

/** Progress for the surfaces to put into words. `position` counts from 1. */
export type Progress =
  | { readonly kind: 'nothing' }
  /** The run waits for a second step of its student. */
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

const secondsLeft = (run: EvaluationRun, { phase }: Attempt, now: number): number => {
  if (phase.kind !== 'counting') return 0;
  const due = dueAt(run, phase);
  const whole = Math.ceil((due - phase.openedAt) / 1000);
  return Math.min(whole, Math.max(0, Math.ceil((due - now) / 1000)));
};

/** The current attempt; `index` counts from 0, and `of` over all that have ended or are left. Null between two. */
const underWayOf = (task: EvaluationTask, now: number) => {
  const { run, status } = task;
  if (status !== 'running' || run === null) return null;
  const left = unfinishedCourses(run);
  const [attempt] = left;
  if (attempt === undefined || attempt.phase.kind === 'waiting') return null;
  const index = task.successCount + task.failCount;
  const { kind } = attempt.phase;
  return {
    kind,
    course: findCourse(task, attempt.key),
    index,
    of: index + left.length,
    countdown: secondsLeft(run, attempt, now),
  };
};

type UnderWay = ReturnType<typeof underWayOf>;

const runningProgress = (task: EvaluationTask, current: UnderWay): Progress => {
  const lastResult = task.run?.lastResult ?? null;
  if (awaitsPerson(task)) return { kind: 'person-needed' };
  if (current?.kind === 'verifying') return { kind: 'reading-list' };
  if (current === null) return lastResult === null ? { kind: 'nothing' } : { kind: 'attempt-ended', ...lastResult };
  const { kind, course, index, of, countdown } = current;
  if (kind === 'opening') {
    return { kind, position: index + 1, of, questionnaire: course?.questionnaire?.name ?? '' };
  }
  return countdown > 0 ? { kind: 'countdown', seconds: countdown } : { kind: 'submitting' };
};

const progressOf = (task: EvaluationTask, pending: number, current: UnderWay): Progress => {
  const { status, run, successCount: success, failCount: failed } = task;
  switch (status) {
    case 'initializing':
      return { kind: 'loading-list' };
    case 'idle':
      return { kind: 'ready', pending };
    case 'running':
      return runningProgress(task, current);
    case 'completed':
      return { kind: 'completed', success, failed, nothingToDo: success + failed === 0 };
    case 'terminated':
      return { kind: 'terminated' };
    case 'failed':
      return { kind: 'failed', fault: task.fault ?? 'unexpected', ran: run !== null };
    case 'paused':
      return { kind: 'nothing' };
  }
};

const listFailed = (task: EvaluationTask) =>
  (task.run?.attempts ?? []).flatMap(({ key, phase }) => {
    if (phase.kind !== 'done' || phase.result !== 'failure') return [];
    // 1.0 stored neither.
    const { fault = 'interrupted', courseName = findCourse(task, key)?.courseName ?? '' } = phase;
    const isUnknown = fault === 'interrupted' && phase.unsent !== true;
    return { courseKey: publicKey(key), courseName, fault, isUnknown };
  });

/** A task as its student sees it at `now`. Times are epoch milliseconds. */
export const taskView = (task: EvaluationTask, now: number) => {
  const { status, courses, successCount, failCount, startedAt, endedAt, fault } = task;
  const pending = courses.filter(isPending).length;
  const current = underWayOf(task, now);
  const excluded = excludedKeys(task);
  return {
    status,
    /** `courseKey` as clients know it. `excluded`: the run leaves the course alone. */
    courses: namedCourses(courses).map(({ course, key, name }) => ({
      ...course,
      courseKey: name,
      excluded: excluded.includes(key),
    })),
    total: courses.length,
    /** Counted in the campus's list, including excluded courses. */
    pending,
    successCount,
    failCount,
    /** In the order of the attempts, as many as `failCount`. `isUnknown`: only the list tells what came of it. */
    failed: listFailed(task),
    currentIndex: successCount + failCount,
    /** Seconds until the current course is submitted; 0 outside its countdown. */
    countdown: current?.countdown ?? 0,
    startedAt,
    endedAt,
    fault,
    /** A run had begun. */
    ran: task.run !== null,
    progress: progressOf(task, pending, current),
  };
};

export type TaskView = ReturnType<typeof taskView>;
export type TaskCourse = TaskView['courses'][number];

/** The course that is being evaluated; null before the first, between two and after the last. */
export const currentView = (task: EvaluationTask, now: number) => {
  const { status, courses } = task;
  const current = underWayOf(task, now);
  const excluded = excludedKeys(task);
  const wanted = courses.filter((course) => isPending(course) && !excluded.includes(courseKeyOf(course)));
  return {
    status,
    /** Pending courses that the run does not leave alone; 0 without a run. */
    pending: status === 'running' && task.run !== null ? wanted.length : 0,
    course: current && {
      name: current.course?.courseName ?? '',
      teacher: current.course?.teacher ?? '',
      index: current.index,
      of: current.of,
      countdown: current.countdown,
    },
  };
};

export type CurrentView = ReturnType<typeof currentView>;
