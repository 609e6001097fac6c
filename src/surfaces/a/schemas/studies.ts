import { Type } from '@sinclair/typebox';
import { examMembers } from '../../records/schemas.ts';
import { component, envelope, nullable } from './envelope.ts';

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

const CourseId = component(
  'CourseId',
  {
    evaluatedPeople: text('Number of the person evaluated, not a name.'),
    coureSequenceNumber: text('Course sequence number.'),
    evaluationContentNumber: text('Course number.'),
  },
  'What identifies a course to evaluate.',
);

const Questionnaire = component(
  'Questionnaire',
  {
    questionnaireNumber: text('Questionnaire id.'),
    questionnaireName: text('Questionnaire title.'),
  },
  'What is filled in for a course.',
);

export const EvaluationCourse = component(
  'Course',
  {
    id: nullable(CourseId, { description: 'Identifiers; null where the campus sends none.' }),
    questionnaire: nullable(Questionnaire, { description: 'What is filled in; null where the campus sends none.' }),
    evaluatedPeople: text('Name of the teacher.'),
    isEvaluated: text('`是` is done; anything else, also empty, is pending.'),
    evaluationContent: text('Course name.'),
  },
  'A course to evaluate.',
);

export const EvaluationCourses = Type.Array(EvaluationCourse, { description: 'All courses of the list.' });

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
