import { type Static, Type } from '@sinclair/typebox';
import { evaluating } from '../../../domain/capabilities.ts';
import { failures } from '../../../domain/errors.ts';
import type { EvaluationRefusal, InitializeResult } from '../../../domain/evaluation/evaluation.ts';
import { AttemptFault, namedCourses, type TaskStatus } from '../../../domain/evaluation/task.ts';
import type { TaskCourse, TaskView } from '../../../domain/evaluation/view.ts';
import { flag, integer, object, orNull, text } from '../../../domain/record.ts';
import { RequestInvalid, wrongValue } from '../../../http/requests/findings.ts';
import { evaluationStartLimit } from '../../../http/server/connections.ts';
import * as common from '../../common/evaluation.ts';
import { Told } from '../../common/operation.ts';
import type { Refusals, SurfaceBDeps } from '../described.ts';
import { RequestRefused } from '../error-handler.ts';
import { type Operation, operation } from '../operation.ts';

export const exampleKey = '5f70bf18a086007016e948b0';

export const courseKey = text(
  'What the course is called here: opaque, unique within the list, the same after every refresh.',
  exampleKey,
);

const TaskOperation = object('TaskOperation', 'State of the evaluation task; `idle` also where there is none.', {
  task_status: common.taskStatus,
});

const codes: Readonly<Partial<Record<EvaluationRefusal, 'EVALUATION_CLOSED' | 'EVALUATION_EMPTY'>>> = {
  'season-closed': 'EVALUATION_CLOSED',
  'list-empty': 'EVALUATION_EMPTY',
};

/** To this surface a finished task is none, so these words say what to do. */
const wordsHere: Readonly<Partial<Record<EvaluationRefusal, string>>> = {
  'not-initialized': '没有载入的评教课程，请先初始化，再预览或启动',
  'no-task': '没有正在进行的评教任务，请先初始化并启动',
};

export const evaluationRefusal = (reason: EvaluationRefusal, status: TaskStatus) => {
  const message = wordsHere[reason] ?? common.refusalTexts[reason];
  if (reason === 'too-many') return { code: 'COOLDOWN', message, retryAfterSeconds: 60 } as const;
  if (reason === 'course-unknown') return { code: 'COURSE_NOT_FOUND', message } as const;
  return { code: codes[reason] ?? 'EVALUATION_CONFLICT', message, data: { task_status: status } } as const;
};

export const refusals = (...cases: ReadonlyArray<readonly [string, EvaluationRefusal, TaskStatus]>): Refusals => ({
  conflict: { title: 'EvaluationConflictEnvelope', data: TaskOperation },
  cases: cases.map(([name, reason, status]) => ({ name, ...evaluationRefusal(reason, status) })),
});

export const notReady = [
  ['not initialized', 'not-initialized', 'idle'],
  ['initializing', 'initializing', 'initializing'],
] as const;

const notLoadedError = (result: Exclude<InitializeResult, { kind: 'loaded' }>): Error => {
  if (result.kind === 'busy') return new RequestRefused(evaluationRefusal('busy', result.status));
  const { fault, cause } = result;
  if (fault === 'season-closed' || fault === 'list-empty')
    return new RequestRefused(evaluationRefusal(fault, 'failed'));
  return cause ?? failures.internal(`evaluation list: ${fault}`);
};

const CourseInfo = object('CourseInfo', 'A course of the evaluation task.', {
  ...common.courseInfoMembers,
  course_key: courseKey,
  excluded: flag('This run leaves it alone, or the next one unless its start says otherwise.', false),
});

const FailedCourse = object('FailedEvaluation', 'A course that the run could not evaluate.', {
  course_key: courseKey,
  course_name: text('Course.'),
  reason: {
    ...AttemptFault,
    description:
      '`page_failed` its questionnaire could not be read; `preview_outdated` it asks something else than what was previewed; ' +
      '`refused` the campus refused the answers; `unconfirmed` it took them, and its list says that the course is not evaluated; ' +
      '`interrupted` nothing was sent, or what became of it is unknown.',
  },
});

