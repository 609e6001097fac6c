import type { FastifyInstance } from 'fastify';
import { evaluationStartLimit } from '../../../platform/server-options.ts';
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
import { presentCurrent } from '../../records/present-evaluation.ts';
import { addStudentOperation, type SurfaceADeps } from '../operation.ts';
import { notInitialized, presentInitialized, presentTask } from '../present.ts';
import {
  CurrentCourseInfoData,
  CurrentCourseInfoResponse,
  EvaluationStatsData,
  EvaluationStatsResponse,
  InitializeData,
  InitializeFailure,
  InitializeResponse,
  TaskOperationData,
  TaskOperationFailure,
  TaskOperationResponse,
} from '../schemas/evaluation.ts';
import { AuthmeRequest, exampleToken } from '../schemas/user.ts';

const tag = 'v1 evaluation';

const courseExample = {
  course_id: '01',
  course_name: '程序设计',
  teacher_name: '李四',
  is_evaluated: '否',
  evaluation_content: '程序设计',
};

/** The automated course evaluation. Refusals are typed answers: their code is 400 and `data` tells the state. */
export const addEvaluationRoutes = (scope: FastifyInstance, deps: SurfaceADeps): void => {
  const { evaluation, timeZone } = deps;
  const common = { tag, group: 'evaluation', body: AuthmeRequest } as const;

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/evaluation/initialize',
    operationId: 'v1InitializeEvaluation',
    summary: 'Load the course list for an evaluation task',
    description: 'Answers when the list is loaded or has failed. A finished task is replaced.',
    fails: ['stored-credentials-refused', 'sign-in-unavailable'],
    response: InitializeResponse,
    failure: InitializeFailure,
    data: InitializeData,
    example: {
      body: { token: exampleToken },
      message: readyText(1),
      data: { total_courses: 1, pending_courses: 1, course_list: [courseExample] },
    },
    refusals: [
      { name: 'task under way', code: 400, message: busy, data: null },
      { name: 'season closed', code: 400, message: initializeFault('season-closed'), data: notInitialized },
      { name: 'list not read', code: 400, message: initializeFault('list-failed'), data: notInitialized },
      { name: 'list empty', code: 400, message: initializeFault('list-empty'), data: notInitialized },
    ],
    token: (body) => body.token,
    run: async (student, _body, context) => {
      const result = await evaluation.initialize(student, context);
      switch (result.kind) {
        case 'loaded':
          return { data: presentInitialized(result.view), message: readyText(result.view.pending) };
        case 'busy':
          return { code: 400, data: null, message: busy };
        case 'failed':
          return { code: 400, data: notInitialized, message: initializeFault(result.fault) };
      }
    },
  });

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/evaluation/start',
    operationId: 'v1StartEvaluation',
    summary: 'Start evaluating the pending courses',
    description: 'The task goes on in the background. Without pending courses it is completed at once.',
    fails: ['rate-limited'],
    bodyLimit: evaluationStartLimit,
    response: TaskOperationResponse,
    failure: TaskOperationFailure,
    data: TaskOperationData,
    example: { body: { token: exampleToken }, message: startedText, data: { task_status: 'running' } },
    refusals: [
      { name: 'under way', code: 400, message: startRefusals['under-way'], data: { task_status: 'running' } },
      { name: 'initializing', code: 400, message: startRefusals.initializing, data: { task_status: 'initializing' } },
      { name: 'not initialized', code: 400, message: startRefusals['not-initialized'], data: { task_status: 'idle' } },
      { name: 'too many runs', code: 400, message: startRefusals['too-many'], data: { task_status: 'idle' } },
    ],
    failedData: { task_status: 'idle' },
    failureData: async (student) => ({ task_status: await evaluation.lastKnown(student) }),
    token: (body) => body.token,
    run: async (student, _body, context) => {
      const result = await evaluation.start(student, context);
      const data = { task_status: result.status };
      if (!result.accepted) return { code: 400, data, message: startRefusals[result.reason] };
      return { data, message: result.status === 'completed' ? nothingToDo : startedText };
    },
  });

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/evaluation/terminate',
    operationId: 'v1TerminateEvaluation',
    summary: 'Stop the evaluation task',
    description: 'Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.',
    fails: [],
    response: TaskOperationResponse,
    failure: TaskOperationFailure,
    data: TaskOperationData,
    example: { body: { token: exampleToken }, message: terminatedText, data: { task_status: 'terminated' } },
    refusals: [
      { name: 'no task', code: 400, message: terminateRefusals['no-task'], data: { task_status: 'idle' } },
      { name: 'not running', code: 400, message: terminateRefusals['not-running'], data: { task_status: 'completed' } },
    ],
    failedData: { task_status: 'running' },
    failureData: async (student) => ({ task_status: await evaluation.lastKnown(student) }),
    token: (body) => body.token,
    run: async (student, _body, context) => {
      const result = await evaluation.terminate(student, context);
      const data = { task_status: result.status };
      return result.accepted
        ? { data, message: terminatedText }
        : { code: 400, data, message: terminateRefusals[result.reason] };
    },
  });

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/evaluation/status',
    operationId: 'v1EvaluationStatus',
    summary: 'State and counts of the evaluation task',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    fails: [],
    response: EvaluationStatsResponse,
    data: EvaluationStatsData,
    example: {
      body: { token: exampleToken },
      message: progressText({ kind: 'countdown', seconds: 95 }),
      data: {
        total_courses: 1,
        pending_courses: 1,
        success_count: 0,
        fail_count: 0,
        current_index: 0,
        status: 'running',
        current_countdown: 95,
        start_time: '2025-06-20T10:15:30+08:00',
        end_time: null,
        error_message: '',
        course_list: [courseExample],
      },
    },
    refusals: [{ name: 'no task', code: 200, message: noTask, data: null }],
    token: (body) => body.token,
    run: async (student) => {
      const view = await evaluation.status(student);
      return view === null
        ? { data: null, message: noTask }
        : { data: presentTask(view, timeZone), message: progressText(view.progress) };
    },
  });

  addStudentOperation(scope, deps, {
    ...common,
    path: '/jwc/evaluation/current',
    operationId: 'v1CurrentEvaluation',
    summary: 'The course that is being evaluated',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    fails: [],
    response: CurrentCourseInfoResponse,
    data: CurrentCourseInfoData,
    example: {
      body: { token: exampleToken },
      message: '获取成功',
      data: {
        is_evaluating: true,
        course_name: '程序设计',
        teacher_name: '李四',
        progress_text: '正在评价(1/1): 程序设计 - 李四 (倒计时: 95秒)',
        countdown_seconds: 95,
        current_index: 0,
        total_pending: 1,
      },
    },
    refusals: [{ name: 'no task', code: 200, message: noTask, data: null }],
    token: (body) => body.token,
    run: async (student) => {
      const view = await evaluation.current(student);
      return view === null ? { data: null, message: noTask } : { data: presentCurrent(view) };
    },
  });
};
