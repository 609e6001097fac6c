import type { Answers, Questionnaire } from '../../domain/evaluation/questionnaire.ts';
import type { EvaluationCourse } from '../../domain/evaluation/types.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { questionnaireAlive } from './parse-questionnaire.ts';
import { dataRequest, pageRequest } from './requests.ts';

const base = '/student/teachingEvaluation/teachingEvaluation';

const questionnaireNumber = ({ id, questionnaire }: EvaluationCourse): string =>
  questionnaire?.number || id?.questionnaireCoding || '';

/** Starts the campus's clock for this course. A read all the same: nothing is stored, and it may be asked again. */
export const questionnaireRequest = (course: EvaluationCourse, count: number, token: string): UpstreamRequest => {
  const form = [
    ['count', String(count)],
    ['evaluatedPeople', course.teacher],
    ['evaluatedPeopleNumber', course.id?.staffNumber ?? ''],
    ['questionnaireCode', questionnaireNumber(course)],
    ['questionnaireName', course.questionnaire?.name ?? ''],
    ['coureSequenceNumber', course.id?.sequence ?? ''],
    ['evaluationContentNumber', course.id?.contentNumber ?? ''],
    ['evaluationContentContent', ''],
    ['tokenValue', token],
  ] as const;
  return pageRequest('questionnaire', `${base}/evaluationPage`, questionnaireAlive, { method: 'POST', form });
};

/** Numbers of the list come first; what it leaves empty stands on the page. */
export const submissionRequest = (
  course: EvaluationCourse,
  page: Questionnaire,
  answers: Answers,
  count: number,
): UpstreamRequest => {
  const form = [
    ['optType', 'submit'],
    ['tokenValue', page.token],
    ['questionnaireCode', questionnaireNumber(course) || page.questionnaireNumber],
    ['evaluationContent', course.id?.contentNumber || page.contentNumber],
    ['evaluatedPeopleNumber', course.id?.staffNumber || page.staffNumber],
    ['count', String(count)],
    ...answers,
  ] as const;
  return dataRequest('submission', `${base}/assessment?sf_request_type=ajax`, form, { write: true });
};
