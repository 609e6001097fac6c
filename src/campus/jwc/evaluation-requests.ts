import type { Answers, Questionnaire } from '../../domain/evaluation/questionnaire.ts';
import type { EvaluationCourse } from '../../domain/evaluation/types.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { questionnaireAlive } from './parse-questionnaire.ts';
import { forData, forPages } from './requests.ts';

const questionnaireNumber = ({ id, questionnaire }: EvaluationCourse): string =>
  questionnaire?.number || id?.questionnaireCoding || '';

/** Starts the campus's clock for this course. A read all the same: nothing is stored, and it may be asked again. */
export const questionnaireRequest = (course: EvaluationCourse, count: number, token: string): UpstreamRequest => ({
  method: 'POST',
  path: '/student/teachingEvaluation/teachingEvaluation/evaluationPage',
  form: [
    ['count', String(count)],
    ['evaluatedPeople', course.teacher],
    ['evaluatedPeopleNumber', course.id?.staffNumber ?? ''],
    ['questionnaireCode', questionnaireNumber(course)],
    ['questionnaireName', course.questionnaire?.name ?? ''],
    ['coureSequenceNumber', course.id?.sequence ?? ''],
    ['evaluationContentNumber', course.id?.contentNumber ?? ''],
    ['evaluationContentContent', ''],
    ['tokenValue', token],
  ],
  headers: forPages,
  expect: 'page',
  alive: questionnaireAlive,
});

/** Numbers of the list come first; what it leaves empty stands on the page. */
export const submissionRequest = (
  course: EvaluationCourse,
  page: Questionnaire,
  answers: Answers,
  count: number,
): UpstreamRequest => ({
  method: 'POST',
  path: '/student/teachingEvaluation/teachingEvaluation/assessment?sf_request_type=ajax',
  form: [
    ['optType', 'submit'],
    ['tokenValue', page.token],
    ['questionnaireCode', questionnaireNumber(course) || page.questionnaireNumber],
    ['evaluationContent', course.id?.contentNumber || page.contentNumber],
    ['evaluatedPeopleNumber', course.id?.staffNumber || page.staffNumber],
    ['count', String(count)],
    ...answers,
  ],
  headers: forData,
  expect: 'json',
  write: true,
});
