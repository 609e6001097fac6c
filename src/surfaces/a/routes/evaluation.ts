import { type Static, Type } from '@sinclair/typebox';
import { evaluating } from '../../../domain/capabilities.ts';
import type { Student } from '../../../domain/context.ts';
import type { Evaluation, EvaluationRefusal } from '../../../domain/evaluation/evaluation.ts';
import type { TaskView } from '../../../domain/evaluation/view.ts';
import { orNull } from '../../../domain/record.ts';
import { evaluationStartLimit } from '../../../http/server/connections.ts';
import * as common from '../../common/evaluation.ts';
import { Told } from '../../common/operation.ts';
import { AuthmeRequest, component } from '../envelope.ts';
import { FailedWithData } from '../error-handler.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const CourseInfo = component('CourseInfo', 'A course of the evaluation task.', common.courseInfoMembers);

const InitializeData = Type.Union([
  component('InitializeData', 'The list of an evaluation task.', common.initializedMembers(CourseInfo)),
  Type.Null(),
]);

const TaskOperationData = component('TaskOperationData', 'State of the evaluation task.', {
  task_status: common.taskStatus,
});

const notInitialized: Static<typeof InitializeData> = { total_courses: 0, pending_courses: 0, course_list: [] };

const refusalIn = (status: TaskView['status'], name: string, reason: EvaluationRefusal) => ({
  name,
  code: 400,
  message: common.refusalTexts[reason],
  data: { task_status: status },
});

/** A failure tells in which state the task was last known. */
const withTaskState = <T>(evaluation: Evaluation, student: Student, work: Promise<T>): Promise<T> =>
  work.catch(async (error: unknown) => {
    throw new FailedWithData(error, { task_status: await evaluation.lastKnown(student) });
  });

const defaults = {
  level: 'T',
  tag: 'v1 evaluation',
  group: 'evaluation',
  needs: evaluating,
  scope: 'evaluation:write',
  body: AuthmeRequest,
} as const;

export const evaluationOperations = ({ timeZone, services: { evaluation } }: SurfaceADeps): Operation[] => [
  operation('/jwc/evaluation/initialize', 'v1InitializeEvaluation', {
    ...defaults,
    summary: { en: 'Load the course list for an evaluation task', zh: '载入评教课程' },
    description: 'Answers when the list is loaded or has failed. A finished task is replaced.',
    fails: ['stored-credentials-refused', 'person-needed', 'sign-in-unavailable'],
    response: 'InitializeResponse',
    failure: 'InitializeFailure',
    data: InitializeData,
    message: common.readyText(1),
    refusals: [
      { name: 'task under way', code: 400, message: common.refusalTexts.busy, data: null },
      { name: 'season closed', code: 400, message: common.initializeFault('season-closed'), data: notInitialized },
      { name: 'list not read', code: 400, message: common.initializeFault('list-failed'), data: notInitialized },
      { name: 'list empty', code: 400, message: common.initializeFault('list-empty'), data: notInitialized },
    ],
    run: async (call) => {
      const result = await evaluation.initialize(call.student, call);
      switch (result.kind) {
        case 'loaded':
          return new Told(
            common.presentInitialized(result.view, common.presentCourseInfo),
            common.readyText(result.view.pending),
          );
        case 'busy':
          return new Told(null, common.refusalTexts.busy, false);
        case 'failed':
          return new Told(notInitialized, common.initializeFault(result.fault), false);
      }
    },
  }),

  operation('/jwc/evaluation/start', 'v1StartEvaluation', {
    ...defaults,
    summary: { en: 'Start evaluating the pending courses', zh: '开始评教' },
    description: 'The task goes on in the background. Without pending courses it is completed at once.',
    fails: ['rate-limited'],
    bodyLimit: evaluationStartLimit,
    response: 'TaskOperationResponse',
    failure: 'TaskOperationFailure',
    data: TaskOperationData,
    message: common.startedText('running'),
    refusals: [
      refusalIn('running', 'under way', 'under-way'),
      refusalIn('initializing', 'initializing', 'initializing'),
      refusalIn('idle', 'not initialized', 'not-initialized'),
      refusalIn('idle', 'too many runs', 'too-many'),
    ],
    failedData: { task_status: 'idle' },
    run: async (call) => {
      const result = await withTaskState(evaluation, call.student, evaluation.start(call.student));
      const data = { task_status: result.status };
      if (!result.accepted) return new Told(data, common.refusalTexts[result.reason], false);
      return new Told(data, common.startedText(result.status));
    },
  }),

  operation('/jwc/evaluation/terminate', 'v1TerminateEvaluation', {
    ...defaults,
    summary: { en: 'Stop the evaluation task', zh: '停止评教' },
    description: 'Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.',
    response: 'TaskOperationResponse',
    failure: 'TaskOperationFailure',
    data: TaskOperationData,
    message: common.terminatedText,
    example: { data: { task_status: 'terminated' } },
    refusals: [refusalIn('idle', 'no task', 'no-task'), refusalIn('completed', 'not running', 'not-running')],
    failedData: { task_status: 'running' },
    run: async (call) => {
      const result = await withTaskState(evaluation, call.student, evaluation.terminate(call.student, call));
      const data = { task_status: result.status };
      return result.accepted ? data : new Told(data, common.refusalTexts[result.reason], false);
    },
  }),

  operation('/jwc/evaluation/status', 'v1EvaluationStatus', {
    ...defaults,
    scope: 'evaluation:read',
    summary: { en: 'State and counts of the evaluation task', zh: '评教状态和计数' },
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    response: 'EvaluationStatsResponse',
    data: orNull(
      component('EvaluationStatsData', 'State and counts of the evaluation task.', common.taskMembers(CourseInfo)),
      'Null without a task.',
    ),
    message: common.progressText({ kind: 'countdown', seconds: 95 }),
    refusals: [{ name: 'no task', code: 200, message: common.noTask, data: null }],
    run: async (call) => {
      const view = await evaluation.status(call.student);
      if (view === null) return new Told(null, common.noTask);
      const data = common.presentTask(view, timeZone, common.presentCourseInfo);
      return new Told(data, common.progressText(view.progress));
    },
  }),

  operation('/jwc/evaluation/current', 'v1CurrentEvaluation', {
    ...defaults,
    scope: 'evaluation:read',
    summary: { en: 'The course that is being evaluated', zh: '正在评的课程' },
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    response: 'CurrentCourseInfoResponse',
    data: orNull(
      component('CurrentCourseInfoData', 'The course that is being evaluated.', common.currentMembers),
      'Null without a task.',
    ),
    message: '获取成功',
    refusals: [{ name: 'no task', code: 200, message: common.noTask, data: null }],
    run: async (call) => {
      const view = await evaluation.current(call.student);
      return view === null ? new Told(null, common.noTask) : common.presentCurrent(view);
    },
  }),
];
