import { describe, expect, it } from 'vitest';
import { failures } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleSchedule, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };

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
    services.academics.schedule.fails(failures.upstreamUnavailable('academics', undefined, { part }));
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({ message, error: { code: 'REMOTE_SERVICE_ERROR', message } });
  });
});
