import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { EvaluationCourse } from '../../domain/evaluation/task.ts';
import type { CurrentView, TaskView } from '../../domain/evaluation/view.ts';
import { flag, integer, type NamedObject, orNull, text } from '../../domain/record.ts';
import { campusDateTime } from '../../lib/campus-time.ts';
import { currentText, errorText, shortName } from './evaluation-texts.ts';

const moment = (description: string, example: string | null) =>
  orNull(Type.String({ format: 'date-time' }), description, example);

/** A course to evaluate, as the campus lists it. */
export const evaluationCourseMembers = (object: NamedObject) => ({
  id: orNull(
    object('CourseId', 'What identifies a course to evaluate.', {
      evaluatedPeople: text('Number of the person evaluated, not a name.', 'T0012'),
      coureSequenceNumber: text('Course sequence number.', '01'),
      evaluationContentNumber: text('Course number.', 'CS1001'),
    }),
    'Identifiers; null where the campus sends none.',
  ),
  questionnaire: orNull(
    object('Questionnaire', 'What is filled in for a course.', {
      questionnaireNumber: text('Questionnaire id.', 'Q001'),
      questionnaireName: text('Questionnaire title.', '理论课评价'),
    }),
    'What is filled in; null where the campus sends none.',
  ),
  evaluatedPeople: text('Name of the teacher.', '李四'),
  isEvaluated: text('`是` is done; anything else, also empty, is pending.', '否'),
  evaluationContent: text('Course name.', '程序设计'),
});

export const evaluationCourseSchema = (object: NamedObject) =>
  object('Course', 'A course to evaluate.', evaluationCourseMembers(object));

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
  { title: 'TaskStatusEnum', description: 'State of the task. `paused` is never sent.', examples: ['running'] },
);

/** A course of the evaluation task. */
export const courseInfoMembers = {
  course_id: text('Sequence number; not unique.', '01'),
  course_name: text('Course.', '程序设计'),
  teacher_name: text('Teacher.', '李四'),
  is_evaluated: text('`是` or `否`, as the campus writes it.', '否'),
  evaluation_content: text('Same as `course_name`.', '程序设计'),
};

const courseListOf = <T extends TSchema>(course: T) =>
  Type.Array(course, { description: 'The full list, evaluated courses included.' });

/** What an initialization has loaded. */
export const initializedMembers = <T extends TSchema>(course: T) => ({
  total_courses: integer('Courses in the list.', 1),
  pending_courses: integer('Courses not evaluated yet.', 1),
  course_list: courseListOf(course),
});

/** State and counts of the task. */
export const taskMembers = <T extends TSchema>(course: T, status: typeof taskStatus) => ({
  total_courses: integer('Courses in the latest list.', 1),
  pending_courses: integer('Courses of the latest list not evaluated yet.', 1),
  success_count: integer('Courses evaluated by this run.', 0),
  fail_count: integer('Courses that this run could not evaluate.', 0),
  current_index: integer('Attempts that have ended: place of the current one, from 0.', 0),
  status,
  current_countdown: integer('Seconds until the current course is submitted.', 95),
  start_time: moment('Begin of the run.', '2025-06-20T10:15:30+08:00'),
  end_time: moment('End of the run.', null),
  error_message: text('Why the task failed; of an ended run, how many courses failed.', ''),
  course_list: courseListOf(course),
});

/** The course that is being evaluated. */
export const currentMembers = {
  is_evaluating: flag('True exactly while the task is `running`.', true),
  course_name: text('At most 20 characters, then `...`.', '程序设计'),
  teacher_name: text('Teacher.', '李四'),
  progress_text: text('For people.', '正在评价(1/1): 程序设计 - 李四 (倒计时: 95秒)'),
  countdown_seconds: integer('Seconds until this course is submitted.', 95),
  current_index: integer('-1: no current course.', 0),
  total_pending: integer('Courses not evaluated yet.', 1),
};

export const presentEvaluationCourse = (
  course: EvaluationCourse,
): Static<ReturnType<typeof evaluationCourseSchema>> => ({
  id: course.id && {
    evaluatedPeople: course.id.staffNumber,
    coureSequenceNumber: course.id.sequence,
    evaluationContentNumber: course.id.contentNumber,
  },
  questionnaire: course.questionnaire && {
    questionnaireNumber: course.questionnaire.number,
    questionnaireName: course.questionnaire.name,
  },
  evaluatedPeople: course.teacher,
  isEvaluated: course.evaluated,
  evaluationContent: course.courseName,
});

export const presentCourseInfo = ({
  id,
  courseName,
  teacher,
  evaluated,
}: EvaluationCourse): Static<TObject<typeof courseInfoMembers>> => ({
  course_id: id?.sequence ?? '',
  course_name: courseName,
  teacher_name: teacher,
  is_evaluated: evaluated,
  evaluation_content: courseName,
});

/** All of a task but its list. */
export const presentTaskState = (view: TaskView, timeZone: string) => {
  const moment = (at: number | null): string | null => (at === null ? null : campusDateTime(at, timeZone));
  return {
    total_courses: view.total,
    pending_courses: view.pending,
    success_count: view.successCount,
    fail_count: view.failCount,
    current_index: view.currentIndex,
    status: view.status,
    current_countdown: view.countdown,
    start_time: moment(view.startedAt),
    end_time: moment(view.endedAt),
    error_message: errorText(view),
  };
};

export const presentCurrent = (view: CurrentView): Static<TObject<typeof currentMembers>> => ({
  is_evaluating: view.status === 'running',
  course_name: shortName(view.course?.name ?? ''),
  teacher_name: view.course?.teacher ?? '',
  progress_text: currentText(view),
  countdown_seconds: view.course?.countdown ?? 0,
  current_index: view.course?.index ?? -1,
  total_pending: view.pending,
});
