import { type TSchema, Type } from '@sinclair/typebox';
import { integer, type NamedObject, orNull, text } from './atoms.ts';

const moment = (description: string) => orNull(Type.String({ format: 'date-time' }), description);

/** A course to evaluate, as the campus lists it. */
export const evaluationCourseSchema = (object: NamedObject) =>
  object('Course', 'A course to evaluate.', {
    id: orNull(
      object('CourseId', 'What identifies a course to evaluate.', {
        evaluatedPeople: text('Number of the person evaluated, not a name.'),
        coureSequenceNumber: text('Course sequence number.'),
        evaluationContentNumber: text('Course number.'),
      }),
      'Identifiers; null where the campus sends none.',
    ),
    questionnaire: orNull(
      object('Questionnaire', 'What is filled in for a course.', {
        questionnaireNumber: text('Questionnaire id.'),
        questionnaireName: text('Questionnaire title.'),
      }),
      'What is filled in; null where the campus sends none.',
    ),
    evaluatedPeople: text('Name of the teacher.'),
    isEvaluated: text('`是` is done; anything else, also empty, is pending.'),
    evaluationContent: text('Course name.'),
  });

export const taskStatus = Type.Union(
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

/** A course of the evaluation task. */
export const courseInfoMembers = {
  course_id: text('Sequence number; not unique.'),
  course_name: text('Course.'),
  teacher_name: text('Teacher.'),
  is_evaluated: text('`是` or `否`, as the campus writes it.'),
  evaluation_content: text('Same as `course_name`.'),
};

const courseListOf = <T extends TSchema>(course: T) =>
  Type.Array(course, { description: 'The full list, evaluated courses included.' });

/** What an initialization has loaded. */
export const initializedMembers = <T extends TSchema>(course: T) => ({
  total_courses: integer('Courses in the list.'),
  pending_courses: integer('Courses not evaluated yet.'),
  course_list: courseListOf(course),
});

/** State and counts of the task. */
export const taskMembers = <T extends TSchema>(course: T) => ({
  total_courses: integer('Courses in the latest list.'),
  pending_courses: integer('Courses of the latest list not evaluated yet.'),
  success_count: integer('Courses evaluated by this run.'),
  fail_count: integer('Courses that this run could not evaluate.'),
  current_index: integer('Attempts that have ended: place of the current one, from 0.'),
  status: taskStatus,
  current_countdown: integer('Seconds until the current course is submitted.'),
  start_time: moment('Begin of the run.'),
  end_time: moment('End of the run.'),
  error_message: text('Why the task failed.'),
  course_list: courseListOf(course),
});

/** The course that is being evaluated. */
export const currentMembers = {
  is_evaluating: Type.Boolean({ description: 'True exactly while the task is `running`.' }),
  course_name: text('At most 20 characters, then `...`.'),
  teacher_name: text('Teacher.'),
  progress_text: text('For people.'),
  countdown_seconds: integer('Seconds until this course is submitted.'),
  current_index: integer('-1: no current course.'),
  total_pending: integer('Courses not evaluated yet.'),
};
