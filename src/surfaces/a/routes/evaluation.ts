import type { Static } from '@sinclair/typebox';
import { evaluating } from '../../../domain/capabilities.ts';
import type { TaskView } from '../../../domain/evaluation/view.ts';
import { evaluationStartLimit } from '../../../platform/server/server-options.ts';
import {
  courseInfoMembers,
  currentMembers,
  initializedMembers,
  presentCourseInfo,
  presentCurrent,
  presentTaskState,
  taskMembers,
  taskStatus,
} from '../../records/evaluation.ts';
import {
  busy,
  initializeFault,
  noTask,
  nothingToDo,
  progressText,
  readyText,
  startedText,
  startRefusals,
  terminatedText,
  terminateRefusals,
} from '../../records/evaluation-texts.ts';
import { AuthmeRequest, asV1, component, nullable } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps, Told } from '../operation.ts';

const TaskStatusEnum = asV1(taskStatus);
const CourseInfo = component('CourseInfo', 'A course of the evaluation task.', courseInfoMembers);

const InitializeDataPart = component(
  'InitializeData',
  'The list of an evaluation task.',
  initializedMembers(CourseInfo),
);

const EvaluationStatsDataPart = component(
  'EvaluationStatsData',
  'State and counts of the evaluation task.',
  taskMembers(CourseInfo, TaskStatusEnum),
);

const CurrentCourseInfoDataPart = component(
  'CurrentCourseInfoData',
  'The course that is being evaluated.',
  currentMembers,
);

const InitializeData = nullable(InitializeDataPart);
const EvaluationStatsData = nullable(EvaluationStatsDataPart, { description: 'Null without a task.' });
const CurrentCourseInfoData = nullable(CurrentCourseInfoDataPart, { description: 'Null without a task.' });

const TaskOperationData = component('TaskOperationData', 'State of the evaluation task.', {
  task_status: TaskStatusEnum,
});

const presentInitialized = ({ total, pending, courses }: TaskView): Static<typeof InitializeData> => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(presentCourseInfo),
});

const notInitialized: Static<typeof InitializeData> = { total_courses: 0, pending_courses: 0, course_list: [] };

export const presentTask = (view: TaskView, timeZone: string): Static<typeof EvaluationStatsData> => ({
  ...presentTaskState(view, timeZone),
  course_list: view.courses.map(presentCourseInfo),
});

const tag = 'v1 evaluation';

const common = { tag, group: 'evaluation', body: AuthmeRequest } as const;

