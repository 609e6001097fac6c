import type { Academics } from '../../../domain/academics/academics.ts';
import { Failure } from '../../../domain/errors.ts';
import type { Evaluation, InitializeResult } from '../../../domain/evaluation/evaluation.ts';
import type { PreviewRefusal, StartRefusal } from '../../../domain/evaluation/refusals.ts';
import type { TaskStatus } from '../../../domain/evaluation/task.ts';
import { evaluationStartLimit } from '../../../platform/server-options.ts';
import {
  busy,
  causeText,
  coursesText,
  noCourses,
  noTask,
  nothingToDo,
  previewRefusals,
  progressText,
  readyText,
  startedText,
  startRefusals,
  terminatedText,
  terminateRefusals,
} from '../../records/evaluation-texts.ts';
import { presentCurrent, presentEvaluationCourse } from '../../records/present-evaluation.ts';
import { type Operation, studentOperation, tellingOperation } from '../operation.ts';
import type { Refusals } from '../operation-schema.ts';
import { presentInitialized, presentPreview, presentStatus } from '../present-evaluation.ts';
import { Refused } from '../refusal.ts';
import {
  Courses,
  CurrentCourse,
  EvaluationInitialized,
  EvaluationPreview,
  EvaluationStatus,
  PreviewQuery,
  StartRequest,
  TaskOperation,
} from '../schemas/evaluation.ts';
import {
  currentExample,
  initializedExample,
  listExample,
  previewExample,
  statusExample,
} from './evaluation-examples.ts';

type ConflictCode = 'EVALUATION_CONFLICT' | 'EVALUATION_CLOSED' | 'EVALUATION_EMPTY';
type Case = Refusals['cases'][number];

/** A refusal for the state that the task is in. */
const conflict = (message: string, status: TaskStatus, code: ConflictCode = 'EVALUATION_CONFLICT') => ({
  code,
  message,
  data: { task_status: status },
});

const closed = (status: TaskStatus) => conflict(causeText('season-closed'), status, 'EVALUATION_CLOSED');
const empty = conflict(causeText('list-empty'), 'failed', 'EVALUATION_EMPTY');
const courseUnknown = { code: 'COURSE_NOT_FOUND', message: startRefusals['course-unknown'] } as const;
const tooMany = { code: 'COOLDOWN', message: startRefusals['too-many'], retryAfterSeconds: 60 } as const;

const startRefusal = (reason: StartRefusal, status: TaskStatus) => {
  if (reason === 'too-many') return tooMany;
  return reason === 'course-unknown' ? courseUnknown : conflict(startRefusals[reason], status);
};

const previewRefusal = (reason: PreviewRefusal, status: TaskStatus) => {
  if (reason === 'season-closed') return closed(status);
  return reason === 'course-unknown' ? courseUnknown : conflict(previewRefusals[reason], status);
};

/** What keeps a list from being loaded: the task's own state and season are refusals, everything else has failed. */
const notLoaded = (result: Exclude<InitializeResult, { kind: 'loaded' }>): Error => {
  if (result.kind === 'busy') return new Refused(conflict(busy, result.status));
  if (result.fault === 'season-closed') return new Refused(closed('failed'));
  if (result.fault === 'list-empty') return new Refused(empty);
  return result.cause ?? new Failure('internal', { reason: `evaluation list: ${result.fault}` });
};

const shared = { tag: 'Evaluation' } as const;
const task = { ...shared, level: 'T' } as const;
const refusals = (...cases: readonly Case[]): Refusals => ({
  conflict: { title: 'EvaluationConflictEnvelope', data: TaskOperation },
  cases,
});
const notReady: readonly Case[] = [
  { name: 'not initialized', ...conflict(startRefusals['not-initialized'], 'idle') },
  { name: 'initializing', ...conflict(startRefusals.initializing, 'initializing') },
];
const keyMissing = (source: 'query' | 'body', ...loc: Array<string | number>) => [
  { loc: [source, ...loc], msg: 'String should have at least 1 characters', type: 'string_too_short' },
];

const lists = ({ academics, evaluation }: EvaluationDeps): Operation[] => [
  studentOperation({
    ...shared,
    level: 'TU',
    method: 'GET',
    url: '/jwc/evaluation/courses',
    operationId: 'listEvaluationCourses',
    summary: 'Courses to evaluate',
    description: 'As the campus lists them now; the task is not touched.',
    data: Courses,
    message: coursesText,
    messageOf: (courses) => (courses.length === 0 ? noCourses : coursesText),
    example: { data: listExample },
    run: async ({ student, context }) =>
      (await academics.evaluationCourses(student, context)).map(presentEvaluationCourse),
  }),
  studentOperation({
    ...shared,
    level: 'TU',
    method: 'POST',
    url: '/jwc/evaluation/initialize',
    operationId: 'initializeEvaluation',
    summary: 'Load the course list for an evaluation task',
    description:
      'Answers when the list is loaded. A finished task is replaced, with what was excluded and previewed for it.',
    data: EvaluationInitialized,
    message: readyText(1),
    messageOf: ({ pending_courses }) => readyText(pending_courses),
    example: { data: initializedExample },
    refusals: refusals(
      { name: 'under way', ...conflict(busy, 'running') },
      { name: 'season closed', ...closed('failed') },
      { name: 'list empty', ...empty },
    ),
    run: async ({ student, context }) => {
      const result = await evaluation.initialize(student, context);
      if (result.kind !== 'loaded') throw notLoaded(result);
      return presentInitialized(result.view);
    },
  }),
];

