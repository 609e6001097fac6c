import {
  courseInfoMembers,
  currentMembers,
  initializedMembers,
  taskMembers,
  taskStatus,
} from '../../records/evaluation-schemas.ts';
import { component, envelope, failureEnvelope, nullable } from './envelope.ts';

const CourseInfo = component('CourseInfo', courseInfoMembers, 'A course of the evaluation task.');

const InitializeDataPart = component(
  'InitializeData',
  initializedMembers(CourseInfo),
  'The list of an evaluation task.',
);
const EvaluationStatsDataPart = component(
  'EvaluationStatsData',
  taskMembers(CourseInfo),
  'State and counts of the evaluation task.',
);
const CurrentCourseInfoDataPart = component(
  'CurrentCourseInfoData',
  currentMembers,
  'The course that is being evaluated.',
);

export const InitializeData = nullable(InitializeDataPart);
export const EvaluationStatsData = nullable(EvaluationStatsDataPart, { description: 'Null without a task.' });
export const CurrentCourseInfoData = nullable(CurrentCourseInfoDataPart, { description: 'Null without a task.' });
export const TaskOperationData = component(
  'TaskOperationData',
  { task_status: taskStatus },
  'State of the evaluation task.',
);

export const InitializeResponse = envelope('InitializeResponse', InitializeDataPart);
export const InitializeFailure = failureEnvelope('InitializeFailure', InitializeDataPart);
export const TaskOperationResponse = envelope('TaskOperationResponse', TaskOperationData);
export const TaskOperationFailure = failureEnvelope('TaskOperationFailure', TaskOperationData);
export const EvaluationStatsResponse = envelope('EvaluationStatsResponse', EvaluationStatsData);
export const CurrentCourseInfoResponse = envelope('CurrentCourseInfoResponse', CurrentCourseInfoData);
