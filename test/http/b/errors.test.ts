import { describe, expect, it } from 'vitest';
import { failureOf, failures } from '../../../src/domain/errors.ts';
import { errorTable } from '../../../src/surfaces/b/error-codes.ts';
import { answerOf } from '../../../src/surfaces/b/failures.ts';
import { appUnderTest } from '../../support/app.ts';
import { failureKinds } from '../../support/failure-kinds.ts';
import { exampleToken, type FakeServices } from '../../support/fake-services.ts';

describe('the table of errors', () => {
  it.each(failureKinds)('has an answer to %s in every wording', (kind) => {
    for (const wording of ['data', 'login', 'register', 'applications'] as const) {
      for (const step of [undefined, 'portal', 'unified-login'] as const) {
        const { code, message, retryAfterSeconds } = answerOf(failureOf(kind, step ? { step } : {}), wording);
        const { status } = errorTable[code];
        expect(message).not.toBe('');
        expect(status).toBeGreaterThanOrEqual(400);
        if (status === 429 || status === 503) expect(retryAfterSeconds).toBeGreaterThan(0);
      }
    }
  });

  it('shows the words of the campus to the student, and none of ours', () => {
    const failure = failures.upstreamRefused(undefined, 'code 7', { upstreamMessage: '活动已结束' });
    expect(answerOf(failure, 'data')).toMatchObject({ code: 'REMOTE_SERVICE_ERROR', message: '活动已结束' });
  });

  it.each([
    ['/aac/credit/info', (services: FakeServices) => services.activityScore.total],
    ['/ldjlb/labor/progress', (services: FakeServices) => services.laborClub.progress],
  ] as const)('calls a defect of ours unknown where the ticket applications are asked: %s', async (url, workOf) => {
    const { app, services } = await appUnderTest();
    workOf(services).fails(new TypeError('secret detail'));
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${exampleToken}` } });
    expect([answer.statusCode, answer.json().error.code, answer.json().message]).toEqual([500, 'UNKNOWN', '未知错误']);
    expect(answer.body).not.toContain('secret detail');
  });

  it('takes a refused step for the portal when it is not named, as it is the first', () => {
    expect(answerOf(failures.signInUnavailable(undefined), 'register').code).toBe('EC_SERVER_ERROR');
  });
});