const StatusPart = object('EvaluationStatus', 'State and counts of the evaluation task.', {
  ...common.taskMembers(CourseInfo),
  excluded_courses: integer('Courses that this run leaves alone; `pending_courses` has them too.', 0),
  failed_courses: Type.Array(FailedCourse, {
    examples: [[]],
    description:
      'In the order of the attempts, as many as `fail_count`. A new run may try them again: `only` of its start.',
  }),
});

const EvaluationStatus = orNull(StatusPart, 'Null without a task.');

export const courseKeySent = Type.String({ minLength: 1, maxLength: 200 });

const presentTaskCourse = (course: TaskCourse) => ({
  ...common.presentCourseInfo(course),
  course_key: course.courseKey,
  excluded: course.excluded,
});

const presentStatus = (view: TaskView, timeZone: string): Static<typeof EvaluationStatus> => ({
  ...common.presentTask(view, timeZone, presentTaskCourse),
  excluded_courses: view.courses.filter(({ excluded }) => excluded).length,
  failed_courses: view.failed.map(({ courseKey, courseName, fault }) => ({
    course_key: courseKey,
    course_name: courseName,
    reason: fault,
  })),
});

/** Says when to ask again; not at all where nothing moves by itself. */
const pollHeaders = (status: TaskStatus, countdown: number): Readonly<Record<string, string>> => {
  const seconds: Readonly<Partial<Record<TaskStatus, number>>> = {
    initializing: 1,
    running: countdown > 10 ? 5 : 1,
    paused: 10,
  };
  const after = seconds[status];
  return after === undefined ? {} : { 'X-Poll-After': String(after) };
};

export const evaluationDefaults = {
  level: 'T',
  tag: 'Evaluation',
  needs: evaluating,
  scope: 'evaluation:write',
} as const;

const bothChoices = new RequestInvalid([
  { loc: ['body', 'only'], ...wrongValue({ en: 'not together with exclude', zh: '不能与 exclude 同时使用' }) },
]);

const pollAfter = {
  'X-Poll-After': {
    type: 'integer',
    description: 'Seconds after which asking again may tell something new; missing where nothing moves by itself.',
  },
};

