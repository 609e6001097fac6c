import { describe, expect, it } from 'vitest';
import { failureOf, failures } from '../../../src/domain/errors.ts';
import { exampleStudent, exampleToken } from '../../support/fake-services.ts';
import {
  everyWork,
  failAll,
  faultOf,
  login,
  serviceFault,
  signedIn,
  studentOperations,
  surfaceA,
  typedOperations,
} from './support.ts';

it.each([
  ['login-cool-down', 60, 429, '操作过于频繁，请稍后再试'],
  ['rate-limited', 12, 429, '请求过于频繁，请稍后再试'],
  ['storage-failed', undefined, 500, serviceFault],
] as const)('a login that fails with %s after %s s has code %d: %s', async (kind, seconds, code, message) => {
  const { post, services } = await surfaceA();
  services.accounts.login.fails(failureOf(kind, seconds === undefined ? {} : { retryAfterSeconds: seconds }));
  const response = await post('/user/login', login);
  expect(response.json()).toEqual({ code, message, data: null });
  expect(response.headers['retry-after']).toBe(seconds?.toString());
});

describe('/user/authme', () => {
  it.each(['token-unknown', 'token-user-gone'] as const)('answers %s with code 401 and data', async (kind) => {
    const { post, services } = await surfaceA();
    services.accounts.authenticate.fails(failureOf(kind));
    const response = await post('/user/authme', signedIn);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      code: 401,
      message: 'token无效或已过期',
      data: { is_logged_in: false, userid: null },
    });
  });
});

it('a token whose student is gone costs the campus nothing, and is answered in the envelope without data', async () => {
  const { post, services } = await surfaceA();
  services.accounts.authenticate.fails(failures.tokenUserGone());
  const response = await post('/jwc/fetch_all_terms', signedIn);
  expect([response.statusCode, response.json()]).toEqual([200, { code: 401, message: '用户不存在' }]);
  expect(everyWork(services).filter(({ calls }) => calls.length > 0)).toEqual([]);
});

describe('every operation of a student', () => {
  const withToken = (body: object, token: string): object =>
    'AuthmeRequest' in body ? { ...body, AuthmeRequest: { token } } : { ...body, token };

  it('counts calls of a good token against itself', async () => {
    const { post, services } = await surfaceA({ limits: { knownPerMinute: 1 } });
    services.accounts.authenticate.does(async (token) => ({ ...exampleStudent, userid: token }));
    for (const [path, body] of studentOperations) {
      const own = withToken(body, `token of ${path}`);
      expect((await post(path, own)).json().code, path).toBe(200);
      const response = await post(path, own);
      expect(response.statusCode, path).toBe(200);
      expect(response.json(), path).toEqual({ code: 429, message: '请求过于频繁，请稍后再试', data: null });
      expect(Number(response.headers['retry-after']), path).toBeGreaterThan(0);
    }
  });

  it('counts bad tokens against their address, and lets good ones from there through', async () => {
    const { app, services } = await surfaceA({ limits: { anonymousPerMinute: 1 } });
    for (const [at, [path, body]] of studentOperations.entries()) {
      const code = async (token: string): Promise<number> => {
        const remoteAddress = `192.0.2.${at}`;
        const url = `/api/v1${path}`;
        return (await app.inject({ method: 'POST', url, payload: withToken(body, token), remoteAddress })).json().code;
      };
      expect([await code('x'), await code('x'), await code(exampleToken)], path).toEqual([401, 429, 200]);
    }
    expect(services.accounts.authenticate.calls.length).toBeGreaterThan(0);
  });
});

describe('every operation', () => {
  it.each(typedOperations)('%s never shows the text of an unexpected error', async (path, body) => {
    const { post, services } = await surfaceA();
    failAll(services, new Error('secret http://10.1.2.3/internal'));
    services.accounts.authenticate.fails(new Error('secret http://10.1.2.3/internal'));
    const response = await post(path, body);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ code: 500, message: faultOf(path), data: null });
  });

  it.each(typedOperations)('%s answers overload with HTTP 503, the envelope and a time to wait', async (path, body) => {
    const { post, services } = await surfaceA();
    const overloaded = failures.overloaded(4);
    failAll(services, overloaded);
    services.accounts.authenticate.fails(overloaded);
    const response = await post(path, body);
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ code: 503, message: '服务繁忙，请稍后重试', data: null });
    expect(response.headers['retry-after']).toBe('4');
  });

  it('ends at the total deadline, though the work never does', async () => {
    const { post, services } = await surfaceA({}, { requestTimeoutMs: 20 });
    const never = () => new Promise<never>(() => {});
    for (const work of everyWork(services)) work.does(never);
    services.accounts.authenticate.does(never);
    // Bodies with images get a minute more to arrive.
    const prompt = typedOperations.filter(([path]) => path !== '/user/profile/update');
    await Promise.all(
      prompt.map(async ([path, body]) => {
        const response = await post(path, body);
        expect(response.statusCode, path).toBe(200);
        expect(response.json(), path).toMatchObject({ code: 500, data: null });
      }),
    );
  });
});
