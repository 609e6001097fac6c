import {
  courseInfoMembers,
  currentMembers,
  initializedMembers,
  taskMembers,
  taskStatus,
} from '../../records/evaluation-schemas.ts';
import { component, envelope, failureEnvelope, nullable } from './envelope.ts';

const CourseInfo = component('CourseInfo', 'A course of the evaluation task.', courseInfoMembers);

const InitializeDataPart = component(
  'InitializeData',
  'The list of an evaluation task.',
  initializedMembers(CourseInfo),
);
const EvaluationStatsDataPart = component(
  'EvaluationStatsData',
  'State and counts of the evaluation task.',
  taskMembers(CourseInfo),
);
const CurrentCourseInfoDataPart = component(
  'CurrentCourseInfoData',
  'The course that is being evaluated.',
  currentMembers,
);

export const InitializeData = nullable(InitializeDataPart);
export const EvaluationStatsData = nullable(EvaluationStatsDataPart, { description: 'Null without a task.' });
export const CurrentCourseInfoData = nullable(CurrentCourseInfoDataPart, { description: 'Null without a task.' });
export const TaskOperationData = component('TaskOperationData', 'State of the evaluation task.', {
  task_status: taskStatus,
});

export const InitializeResponse = envelope('InitializeResponse', InitializeDataPart);
export const InitializeFailure = failureEnvelope('InitializeFailure', InitializeDataPart);
export const TaskOperationResponse = envelope('TaskOperationResponse', TaskOperationData);
export const TaskOperationFailure = failureEnvelope('TaskOperationFailure', TaskOperationData);
export const EvaluationStatsResponse = envelope('EvaluationStatsResponse', EvaluationStatsData);
export const CurrentCourseInfoResponse = envelope('CurrentCourseInfoResponse', CurrentCourseInfoData);
