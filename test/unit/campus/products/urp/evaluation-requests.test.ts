import { describe, expect, it } from 'vitest';
import type { UpstreamRequest } from '../../../../../src/campus/contract/upstream-session.ts';
import {
  createEvaluationClient,
  questionnaireRequest,
  submissionRequest,
} from '../../../../../src/campus/products/urp/evaluation-client.ts';
import { callContext, recordingLog } from '../../../../support/campus-rig.ts';
import { FakeJwc, student } from './fake-jwc.ts';

const course = {
  id: { staffNumber: '20080123', sequence: '02', contentNumber: 'ECO1201003', questionnaireCoding: '0000000134' },
  questionnaire: { number: '0000000121', name: '理论课' },
  teacher: '周明',
  courseName: '微观经济学',
  evaluated: '否',
};
const page = {
  token: 'c0a4',
  title: '',
  session: '',
  questionnaireNumber: 'Q9',
  staffNumber: 'S9',
  contentNumber: 'C9',
  ratings: [],
  comments: [],
};
const written = ({ form = [] }: UpstreamRequest): string => form.map((field) => field.join('=')).join('&');

describe('a questionnaire is opened', () => {
  it('with these fields in this order', () => {
    expect(written(questionnaireRequest(course, 2, '8f2c'))).toBe(
      'count=2&evaluatedPeople=周明&evaluatedPeopleNumber=20080123&questionnaireCode=0000000121&questionnaireName=理论课' +
        '&coureSequenceNumber=02&evaluationContentNumber=ECO1201003&evaluationContentContent=&tokenValue=8f2c',
    );
    expect(questionnaireRequest(course, 2, '8f2c').path).toBe(
      '/student/teachingEvaluation/teachingEvaluation/evaluationPage',
    );
  });

  it('with the number among the identifiers where the list names no questionnaire', () => {
    expect(written(questionnaireRequest({ ...course, questionnaire: null }, 2, '8f2c'))).toContain(
      '&questionnaireCode=0000000134&questionnaireName=&',
    );
  });
});

describe('a submission', () => {
  const submissionPath = '/student/teachingEvaluation/teachingEvaluation/assessment?sf_request_type=ajax';
  const answers = [
    ['0000000180', '5_1'],
    ['0000000200', '好+坏&一=二'],
    ['zgpj', '讲解清楚'],
  ] as const;

  it('has these fields in this order, its answers last, and is a write', () => {
    const request = submissionRequest({ course, questionnaire: page, answers, count: 2 });
    expect(written(request)).toBe(
      'optType=submit&tokenValue=c0a4&questionnaireCode=0000000121&evaluationContent=ECO1201003' +
        '&evaluatedPeopleNumber=20080123&count=2&0000000180=5_1&0000000200=好+坏&一=二&zgpj=讲解清楚',
    );
    expect(request).toMatchObject({
      method: 'POST',
      path: submissionPath,
      expect: 'json',
      write: true,
    });
  });

  it('that is refused leaves none of its answers in the log, though the campus quotes one', async () => {
    const log = recordingLog();
    const jwc = new FakeJwc();
    jwc.memo.set('evaluation-pages', page.session);
    jwc.answers(submissionPath, JSON.stringify({ result: 'error', msg: '评语「讲解清楚」含有敏感词' }));
    const { traceId, signal, deadline, address } = callContext();
    const context = { traceId, signal, deadline, address, log };
    const submitted = createEvaluationClient({ sessions: jwc }).submit(
      student,
      { course, questionnaire: page, answers, count: 2 },
      context,
    );
    expect(await submitted).toBe('refused');
    expect(log.lines).toEqual([
      { level: 'warn', fields: { system: 'academics', timing: false }, message: 'evaluation refused' },
    ]);
  });

  it('takes from the page what the list leaves empty', () => {
    const request = submissionRequest({
      course: { ...course, id: null, questionnaire: null },
      questionnaire: page,
      answers: [],
      count: 2,
    });
    expect(written(request)).toBe(
      'optType=submit&tokenValue=c0a4&questionnaireCode=Q9&evaluationContent=C9&evaluatedPeopleNumber=S9&count=2',
    );
  });
});
