import { describe, expect, it } from 'vitest';
import { Failure, type FailureKind } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleSchedule, exampleSummary, exampleToken, type FakeServices } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };

describe('GET /jwc/academic/info', () => {
  const url = '/jwc/academic/info';

  it.each([
    ['2025-2026-1-1', '2025-2026秋季学期'],
    ['2025-2026-2', '2025-2026春季学期'],
    ['2025-2026-3-1', '2025-2026-3-1'],
    ['', ''],
  ])('names the term %s %s', async (currentTerm, name) => {
    const { app, services } = await appUnderTest();
    services.academics.summary.returns({ ...exampleSummary, currentTerm });
    const { data } = (await app.inject({ url, headers })).json();
    expect(data).toMatchObject({ current_term: currentTerm, current_term_name: name });
  });
});

describe('GET /jwc/score/{term_code}/list', () => {
  const url = '/jwc/score/2025-2026-1-1/list';

  it('answers a term without scores with an empty list', async () => {
    const { app, services } = await appUnderTest();
    services.academics.allScores.returns([]);
    expect((await app.inject({ url, headers })).json().data).toEqual({ total_count: 0, records: [] });
  });
});

describe('GET /jwc/schedule/{term_code}/table', () => {
  const url = '/jwc/schedule/2025-2026-2-1/table';

  it('answers an empty semester_info when the campus states none', async () => {
    const { app, services } = await appUnderTest();
    services.academics.schedule.returns({ ...exampleSchedule, sections: { slots: [], semester: null } });
    const { data } = (await app.inject({ url, headers })).json();
    expect(data).toMatchObject({ semester_info: {}, time_slots: [] });
  });

  it.each([
    ['sections', '无法获取节次时间信息，请稍后再试'],
    ['courses', '无法获取课表信息，请稍后再试'],
  ])('says so when the %s could not be had', async (part, message) => {
    const { app, services } = await appUnderTest();
    services.academics.schedule.fails(new Failure('upstream-unavailable', { system: 'academics', part }));
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({ message, error: { code: 'REMOTE_SERVICE_ERROR', message } });
  });
});

const operations = [
  ['/jwc/academic/info', ({ academics }: FakeServices) => academics.summary],
  ['/jwc/term/all', ({ academics }: FakeServices) => academics.terms],
  ['/jwc/score/2025-2026-1-1/list', ({ academics }: FakeServices) => academics.allScores],
  ['/jwc/schedule/2025-2026-2-1/table', ({ academics }: FakeServices) => academics.schedule],
  ['/jwc/academic/training_plan', ({ academics }: FakeServices) => academics.trainingPlan],
  ['/jwc/academic/course_selection_status', ({ academics }: FakeServices) => academics.courseSelection],
  ['/jwc/term/current', ({ academics }: FakeServices) => academics.currentTerm],
  ['/jwc/exam/info', ({ academics }: FakeServices) => academics.exams],
  ['/jwc/plan/current', ({ academics }: FakeServices) => academics.planCompletion],
  ['/jwc/plan/current?estimate=true', ({ academics }: FakeServices) => academics.planEstimate],
  ['/jwc/plan/options', ({ academics }: FakeServices) => academics.planChoice],
  ['/jwc/score/current/list', ({ academics }: FakeServices) => academics.currentScores],
  [
    '/jwc/score/current/detail?term_code=2025-2026-1-1&course_code=A&course_class=1&exam_time=',
    ({ academics }: FakeServices) => academics.scoreComponents,
  ],
  ['/jwc/competition/info', ({ competitions }: FakeServices) => competitions.record],
] as const;

describe('the failures of a read', () => {
  it.each<[FailureKind, number, string]>([
    ['stored-credentials-refused', 403, 'USER_NEED_RESET_PASSWORD'],
    ['stored-credentials-unreadable', 403, 'USER_NEED_RESET_PASSWORD'],
    ['sign-in-guarded', 502, 'REMOTE_SERVICE_ERROR'],
    ['sign-in-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['ticket-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-unavailable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-unreadable', 502, 'REMOTE_SERVICE_ERROR'],
    ['upstream-refused', 502, 'REMOTE_SERVICE_ERROR'],
    ['session-lost', 502, 'REMOTE_SERVICE_ERROR'],
    ['outcome-unknown', 504, 'TIMEOUT'],
    ['upstream-empty', 502, 'NULL_RESPONSE'],
    ['timed-out', 504, 'TIMEOUT'],
    ['overloaded', 503, 'SERVICE_UNAVAILABLE'],
    ['internal', 500, 'SERVER_ERROR'],
  ])('%s is %i %s, with the wait that is known', async (kind, status, code) => {
    const { app, services } = await appUnderTest();
    services.academics.summary.fails(new Failure(kind, { reason: 'for the log only', retryAfterSeconds: 30 }));
    const answer = await app.inject({ url: '/jwc/academic/info', headers });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, '30']);
    expect(answer.json()).toMatchObject({ success: false, data: null, error: { code } });
    expect(answer.body).not.toContain('for the log only');
  });

  it.each(operations)('%s: a defect of ours is a 500 that tells nothing', async (url, workOf) => {
    const { app, services } = await appUnderTest();
    workOf(services).fails(new TypeError('secret detail'));
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toMatchObject({ code: 'SERVER_ERROR', message: '服务器错误' });
    expect(answer.body).not.toContain('secret detail');
  });
});
