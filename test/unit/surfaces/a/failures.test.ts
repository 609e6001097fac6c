import { describe, expect, it } from 'vitest';
import { type FailureKind, failureOf, failures } from '../../../../src/domain/errors.ts';
import { answerOf, type OperationGroup } from '../../../../src/surfaces/a/failures.ts';
import { failureKinds } from '../../../support/failure-kinds.ts';

const groups: readonly OperationGroup[] = ['user', 'academics', 'activity-score'];
const secret = 'http://10.0.0.1/secret?ticket=ST-1';
const failure = (kind: FailureKind) =>
  failureOf(kind, { reason: secret, upstreamMessage: secret, part: secret, cause: new Error(secret) });

describe('the answer to a failure', () => {
  it.each(groups.flatMap((group) => failureKinds.map((kind) => [group, kind] as const)))(
    'of group %s, kind %s: never code 200, its own text, nothing raw',
    (group, kind) => {
      const answer = answerOf(failure(kind), group);
      expect([400, 401, 403, 413, 428, 429, 500, 501, 503, 504]).toContain(answer.code);
      expect(answer.message).toMatch(/^[\p{Script=Han}VPNtoken，、]+$/u);
      expect(answer.status).toBe(kind === 'overloaded' ? 503 : 200);
    },
  );

  it.each(groups)('of group %s carries the seconds to wait whenever they are known', (group) => {
    for (const kind of failureKinds) {
      expect(answerOf(failureOf(kind, { retryAfterSeconds: 7 }), group).retryAfter).toBe(7);
    }
  });

  it('asks for a pause with every 429 and with overload, also when its length is not known', () => {
    for (const kind of failureKinds) {
      const { code, retryAfter } = answerOf(failureOf(kind), 'user');
      expect(retryAfter !== undefined).toBe(code === 429 || code === 503);
    }
  });

  it('to a time limit names the step that took too long', () => {
    expect(answerOf(failures.timedOut(undefined, { step: 'portal' }), 'academics').message).toBe(
      '校园网络暂不可用，请稍后重试',
    );
    expect(answerOf(failures.timedOut(undefined, { system: 'academics' }), 'academics').message).toBe(
      '教务系统暂不可用，请稍后重试',
    );
    expect(answerOf(failures.timedOut(), 'user').message).toBe('校园网络暂不可用，请稍后重试');
  });
});
