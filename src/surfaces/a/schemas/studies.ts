import { Type } from '@sinclair/typebox';
import { integer, text } from '../../records/atoms.ts';
import { evaluationCourseSchema } from '../../records/evaluation-schemas.ts';
import { examMembers } from '../../records/schemas.ts';
import { component, envelope } from './envelope.ts';

export const TrainingPlanInfo = component('TrainingPlanInfo', 'The training plan.', {
  pyfa: text('Plan name, e.g. `2023级软件工程本科培养方案`.'),
  term: text('Label of the current term, e.g. `2024-2025春季学期`; empty when unknown.'),
  courseCount: integer('Courses completed; 0 when unknown.'),
  major: text('Major, cut from the plan name.'),
  grade: text('Four-digit year of entry, cut from the plan name.'),
});

export const EvaluationCourses = Type.Array(evaluationCourseSchema(component), {
  description: 'All courses of the list.',
});

const UnifiedExamInfo = component('UnifiedExamInfo', 'An exam.', examMembers);

export const ExamInfoResponse = component('ExamInfoResponse', 'Exams of the current term.', {
  exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date as text.' }),
  total_count: integer('Length of `exams`.'),
});

export const TrainingPlanInfoResponse = envelope('TrainingPlanInfoResponse', TrainingPlanInfo);
export const CourseListResponse = envelope('CourseListResponse', EvaluationCourses);
export const ExamInfoApiResponse = envelope('ExamInfoAPIResponse', ExamInfoResponse);
