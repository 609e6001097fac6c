import { Type } from '@sinclair/typebox';
import { examMembers } from '../../records/schemas.ts';
import { component, envelope, nullable, withDefaults } from './envelope.ts';

const optionalText = (description: string) => Type.String({ default: '', description });

export const TrainingPlanInfo = component('TrainingPlanInfo', {
  pyfa: optionalText('Plan name, e.g. `2023级软件工程本科培养方案`.'),
  term: optionalText('Label of the current term, e.g. `2024-2025春季学期`; empty when unknown.'),
  courseCount: Type.Integer({ default: 0, description: 'Courses completed; 0 when unknown.' }),
  major: optionalText('Major, cut from the plan name.'),
  grade: optionalText('Four-digit year of entry, cut from the plan name.'),
});

const CourseId = component('CourseId', {
  evaluatedPeople: optionalText('Number of the person evaluated, not a name.'),
  coureSequenceNumber: optionalText('Course sequence number.'),
  evaluationContentNumber: optionalText('Course number.'),
});

const Questionnaire = component('Questionnaire', {
  questionnaireNumber: optionalText('Questionnaire id.'),
  questionnaireName: optionalText('Questionnaire title.'),
});

export const EvaluationCourse = component('Course', {
  id: nullable(CourseId, { default: null, description: 'Identifiers.' }),
  questionnaire: nullable(Questionnaire, { default: null }),
  evaluatedPeople: optionalText('Name of the teacher.'),
  isEvaluated: optionalText('`是` is done; anything else, also empty, is pending.'),
  evaluationContent: optionalText('Course name.'),
});

export const EvaluationCourses = Type.Array(EvaluationCourse);

export const UnifiedExamInfo = component('UnifiedExamInfo', withDefaults(examMembers));

export const ExamInfoResponse = component('ExamInfoResponse', {
  exams: Type.Array(UnifiedExamInfo, { default: [], description: 'Sorted by date as text.' }),
  total_count: Type.Integer({ default: 0, description: 'Length of `exams`.' }),
});

export const TrainingPlanInfoResponse = envelope('TrainingPlanInfoResponse', TrainingPlanInfo);
export const CourseListResponse = envelope('CourseListResponse', EvaluationCourses);
export const ExamInfoApiResponse = envelope('ExamInfoAPIResponse', ExamInfoResponse);
