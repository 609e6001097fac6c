import { type TProperties, Type } from '@sinclair/typebox';
import {
  courseInfoMembers,
  currentMembers,
  evaluationCourseSchema,
  initializedMembers,
  taskMembers,
  taskStatus,
} from '../../records/evaluation-schemas.ts';

const text = (description: string) => Type.String({ description });
const object = <T extends TProperties>(title: string, members: T, description: string) =>
  Type.Object(members, { title, description });

const courseKey = text('What the course is called here: opaque, unique within the list, the same after every refresh.');

export const Courses = Type.Array(evaluationCourseSchema(object), {
  description: 'The list of the campus, evaluated courses included; empty while the season is over.',
});

const CourseInfo = object(
  'CourseInfo',
  {
    ...courseInfoMembers,
    course_key: courseKey,
    excluded: Type.Boolean({ description: 'This run leaves it alone.' }),
  },
  'A course of the evaluation task.',
);

export const EvaluationInitialized = object(
  'EvaluationInitialized',
  initializedMembers(CourseInfo),
  'The list of an evaluation task.',
);

export const TaskOperation = object(
  'TaskOperation',
  { task_status: taskStatus },
  'State of the evaluation task; `idle` also where there is none.',
);

const StatusPart = object(
  'EvaluationStatus',
  {
    ...taskMembers(CourseInfo),
    excluded_courses: Type.Integer({
      description: 'Courses that this run leaves alone; `pending_courses` has them too.',
    }),
  },
  'State and counts of the evaluation task.',
);
export const EvaluationStatus = Type.Union([StatusPart, Type.Null()], { description: 'Null without a task.' });

const CurrentPart = object('CurrentCourse', currentMembers, 'The course that is being evaluated.');
export const CurrentCourse = Type.Union([CurrentPart, Type.Null()], { description: 'Null without a task.' });

const Rating = object(
  'PreviewedRating',
  {
    key: text('Name of the question in the form.'),
    question: text('The question; empty where the page has no text for it.'),
    value: text('What is sent.'),
    choice: text('What the page calls it; may be empty.'),
  },
  'A question with its chosen option.',
);
const Comment = object(
  'PreviewedComment',
  {
    key: text('Name of the question in the form.'),
    question: text('The question; empty where the page has no text for it.'),
    text: text('What is sent.'),
  },
  'A question with its text.',
);

export const EvaluationPreview = object(
  'EvaluationPreview',
  {
    course_key: courseKey,
    course_name: text('Course.'),
    teacher_name: text('Teacher.'),
    questionnaire_name: text('Questionnaire.'),
    ratings: Type.Array(Rating, { description: 'In the order of the page.' }),
    comments: Type.Array(Comment, { description: 'In the order of the page.' }),
  },
  'The answers that the run will send for a course.',
);

export const PreviewQuery = Type.Object({
  course_key: Type.String({ minLength: 1, maxLength: 200, description: '`course_key` of a course in `course_list`.' }),
});

export const StartRequest = object(
  'EvaluationStartRequest',
  {
    exclude: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 500,
        description: '`course_key` of each course that this run leaves alone. Evaluated ones may be named.',
      }),
    ),
  },
  'Which courses are left out of a run.',
);