export const evaluationOperations = ({ services: { academics, evaluation }, timeZone }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/evaluation/courses', 'listEvaluationCourses', {
    ...evaluationDefaults,
    level: 'TU',
    needs: ['academics.evaluationCourses'],
    scope: 'evaluation:read',
    summary: { en: 'Courses to evaluate', zh: '待评课程' },
    description: 'As the campus lists them now; the task is not touched.',
    data: Type.Array(
      object('Course', 'A course to evaluate.', { ...common.evaluationCourseMembers(object), course_key: courseKey }),
      { description: 'The list of the campus, evaluated courses included; empty while the season is over.' },
    ),
    message: common.coursesText,
    run: async (call) => {
      const named = namedCourses(await academics.evaluationCourses(call.student, call));
      return named.map(({ course, name }) => ({ ...common.presentEvaluationCourse(course), course_key: name }));
    },
  }),
  operation('POST /jwc/evaluation/initialize', 'initializeEvaluation', {
    ...evaluationDefaults,
    level: 'TU',
    summary: { en: 'Load the course list for an evaluation task', zh: '载入评教课程' },
    description:
      'Answers when the list is loaded. A finished task is replaced. Of one that was stopped less than 24 hours ago the ' +
      'previews and exclusions stay, for courses that are still pending; after any other they are dropped.',
    data: object('EvaluationInitialized', 'The list of an evaluation task.', common.initializedMembers(CourseInfo)),
    message: common.readyText(1),
    refusals: refusals(
      ['under way', 'busy', 'running'],
      ['season closed', 'season-closed', 'failed'],
      ['list empty', 'list-empty', 'failed'],
    ),
    run: async (call) => {
      const result = await evaluation.initialize(call.student, call, true);
      if (result.kind !== 'loaded') throw notLoadedError(result);
      return new Told(common.presentInitialized(result.view, presentTaskCourse), common.readyText(result.view.pending));
    },
  }),
  operation('POST /jwc/evaluation/start', 'startEvaluation', {
    ...evaluationDefaults,
    level: 'TU',
    summary: { en: 'Start evaluating the pending courses', zh: '开始评教' },
    description:
      'The task goes on in the background, without the courses in `exclude`, or with those in `only` alone; with neither, ' +
      'without those that are shown as `excluded`. With nothing left to do it is completed at once. The body may be left out.',
    body: object(
      'EvaluationStartRequest',
      'Which courses a run takes: one of the two members, or none, which leaves out what is shown as `excluded`.',
      {
        exclude: Type.Optional(
          Type.Array(courseKeySent, {
            maxItems: 500,
            description: '`course_key` of each course that this run leaves alone. Evaluated ones may be named.',
          }),
        ),
        only: Type.Optional(
          Type.Array(courseKeySent, {
            minItems: 1,
            maxItems: 500,
            description: '`course_key` of each course that this run takes. Evaluated ones are left out without a word.',
          }),
        ),
      },
    ),
    bodyOptional: true,
    bodyLimit: evaluationStartLimit,
    data: TaskOperation,
    message: common.startedText('running'),
    example: { body: { exclude: [exampleKey] } },
    failures: ['COURSE_NOT_FOUND'],
    refusals: refusals(...notReady, ['under way', 'under-way', 'running'], ['too many runs', 'too-many', 'idle']),
    run: async (call) => {
      const { exclude, only } = call.body;
      if (exclude !== undefined && only !== undefined) throw bothChoices;
      const result = await evaluation.start(call.student, { exclude, only });
      if (!result.accepted) throw new RequestRefused(evaluationRefusal(result.reason, result.status));
      return new Told({ task_status: result.status }, common.startedText(result.status));
    },
  }),
  operation('POST /jwc/evaluation/terminate', 'terminateEvaluation', {
    ...evaluationDefaults,
    summary: { en: 'Stop the evaluation task', zh: '停止评教' },
    description: 'Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.',
    data: TaskOperation,
    message: common.terminatedText,
    example: { data: { task_status: 'terminated' } },
    refusals: refusals(['no task', 'no-task', 'idle'], ['not running', 'not-running', 'completed']),
    run: async (call) => {
      const result = await evaluation.terminate(call.student, call);
      if (!result.accepted) throw new RequestRefused(evaluationRefusal(result.reason, result.status));
      return { task_status: result.status };
    },
  }),
  operation('GET /jwc/evaluation/status', 'getEvaluationStatus', {
    ...evaluationDefaults,
    scope: 'evaluation:read',
    summary: { en: 'State and counts of the evaluation task', zh: '评教状态和计数' },
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    data: EvaluationStatus,
    message: common.progressText({ kind: 'countdown', seconds: 95 }),
    answerHeaders: pollAfter,
    run: async (call) => {
      const view = await evaluation.status(call.student);
      if (view === null) return new Told(null, common.noTask);
      call.answer.headers(pollHeaders(view.status, view.countdown));
      return new Told(presentStatus(view, timeZone), common.progressText(view.progress));
    },
  }),
  operation('GET /jwc/evaluation/current', 'getEvaluatedCourse', {
    ...evaluationDefaults,
    scope: 'evaluation:read',
    summary: { en: 'The course that is being evaluated', zh: '正在评的课程' },
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    data: orNull(
      object('CurrentCourse', 'The course that is being evaluated.', common.currentMembers),
      'Null without a task.',
    ),
    message: '获取成功',
    answerHeaders: pollAfter,
    run: async (call) => {
      const view = await evaluation.current(call.student);
      if (view === null) return new Told(null, common.noTask);
      call.answer.headers(pollHeaders(view.status, view.course?.countdown ?? 0));
      return common.presentCurrent(view);
    },
  }),
];
