import { type Static, Type } from '@sinclair/typebox';
import { evaluating } from '../../../domain/capabilities.ts';
import { AttemptFault, type EvaluationCourse, publicKeys, type TaskStatus } from '../../../domain/evaluation/task.ts';
import type { TaskCourse, TaskView } from '../../../domain/evaluation/view.ts';
import { flag, integer, object, orNull, text } from '../../../domain/record.ts';
import { RequestInvalid, wrongValue } from '../../../platform/requests/findings.ts';
import { evaluationStartLimit } from '../../../platform/server/server-options.ts';
import type { Services } from '../../../services.ts';
import * as records from '../../records/evaluation.ts';
import * as words from '../../records/evaluation-texts.ts';
import { Refused } from '../error-handler.ts';
import { type Operation, operation, Told } from '../operation.ts';
import * as refuse from './evaluation-refusals.ts';

export const exampleKey = '5f70bf18a086007016e948b0';

export const courseKey = text(
  'What the course is called here: opaque, unique within the list, the same after every refresh.',
  exampleKey,
);

const Courses = Type.Array(
  object('Course', 'A course to evaluate.', { ...records.evaluationCourseMembers(object), course_key: courseKey }),
  { description: 'The list of the campus, evaluated courses included; empty while the season is over.' },
);

const CourseInfo = object('CourseInfo', 'A course of the evaluation task.', {
  ...records.courseInfoMembers,
  course_key: courseKey,
  excluded: flag('This run leaves it alone, or the next one unless its start says otherwise.', false),
});

const EvaluationInitialized = object(
  'EvaluationInitialized',
  'The list of an evaluation task.',
  records.initializedMembers(CourseInfo),
);

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
  ...records.taskMembers(CourseInfo, records.taskStatus),
  excluded_courses: integer('Courses that this run leaves alone; `pending_courses` has them too.', 0),
  failed_courses: Type.Array(FailedCourse, {
    examples: [[]],
    description:
      'In the order of the attempts, as many as `fail_count`. A new run may try them again: `only` of its start.',
  }),
});

const EvaluationStatus = orNull(StatusPart, 'Null without a task.');

const CurrentPart = object('CurrentCourse', 'The course that is being evaluated.', records.currentMembers);

const CurrentCourse = orNull(CurrentPart, 'Null without a task.');

export const courseKeySent = Type.String({ minLength: 1, maxLength: 200 });

const StartRequest = object(
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
);

const presentCourses = (courses: readonly EvaluationCourse[]): Static<typeof Courses> => {
  const keys = publicKeys(courses);
  return courses.map((course, at) => ({ ...records.presentEvaluationCourse(course), course_key: keys[at] ?? '' }));
};

const presentCourse = (course: TaskCourse) => ({
  ...records.presentCourseInfo(course),
  course_key: course.courseKey,
  excluded: course.excluded,
});

const presentInitialized = ({ total, pending, courses }: TaskView): Static<typeof EvaluationInitialized> => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(presentCourse),
});

const presentStatus = (view: TaskView, timeZone: string): Static<typeof EvaluationStatus> => ({
  ...records.presentTaskState(view, timeZone),
  course_list: view.courses.map(presentCourse),
  excluded_courses: view.courses.filter(({ excluded }) => excluded).length,
  failed_courses: view.failed.map(({ courseKey, courseName, fault }) => ({
    course_key: courseKey,
    course_name: courseName,
    reason: fault,
  })),
});

/** When it is worth while to ask again: not at all where nothing moves by itself. */
const pollHeaders = (status: TaskStatus, countdown: number): Readonly<Record<string, string>> => {
  const seconds: Readonly<Partial<Record<TaskStatus, number>>> = {
    initializing: 1,
    running: countdown > 10 ? 5 : 1,
    paused: 10,
  };
  const after = seconds[status];
  return after === undefined ? {} : { 'X-Poll-After': String(after) };
};

export const task = { level: 'T', tag: 'Evaluation', needs: evaluating, scope: 'evaluation:write' } as const;

const bothChoices = new RequestInvalid([
  { loc: ['body', 'only'], ...wrongValue({ en: 'not together with exclude', zh: '不能与 exclude 同时使用' }) },
]);

const pollAfter = {
  'X-Poll-After': {
    type: 'integer',
    description: 'Seconds after which asking again may tell something new; missing where nothing moves by itself.',
  },
};