/** The automated course evaluation. Refusals are typed answers: their code is 400 and `data` tells the state. */
export const evaluationOperations = ({ timeZone, services: { evaluation } }: SurfaceADeps): Operation[] => [
  operation({
    level: 'T',
    ...common,
    path: '/jwc/evaluation/initialize',
    needs: evaluating,
    operationId: 'v1InitializeEvaluation',
    scope: 'evaluation:write',
    summary: 'Load the course list for an evaluation task',
    description: 'Answers when the list is loaded or has failed. A finished task is replaced.',
    fails: ['stored-credentials-refused', 'person-needed', 'sign-in-unavailable'],
    response: 'InitializeResponse',
    failure: 'InitializeFailure',
    data: InitializeData,
    message: readyText(1),
    refusals: [
      { name: 'task under way', code: 400, message: busy, data: null },
      { name: 'season closed', code: 400, message: initializeFault('season-closed'), data: notInitialized },
      { name: 'list not read', code: 400, message: initializeFault('list-failed'), data: notInitialized },
      { name: 'list empty', code: 400, message: initializeFault('list-empty'), data: notInitialized },
    ],
    run: async (call) => {
      const result = await evaluation.initialize(call.student, call);
      switch (result.kind) {
        case 'loaded':
          return new Told(presentInitialized(result.view), readyText(result.view.pending));
        case 'busy':
          return new Told(null, busy, 400);
        case 'failed':
          return new Told(notInitialized, initializeFault(result.fault), 400);
      }
    },
  }),

  operation({
    level: 'T',
    ...common,
    path: '/jwc/evaluation/start',
    needs: evaluating,
    operationId: 'v1StartEvaluation',
    scope: 'evaluation:write',
    summary: 'Start evaluating the pending courses',
    description: 'The task goes on in the background. Without pending courses it is completed at once.',
    fails: ['rate-limited'],
    bodyLimit: evaluationStartLimit,
    response: 'TaskOperationResponse',
    failure: 'TaskOperationFailure',
    data: TaskOperationData,
    message: startedText,
    refusals: [
      { name: 'under way', code: 400, message: startRefusals['under-way'], data: { task_status: 'running' } },
      { name: 'initializing', code: 400, message: startRefusals.initializing, data: { task_status: 'initializing' } },
      {
        name: 'not initialized',
        code: 400,
        message: startRefusals['not-initialized'],
        data: { task_status: 'idle' },
      },
      { name: 'too many runs', code: 400, message: startRefusals['too-many'], data: { task_status: 'idle' } },
    ],
    failedData: { task_status: 'idle' },
    failureData: async (student) => ({ task_status: await evaluation.lastKnown(student) }),
    run: async (call) => {
      const result = await evaluation.start(call.student, call);
      const data = { task_status: result.status };
      if (!result.accepted) return new Told(data, startRefusals[result.reason], 400);
      return new Told(data, result.status === 'completed' ? nothingToDo : startedText);
    },
  }),

  operation({
    level: 'T',
    ...common,
    path: '/jwc/evaluation/terminate',
    needs: evaluating,
    operationId: 'v1TerminateEvaluation',
    scope: 'evaluation:write',
    summary: 'Stop the evaluation task',
    description: 'Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.',
    response: 'TaskOperationResponse',
    failure: 'TaskOperationFailure',
    data: TaskOperationData,
    message: terminatedText,
    example: { data: { task_status: 'terminated' } },
    refusals: [
      { name: 'no task', code: 400, message: terminateRefusals['no-task'], data: { task_status: 'idle' } },
      {
        name: 'not running',
        code: 400,
        message: terminateRefusals['not-running'],
        data: { task_status: 'completed' },
      },
    ],
    failedData: { task_status: 'running' },
    failureData: async (student) => ({ task_status: await evaluation.lastKnown(student) }),
    run: async (call) => {
      const result = await evaluation.terminate(call.student, call);
      const data = { task_status: result.status };
      return result.accepted ? data : new Told(data, terminateRefusals[result.reason], 400);
    },
  }),

  operation({
    level: 'T',
    ...common,
    path: '/jwc/evaluation/status',
    needs: evaluating,
    operationId: 'v1EvaluationStatus',
    scope: 'evaluation:read',
    summary: 'State and counts of the evaluation task',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    response: 'EvaluationStatsResponse',
    data: EvaluationStatsData,
    message: progressText({ kind: 'countdown', seconds: 95 }),
    refusals: [{ name: 'no task', code: 200, message: noTask, data: null }],
    run: async (call) => {
      const view = await evaluation.status(call.student);
      return view === null
        ? new Told(null, noTask)
        : new Told(presentTask(view, timeZone), progressText(view.progress));
    },
  }),

  operation({
    level: 'T',
    ...common,
    path: '/jwc/evaluation/current',
    needs: evaluating,
    operationId: 'v1CurrentEvaluation',
    scope: 'evaluation:read',
    summary: 'The course that is being evaluated',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    response: 'CurrentCourseInfoResponse',
    data: CurrentCourseInfoData,
    message: '获取成功',
    refusals: [{ name: 'no task', code: 200, message: noTask, data: null }],
    run: async (call) => {
      const view = await evaluation.current(call.student);
      return view === null ? new Told(null, noTask) : presentCurrent(view);
    },
  }),
];
