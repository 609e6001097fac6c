import { Type } from '@sinclair/typebox';
import { component, envelope, failureEnvelope, nullable } from './envelope.ts';

const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });

const TaskStatusEnum = Type.Union(
  [
    Type.Literal('idle'),
    Type.Literal('initializing'),
    Type.Literal('running'),
    Type.Literal('paused'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('terminated'),
  ],
  { description: 'State of the task. `paused` is never sent.' },
);

export const CourseInfo = component(
  'CourseInfo',
  {
    course_id: text('Sequence number; not unique.'),
    course_name: text('Course.'),
    teacher_name: text('Teacher.'),
    is_evaluated: text('`是` or `否`, as the campus writes it.'),
    evaluation_content: text('Same as `course_name`.'),
  },
  'A course of the evaluation task.',
);

const courseList = Type.Array(CourseInfo, { description: 'The full list, evaluated courses included.' });
const moment = (description: string) => nullable(Type.String({ format: 'date-time' }), { description });

const InitializeDataPart = component(
  'InitializeData',
  {
    total_courses: count('Courses in the list.'),
    pending_courses: count('Courses not evaluated yet.'),
    course_list: courseList,
  },
  'The list of an evaluation task.',
);

const EvaluationStatsDataPart = component(
  'EvaluationStatsData',
  {
    total_courses: count('Courses in the latest list.'),
    pending_courses: count('Courses of the latest list not evaluated yet.'),
    success_count: count('Courses evaluated by this run.'),
    fail_count: count('Courses that this run could not evaluate.'),
    current_index: count('Attempts that have ended: place of the current one, from 0.'),
    status: TaskStatusEnum,
    current_countdown: count('Seconds until the current course is submitted.'),
    start_time: moment('Begin of the run.'),
    end_time: moment('End of the run.'),
    error_message: text('Why the task failed.'),
    course_list: courseList,
  },
  'State and counts of the evaluation task.',
);

const CurrentCourseInfoDataPart = component(
  'CurrentCourseInfoData',
  {
    is_evaluating: Type.Boolean({ description: 'True exactly while the task is `running`.' }),
    course_name: text('At most 20 characters, then `...`.'),
    teacher_name: text('Teacher.'),
    progress_text: text('For people.'),
    countdown_seconds: count('Seconds until this course is submitted.'),
    current_index: Type.Integer({ description: '-1: no current course.' }),
    total_pending: count('Courses not evaluated yet.'),
  },
  'The course that is being evaluated.',
);

export const InitializeData = nullable(InitializeDataPart);
export const EvaluationStatsData = nullable(EvaluationStatsDataPart, { description: 'Null without a task.' });
export const CurrentCourseInfoData = nullable(CurrentCourseInfoDataPart, { description: 'Null without a task.' });
export const TaskOperationData = component(
  'TaskOperationData',
  { task_status: TaskStatusEnum },
  'State of the evaluation task.',
);

export const InitializeResponse = envelope('InitializeResponse', InitializeDataPart);
export const InitializeFailure = failureEnvelope('InitializeFailure', InitializeDataPart);
export const TaskOperationResponse = envelope('TaskOperationResponse', TaskOperationData);
export const TaskOperationFailure = failureEnvelope('TaskOperationFailure', TaskOperationData);
export const EvaluationStatsResponse = envelope('EvaluationStatsResponse', EvaluationStatsData);
export const CurrentCourseInfoResponse = envelope('CurrentCourseInfoResponse', CurrentCourseInfoData);