/** The automated course evaluation: the same task as on the other surface. */
export const evaluationOperations = ({ academics, evaluation }: Services, timeZone: string): Operation[] => [
  operation({
    ...task,
    level: 'TU',
    route: 'GET /jwc/evaluation/courses',
    needs: ['academics.evaluationCourses'],
    operationId: 'listEvaluationCourses',
    scope: 'evaluation:read',
    summary: 'Courses to evaluate',
    description: 'As the campus lists them now; the task is not touched.',
    data: Courses,
    message: words.coursesText,
    run: async (call) => {
      const courses = presentCourses(await academics.evaluationCourses(call.student, call));
      return courses.length === 0 ? new Told(courses, words.noCourses) : courses;
    },
  }),
  operation({
    ...task,
    level: 'TU',
    route: 'POST /jwc/evaluation/initialize',
    operationId: 'initializeEvaluation',
    summary: 'Load the course list for an evaluation task',
    description:
      'Answers when the list is loaded. A finished task is replaced. Of one that was stopped less than 24 hours ago the ' +
      'previews and exclusions stay, for courses that are still pending; after any other they are dropped.',
    data: EvaluationInitialized,
    message: words.readyText(1),
    refusals: refuse.refusals(
      { name: 'under way', ...refuse.conflict(words.busy, 'running') },
      { name: 'season closed', ...refuse.closed('failed') },
      { name: 'list empty', ...refuse.empty },
    ),
    run: async (call) => {
      const result = await evaluation.initialize(call.student, call, true);
      if (result.kind !== 'loaded') throw refuse.notLoaded(result);
      return new Told(presentInitialized(result.view), words.readyText(result.view.pending));
    },
  }),
  operation({
    ...task,
    level: 'TU',
    route: 'POST /jwc/evaluation/start',
    operationId: 'startEvaluation',
    summary: 'Start evaluating the pending courses',
    description:
      'The task goes on in the background, without the courses in `exclude`, or with those in `only` alone; with neither, ' +
      'without those that are shown as `excluded`. With nothing left to do it is completed at once. The body may be left out.',
    body: StartRequest,
    bodyOptional: true,
    bodyLimit: evaluationStartLimit,
    data: refuse.TaskOperation,
    message: words.startedText,
    example: { body: { exclude: [exampleKey] } },
    failures: ['COURSE_NOT_FOUND'],
    refusals: refuse.refusals(
      ...refuse.notReady,
      { name: 'under way', ...refuse.conflict(words.startRefusals['under-way'], 'running') },
      { name: 'too many runs', ...refuse.tooMany },
    ),
    run: async (call) => {
      const { exclude, only } = call.body;
      if (exclude !== undefined && only !== undefined) throw bothChoices;
      const result = await evaluation.start(call.student, call, { exclude, only });
      if (!result.accepted) throw new Refused(refuse.startRefusal(result.reason, result.status));
      return new Told(
        { task_status: result.status },
        result.status === 'completed' ? words.nothingToDo : words.startedText,
      );
    },
  }),
  operation({
    ...task,
    route: 'POST /jwc/evaluation/terminate',
    operationId: 'terminateEvaluation',
    summary: 'Stop the evaluation task',
    description: 'Answers when the run has ended; a submission that is on its way is awaited, at most 5 s.',
    data: refuse.TaskOperation,
    message: words.terminatedText,
    example: { data: { task_status: 'terminated' } },
    refusals: refuse.refusals(
      { name: 'no task', ...refuse.conflict(words.terminateRefusals['no-task'], 'idle') },
      { name: 'not running', ...refuse.conflict(words.terminateRefusals['not-running'], 'completed') },
    ),
    run: async (call) => {
      const result = await evaluation.terminate(call.student, call);
      if (!result.accepted) throw new Refused(refuse.conflict(words.terminateRefusals[result.reason], result.status));
      return { task_status: result.status };
    },
  }),
  operation({
    ...task,
    route: 'GET /jwc/evaluation/status',
    operationId: 'getEvaluationStatus',
    scope: 'evaluation:read',
    summary: 'State and counts of the evaluation task',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    data: EvaluationStatus,
    message: words.progressText({ kind: 'countdown', seconds: 95 }),

    answerHeaders: pollAfter,
    run: async (call) => {
      const view = await evaluation.status(call.student);
      if (view === null) return new Told(null, words.noTask);
      call.answer.headers(pollHeaders(view.status, view.countdown));
      return new Told(presentStatus(view, timeZone), words.progressText(view.progress));
    },
  }),
  operation({
    ...task,
    route: 'GET /jwc/evaluation/current',
    operationId: 'getEvaluatedCourse',
    scope: 'evaluation:read',
    summary: 'The course that is being evaluated',
    description: 'Asks the campus nothing; may be called once a second. `data` is null without a task.',
    data: CurrentCourse,
    message: '获取成功',
    answerHeaders: pollAfter,
    run: async (call) => {
      const view = await evaluation.current(call.student);
      if (view === null) return new Told(null, words.noTask);
      call.answer.headers(pollHeaders(view.status, view.course?.countdown ?? 0));
      return records.presentCurrent(view);
    },
  }),
];
