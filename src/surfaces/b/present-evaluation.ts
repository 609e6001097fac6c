import type { Static } from '@sinclair/typebox';
import type { PreviewView, TaskCourse, TaskView } from '../../domain/evaluation/view.ts';
import { presentCourseInfo, presentTaskState } from '../records/present-evaluation.ts';
import type { EvaluationInitialized, EvaluationPreview, EvaluationStatus } from './schemas/evaluation.ts';

const presentCourse = (course: TaskCourse) => ({
  ...presentCourseInfo(course),
  course_key: course.courseKey,
  excluded: course.excluded,
});

export const presentInitialized = ({ total, pending, courses }: TaskView): Static<typeof EvaluationInitialized> => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(presentCourse),
});

export const presentStatus = (view: TaskView, timeZone: string): Static<typeof EvaluationStatus> => ({
  ...presentTaskState(view, timeZone),
  course_list: view.courses.map(presentCourse),
  excluded_courses: view.courses.filter(({ excluded }) => excluded).length,
});

export const presentPreview = (preview: PreviewView): Static<typeof EvaluationPreview> => ({
  course_key: preview.courseKey,
  course_name: preview.courseName,
  teacher_name: preview.teacher,
  questionnaire_name: preview.questionnaire,
  ratings: preview.ratings.map(({ name, question, value, choice }) => ({ key: name, question, value, choice })),
  comments: preview.comments.map(({ name, question, text }) => ({ key: name, question, text })),
});
