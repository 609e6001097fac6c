import { Type } from '@sinclair/typebox';
import { integer, object, orNull, text } from '../../records/atoms.ts';
import {
  courseInfoMembers,
  currentMembers,
  evaluationCourseSchema,
  initializedMembers,
  taskMembers,
  taskStatus,
} from '../../records/evaluation-schemas.ts';

const courseKey = text('What the course is called here: opaque, unique within the list, the same after every refresh.');

export const Courses = Type.Array(evaluationCourseSchema(object), {
  description: 'The list of the campus, evaluated courses included; empty while the season is over.',
});

const CourseInfo = object('CourseInfo', 'A course of the evaluation task.', {
  ...courseInfoMembers,
  course_key: courseKey,
  excluded: Type.Boolean({ description: 'This run leaves it alone.' }),
});

export const EvaluationInitialized = object(
  'EvaluationInitialized',
  'The list of an evaluation task.',
  initializedMembers(CourseInfo),
);

export const TaskOperation = object('TaskOperation', 'State of the evaluation task; `idle` also where there is none.', {
  task_status: taskStatus,
});

const StatusPart = object('EvaluationStatus', 'State and counts of the evaluation task.', {
  ...taskMembers(CourseInfo),
  excluded_courses: integer('Courses that this run leaves alone; `pending_courses` has them too.'),
});
export const EvaluationStatus = orNull(StatusPart, 'Null without a task.');

const CurrentPart = object('CurrentCourse', 'The course that is being evaluated.', currentMembers);
export const CurrentCourse = orNull(CurrentPart, 'Null without a task.');

const Rating = object('PreviewedRating', 'A question with its chosen option.', {
  key: text('Name of the question in the form.'),
  question: text('The question; empty where the page has no text for it.'),
  value: text('What is sent.'),
  choice: text('What the page calls it; may be empty.'),
});
const Comment = object('PreviewedComment', 'A question with its text.', {
  key: text('Name of the question in the form.'),
  question: text('The question; empty where the page has no text for it.'),
  text: text('What is sent.'),
});

export const EvaluationPreview = object('EvaluationPreview', 'The answers that the run will send for a course.', {
  course_key: courseKey,
  course_name: text('Course.'),
  teacher_name: text('Teacher.'),
  questionnaire_name: text('Questionnaire.'),
  ratings: Type.Array(Rating, { description: 'In the order of the page.' }),
  comments: Type.Array(Comment, { description: 'In the order of the page.' }),
});

export const PreviewQuery = Type.Object({
  course_key: Type.String({ minLength: 1, maxLength: 200, description: '`course_key` of a course in `course_list`.' }),
});

export const StartRequest = object('EvaluationStartRequest', 'Which courses are left out of a run.', {
  exclude: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 500,
      description: '`course_key` of each course that this run leaves alone. Evaluated ones may be named.',
    }),
  ),
});
