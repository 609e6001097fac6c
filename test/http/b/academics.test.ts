import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleSchedule, exampleSummary, exampleToken } from '../../support/fake-services.ts';

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
