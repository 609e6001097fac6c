import { Failure } from '../../../domain/errors.ts';
import type { InitializeResult } from '../../../domain/evaluation/evaluation.ts';
import type { StartRefusal } from '../../../domain/evaluation/refusals.ts';
import type { TaskStatus } from '../../../domain/evaluation/task.ts';
import { object } from '../../../domain/record.ts';
import { taskStatus } from '../../records/evaluation.ts';
import { busy, causeText, startRefusals } from '../../records/evaluation-texts.ts';
import type { Refusals } from '../described.ts';
import { Refused } from '../error-handler.ts';

export const TaskOperation = object('TaskOperation', 'State of the evaluation task; `idle` also where there is none.', {
  task_status: taskStatus,
});

type ConflictCode = 'EVALUATION_CONFLICT' | 'EVALUATION_CLOSED' | 'EVALUATION_EMPTY';

type Case = Refusals['cases'][number];

/** A refusal for the state that the task is in. */
export const conflict = (message: string, status: TaskStatus, code: ConflictCode = 'EVALUATION_CONFLICT') => ({
  code,
  message,
  data: { task_status: status },
});

export const closed = (status: TaskStatus) => conflict(causeText('season-closed'), status, 'EVALUATION_CLOSED');

export const empty = conflict(causeText('list-empty'), 'failed', 'EVALUATION_EMPTY');

export const courseUnknown = { code: 'COURSE_NOT_FOUND', message: startRefusals['course-unknown'] } as const;

export const tooMany = { code: 'COOLDOWN', message: startRefusals['too-many'], retryAfterSeconds: 60 } as const;

export const startRefusal = (reason: StartRefusal, status: TaskStatus) => {
  if (reason === 'too-many') return tooMany;
  return reason === 'course-unknown' ? courseUnknown : conflict(startRefusals[reason], status);
};

/** What keeps a list from being loaded: the task's own state and season are refusals, everything else has failed. */
export const notLoaded = (result: Exclude<InitializeResult, { kind: 'loaded' }>): Error => {
  if (result.kind === 'busy') return new Refused(conflict(busy, result.status));
  if (result.fault === 'season-closed') return new Refused(closed('failed'));
  if (result.fault === 'list-empty') return new Refused(empty);
  return result.cause ?? new Failure('internal', { reason: `evaluation list: ${result.fault}` });
};

export const refusals = (...cases: readonly Case[]): Refusals => ({
  conflict: { title: 'EvaluationConflictEnvelope', data: TaskOperation },
  cases,
});

export const notReady: readonly Case[] = [
  { name: 'not initialized', ...conflict(startRefusals['not-initialized'], 'idle') },
  { name: 'initializing', ...conflict(startRefusals.initializing, 'initializing') },
];
