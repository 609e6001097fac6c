import type { Static, TObject } from '@sinclair/typebox';
import type { EvaluationCourse } from '../../domain/evaluation/types.ts';
import type { CurrentView, TaskView } from '../../domain/evaluation/view.ts';
import { campusDateTime } from '../../lib/campus-time.ts';
import type { courseInfoMembers, currentMembers, evaluationCourseSchema } from './evaluation-schemas.ts';
import { currentText, faultText, shortName } from './evaluation-texts.ts';

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
    error_message: faultText(view),
  };
};

export const presentCurrent = (view: CurrentView): Static<TObject<typeof currentMembers>> => ({
  is_evaluating: view.running,
  course_name: shortName(view.course?.name ?? ''),
  teacher_name: view.course?.teacher ?? '',
  progress_text: currentText(view),
  countdown_seconds: view.course?.countdown ?? 0,
  current_index: view.course?.index ?? -1,
  total_pending: view.pending,
});
