import type { Static } from '@sinclair/typebox';
import type { TaskView } from '../../domain/evaluation/view.ts';
import { presentCourseInfo, presentTaskState } from '../records/present-evaluation.ts';
import type { EvaluationStatsData, InitializeData } from './schemas/evaluation.ts';

export const presentInitialized = ({ total, pending, courses }: TaskView): Static<typeof InitializeData> => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(presentCourseInfo),
});

export const notInitialized: Static<typeof InitializeData> = { total_courses: 0, pending_courses: 0, course_list: [] };

export const presentTask = (view: TaskView, timeZone: string): Static<typeof EvaluationStatsData> => ({
  ...presentTaskState(view, timeZone),
  course_list: view.courses.map(presentCourseInfo),
});