const runs = ({ evaluation }: EvaluationDeps): Operation[] => [
  studentOperation({
    ...shared,
    level: 'TU',
    method: 'GET',
    ageless: true,
    url: '/jwc/evaluation/preview',
    operationId: 'previewEvaluation',
    summary: 'The answers for one course, before they are sent',
    description:
      'The first call for a course opens its questionnaire and draws the answers; later ones repeat them, also while the task runs. ' +
      'Exactly these answers are sent, or none: a course whose questionnaire has changed meanwhile fails.',
    query: PreviewQuery,
    data: EvaluationPreview,
    message: '评教预览获取成功',
    example: { data: previewExample },
    details: keyMissing('query', 'course_key'),
    failures: ['COURSE_NOT_FOUND'],
    parts: ['questionnaire'],
    refusals: refusals(
      ...notReady,
      { name: 'not now', ...conflict(previewRefusals['not-now'], 'running') },
      { name: 'season closed', ...closed('idle') },
    ),
    run: async ({ student, query, context }) => {
      const result = await evaluation.preview(student, query.course_key, context);
      if (result.kind === 'refused') throw new Refused(previewRefusal(result.reason, result.status));
      return presentPreview(result.preview);
    },
  }),
  studentOperation({
    ...shared,
    level: 'TU',
    method: 'POST',
    url: '/jwc/evaluation/start',
    operationId: 'startEvaluation',
    summary: 'Start evaluating the pending courses',
    description:
      'The task goes on in the background, without the courses that are excluded. With nothing left to do it is completed at once. ' +
      'The body may be left out.',
    body: StartRequest,
    bodyOptional: true,
    bodyLimit: evaluationStartLimit,
    data: TaskOperation,
    message: startedText,
    messageOf: ({ task_status }) => (task_status === 'completed' ? nothingToDo : startedText),
    example: { body: { exclude: [previewExample.course_key] }, data: { task_status: 'running' } },
    details: keyMissing('body', 'exclude', 0),
    failures: ['COURSE_NOT_FOUND'],
    refusals: refusals(
      ...notReady,
      { name: 'under way', ...conflict(startRefusals['under-way'], 'running') },
      { name: 'too many runs', ...tooMany },
    ),
    run: async ({ student, body, context }) => {
      const result = await evaluation.start(student, context, body.exclude ?? []);
      if (!result.accepted) throw new Refused(startRefusal(result.reason, result.status));
      return { task_status: result.status };
    },
  }),
  studentOperation({
    ...task,
    method: 'POST',
    url: '/jwc/evaluation/terminate',
    operationId: 'terminateEvaluation',
    summary: 'Stop the evaluation task',
    description: 'Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.',
    data: TaskOperation,
    message: terminatedText,
    example: { data: { task_status: 'terminated' } },
    refusals: refusals(
      { name: 'no task', ...conflict(terminateRefusals['no-task'], 'idle') },
      { name: 'not running', ...conflict(terminateRefusals['not-running'], 'completed') },
    ),
    run: async ({ student, context }) => {
      const result = await evaluation.terminate(student, context);
      if (!result.accepted) throw new Refused(conflict(terminateRefusals[result.reason], result.status));
      return { task_status: result.status };
    },
  }),
];

const looks = ({ evaluation, timeZone }: EvaluationDeps): Operation[] => [
  tellingOperation({
    ...task,
    method: 'GET',
    url: '/jwc/evaluation/status',
    operationId: 'getEvaluationStatus',
    summary: 'State and counts of the evaluation task',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    data: EvaluationStatus,
    message: progressText({ kind: 'countdown', seconds: 95 }),
    example: { data: statusExample },
    run: async ({ student }) => {
      const view = await evaluation.status(student);
      return view === null
        ? { message: noTask, data: null }
        : { message: progressText(view.progress), data: presentStatus(view, timeZone) };
    },
  }),
  studentOperation({
    ...task,
    method: 'GET',
    url: '/jwc/evaluation/current',
    operationId: 'getEvaluatedCourse',
    summary: 'The course that is being evaluated',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    data: CurrentCourse,
    message: '获取成功',
    messageOf: (current) => (current === null ? noTask : '获取成功'),
    example: { data: currentExample },
    run: async ({ student }) => {
      const view = await evaluation.current(student);
      return view && presentCurrent(view);
    },
  }),
];

export interface EvaluationDeps {
  readonly academics: Academics;
  readonly evaluation: Evaluation;
  /** Of the times in answers. */
  readonly timeZone: string;
}

/** The automated course evaluation: the same task as on the other surface. */
export const evaluationOperations = (deps: EvaluationDeps): Operation[] => [
  ...lists(deps),
  ...runs(deps),
  ...looks(deps),
];
