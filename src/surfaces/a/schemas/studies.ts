import { Type } from '@sinclair/typebox';
import { evaluationCourseSchema } from '../../records/evaluation-schemas.ts';
import { examMembers } from '../../records/schemas.ts';
import { component, envelope } from './envelope.ts';

const text = (description: string) => Type.String({ description });

export const TrainingPlanInfo = component(
  'TrainingPlanInfo',
  {
    pyfa: text('Plan name, e.g. `2023级软件工程本科培养方案`.'),
    term: text('Label of the current term, e.g. `2024-2025春季学期`; empty when unknown.'),
    courseCount: Type.Integer({ description: 'Courses completed; 0 when unknown.' }),
    major: text('Major, cut from the plan name.'),
    grade: text('Four-digit year of entry, cut from the plan name.'),
  },
  'The training plan.',
);

export const EvaluationCourses = Type.Array(evaluationCourseSchema(component), {
  description: 'All courses of the list.',
});

export const UnifiedExamInfo = component('UnifiedExamInfo', examMembers, 'An exam.');

export const ExamInfoResponse = component(
  'ExamInfoResponse',
  {
    exams: Type.Array(UnifiedExamInfo, { description: 'Sorted by date as text.' }),
    total_count: Type.Integer({ description: 'Length of `exams`.' }),
  },
  'Exams of the current term.',
);

export const TrainingPlanInfoResponse = envelope('TrainingPlanInfoResponse', TrainingPlanInfo);
export const CourseListResponse = envelope('CourseListResponse', EvaluationCourses);
export const ExamInfoApiResponse = envelope('ExamInfoAPIResponse', ExamInfoResponse);
