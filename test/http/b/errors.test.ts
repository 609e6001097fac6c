import { describe, expect, it } from 'vitest';
import { Failure, failureKinds } from '../../../src/domain/errors.ts';
import { answerOf, errorTable } from '../../../src/surfaces/b/errors.ts';

describe('the table of errors', () => {
  it.each(failureKinds)('has an answer to %s in every wording', (kind) => {
    for (const wording of ['data', 'login', 'register'] as const) {
      for (const step of [undefined, 'portal', 'unified-login'] as const) {
        const { code, message, retryAfterSeconds } = answerOf(new Failure(kind, step ? { step } : {}), wording);
        const { status } = errorTable[code];
        expect(message).not.toBe('');
        expect(status).toBeGreaterThanOrEqual(400);
        if (status === 429 || status === 503) expect(retryAfterSeconds).toBeGreaterThan(0);
      }
    }
  });

  it('shows the words of the campus to the student, and none of ours', () => {
    const failure = new Failure('upstream-refused', { upstreamMessage: '活动已结束', reason: 'code 7' });
    expect(answerOf(failure, 'data')).toMatchObject({ code: 'REMOTE_SERVICE_ERROR', message: '活动已结束' });
  });

  it('takes a refused step for the portal when it is not named, as it is the first', () => {
    expect(answerOf(new Failure('sign-in-unavailable'), 'register').code).toBe('EC_SERVER_ERROR');
  });
});
