import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/domain/errors.ts';
import { academicRows, failAll, signedIn, signInRows, surfaceA, taskOperations } from './support.ts';

/** Orders tell the state that the task is in; everything else has nothing to tell. */
const orders = ['/jwc/evaluation/start', '/jwc/evaluation/terminate'];

describe.each(taskOperations)('%s', (path, body) => {
  const data = orders.includes(path) ? { task_status: 'completed' } : null;

  it.each([...signInRows, ...academicRows])(
    'answers %s %o with code %d, %s, and the state of the task where it has one',
    async (kind, details, code, message, retryAfter) => {
      const { post, services } = await surfaceA();
      services.evaluation.lastKnown.returns('completed');
      failAll(services, new Failure(kind, details));
      const response = await post(path, body);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ code, message, data });
      expect(response.headers['retry-after']).toBe(retryAfter);
    },
  );

  it.each([
    ['portal', 'VPN登录失败，请检查用户名和密码'],
    ['unified-login', '大学登录失败，请检查用户名和密码'],
  ] as const)(
    'answers a stored password refused at the %s as a credential problem, without data',
    async (step, message) => {
      const { post, services } = await surfaceA();
      failAll(services, new Failure('stored-credentials-refused', { step }));
      const response = await post(path, body);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ code: 400, message });
    },
  );

  it('shows nothing of an unexpected error', async () => {
    const { post, services, log } = await surfaceA();
    failAll(services, new Error('MARKER-SECRET'));
    const response = await post(path, body);
    expect(response.json()).toMatchObject({ code: 500, message: '服务内部错误' });
    expect(`${response.body}${log.join('')}`).not.toContain('MARKER-SECRET');
  });
});

describe('the evaluation task', () => {
  it.each(['status', 'current'] as const)('of a student without one is null, with code 200: %s', async (member) => {
    const { post, services } = await surfaceA();
    services.evaluation[member].returns(null);
    expect((await post(`/jwc/evaluation/${member}`, signedIn)).json()).toEqual({
      code: 200,
      message: '无活跃任务',
      data: null,
    });
  });
});
