import type {
  Attempt,
  AttemptPhase,
  EvaluationPlan,
  EvaluationRun,
  EvaluationTask,
  SubmissionOutcome,
  TaskFault,
  TaskStatus,
} from './task.ts';
import type { EvaluationCourse } from './types.ts';

/**
 * Tasks as text and back. Whatever stands in storage is checked member by member: a snapshot that does not hold
 * together is no task at all, and is never worked on.
 */
export class BrokenSnapshot extends Error {
  constructor(member: string) {
    super(`stored evaluation task: ${member}`);
    this.name = 'BrokenSnapshot';
  }
}

type Row = Readonly<Record<string, unknown>>;

const row = (value: unknown, name: string): Row => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BrokenSnapshot(name);
  return Object.fromEntries(Object.entries(value));
};
const text = (value: unknown, name: string): string => {
  if (typeof value !== 'string') throw new BrokenSnapshot(name);
  return value;
};
const number = (value: unknown, name: string): number => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new BrokenSnapshot(name);
  return value;
};
const flag = (value: unknown, name: string): boolean => {
  if (typeof value !== 'boolean') throw new BrokenSnapshot(name);
  return value;
};
const maybe = <T>(value: unknown, name: string, read: (value: unknown, name: string) => T): T | null =>
  value === null ? null : read(value, name);
const many = <T>(value: unknown, name: string, read: (value: unknown) => T): T[] => {
  if (!Array.isArray(value)) throw new BrokenSnapshot(name);
  return value.map((item: unknown) => read(item));
};
const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: unknown, name: string): T => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new BrokenSnapshot(name);
    return found;
  };

const readStatus = oneOf<TaskStatus>([
  'idle',
  'initializing',
  'running',
  'paused',
  'completed',
  'failed',
  'terminated',
]);
const readPlan = oneOf<EvaluationPlan>(['overlapped', 'sequential']);
const readOutcome = oneOf<SubmissionOutcome>(['accepted', 'refused', 'not-yet', 'unknown']);
const readResult = oneOf(['success', 'failure', 'skipped', 'interrupted'] as const);
const readPhaseKind = oneOf(['waiting', 'opening', 'counting', 'submitting', 'verifying', 'done'] as const);
const readFault = oneOf<TaskFault>([
  'season-closed',
  'index-failed',
  'list-failed',
  'list-empty',
  'sign-in-failed',
  'interrupted',
  'unexpected',
]);

const readCourse = (value: unknown): EvaluationCourse => {
  const course = row(value, 'course');
  return {
    id: maybe(course.id, 'id', (each) => {
      const id = row(each, 'id');
      return {
        staffNumber: text(id.staffNumber, 'staffNumber'),
        sequence: text(id.sequence, 'sequence'),
        contentNumber: text(id.contentNumber, 'contentNumber'),
        questionnaireCoding: text(id.questionnaireCoding, 'questionnaireCoding'),
      };
    }),
    questionnaire: maybe(course.questionnaire, 'questionnaire', (each) => {
      const questionnaire = row(each, 'questionnaire');
      return { number: text(questionnaire.number, 'number'), name: text(questionnaire.name, 'name') };
    }),
    teacher: text(course.teacher, 'teacher'),
    courseName: text(course.courseName, 'courseName'),
    evaluated: text(course.evaluated, 'evaluated'),
  };
};

const readPhase = (value: unknown): AttemptPhase => {
  const phase = row(value, 'phase');
  const kind = readPhaseKind(phase.kind, 'phase kind');
  switch (kind) {
    case 'counting':
      return { kind, openedAt: number(phase.openedAt, 'openedAt') };
    case 'verifying':
      return {
        kind,
        outcome: readOutcome(phase.outcome, 'outcome'),
        reads: number(phase.reads, 'reads'),
        nextReadAt: number(phase.nextReadAt, 'nextReadAt'),
      };
    case 'done':
      return { kind, result: readResult(phase.result, 'result') };
    default:
      return { kind };
  }
};

const readAttempt = (value: unknown): Attempt => {
  const attempt = row(value, 'attempt');
  return { key: text(attempt.key, 'key'), phase: readPhase(attempt.phase) };
};

const readRun = (value: unknown): EvaluationRun => {
  const run = row(value, 'run');
  const timing = row(run.timing, 'timing');
  return {
    plan: readPlan(run.plan, 'plan'),
    fellBack: flag(run.fellBack, 'fellBack'),
    timing: {
      waitMs: number(timing.waitMs, 'waitMs'),
      pauseMs: number(timing.pauseMs, 'pauseMs'),
      openEveryMs: number(timing.openEveryMs, 'openEveryMs'),
    },
    count: number(run.count, 'count'),
    attempts: many(run.attempts, 'attempts', readAttempt),
    // Tasks stored before pages were counted have lost none.
    pagesLost: run.pagesLost === undefined ? 0 : number(run.pagesLost, 'pagesLost'),
    lastOpenedAt: maybe(run.lastOpenedAt, 'lastOpenedAt', number),
    pauseUntil: maybe(run.pauseUntil, 'pauseUntil', number),
    stopRequestedAt: maybe(run.stopRequestedAt, 'stopRequestedAt', number),
    refreshDue: flag(run.refreshDue, 'refreshDue'),
    lastResult: maybe(run.lastResult, 'lastResult', (each) => {
      const last = row(each, 'lastResult');
      return { courseName: text(last.courseName, 'courseName'), success: flag(last.success, 'success') };
    }),
  };
};

export const writeSnapshot = (task: EvaluationTask): string => JSON.stringify(task);

/** @throws BrokenSnapshot */
export const readSnapshot = (snapshot: string): EvaluationTask => {
  let value: unknown;
  try {
    value = JSON.parse(snapshot);
  } catch {
    throw new BrokenSnapshot('not JSON');
  }
  const task = row(value, 'task');
  return {
    status: readStatus(task.status, 'status'),
    courses: many(task.courses, 'courses', readCourse),
    startedAt: maybe(task.startedAt, 'startedAt', number),
    endedAt: maybe(task.endedAt, 'endedAt', number),
    fault: maybe(task.fault, 'fault', readFault),
    successCount: number(task.successCount, 'successCount'),
    failCount: number(task.failCount, 'failCount'),
    run: maybe(task.run, 'run', readRun),
  };
};
