import type { Static } from '@sinclair/typebox';
import type { EvaluationCourse } from '../../domain/evaluation/types.ts';
import type { CurrentView, TaskView } from '../../domain/evaluation/view.ts';
import { campusDateTime } from '../../lib/campus-time.ts';
import { currentText, faultText, shortName } from './evaluation-texts.ts';
import type { CourseInfo, CurrentCourseInfoData, EvaluationStatsData, InitializeData } from './schemas/evaluation.ts';

const presentCourse = ({ id, courseName, teacher, evaluated }: EvaluationCourse): Static<typeof CourseInfo> => ({
  course_id: id?.sequence ?? '',
  course_name: courseName,
  teacher_name: teacher,
  is_evaluated: evaluated,
  evaluation_content: courseName,
});

export const presentInitialized = ({ total, pending, courses }: TaskView): Static<typeof InitializeData> => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(presentCourse),
});

export const notInitialized: Static<typeof InitializeData> = { total_courses: 0, pending_courses: 0, course_list: [] };

export const presentTask = (view: TaskView, timeZone: string): Static<typeof EvaluationStatsData> => {
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
    error_message: faultText(view),
    course_list: view.courses.map(presentCourse),
  };
};

export const presentCurrent = (view: CurrentView): Static<typeof CurrentCourseInfoData> => ({
  is_evaluating: view.running,
  course_name: shortName(view.course?.name ?? ''),
  teacher_name: view.course?.teacher ?? '',
  progress_text: currentText(view),
  countdown_seconds: view.course?.countdown ?? 0,
  current_index: view.course?.index ?? -1,
  total_pending: view.pending,
});
