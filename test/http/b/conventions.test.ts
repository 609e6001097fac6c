import { describe, expect, it } from 'vitest';
import { failures } from '../../../src/domain/errors.ts';
import { appUnderTest, overloadedApp } from '../../support/app.ts';
import { exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
const loginBody = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const login = { method: 'POST', url: '/auth/login/next' } as const;
const traceForm = /^[0-9a-f]{32}$/;

describe('every answer', () => {
  it.each([
    ['an unknown path', { url: '/nowhere' }, 404],
    ['an undecodable path', { url: '/jwc/%ff' }, 404],
    ['a missing token', { url: '/auth/authme/token' }, 401],
    [
      'a preflight',
      {
        method: 'OPTIONS' as const,
        url: '/auth/logout',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
      },
      204,
    ],
    ['the documentation', { url: '/docs' }, 200],
  ])('has a trace id and a process time: %s', async (_name, request, status) => {
    const { app } = await appUnderTest();
    const answer = await app.inject(request);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['x-trace-id']).toMatch(traceForm);
    expect(answer.headers['x-process-time']).toMatch(/^\d+\.\d+$/);
  });

  it('has a new trace id, also when the client sends one', async () => {
    const { app } = await appUnderTest();
    const mine = '0'.repeat(32);
    const ask = () => app.inject({ url: '/nowhere', headers: { 'x-trace-id': mine, 'request-id': mine } });
    const [first, second] = [await ask(), await ask()];
    expect(new Set([mine, first.headers['x-trace-id'], second.headers['x-trace-id']]).size).toBe(3);
    expect(first.json().error.trace_id).toBe(first.headers['x-trace-id']);
  });

  it('carries campus time, not the time of the host', async () => {
    const { app, services } = await appUnderTest();
    expect((await app.inject('/alive')).json().timestamp).toBe('2026-03-18 10:00:00');
    services.clock.advance(14 * 3_600_000 + 1_000);
    expect((await app.inject('/alive')).json().timestamp).toBe('2026-03-19 00:00:01');
  });
});

describe('unknown paths and wrong methods', () => {
  it('are answered with a detail below /api/v1', async () => {
    const { app } = await appUnderTest();
    for (const url of ['/api/v1/nowhere', '/api/v1/%ff', '/api/v1/user/%E0%A4%A']) {
      const broken = await app.inject({ method: 'POST', url });
      expect([broken.statusCode, broken.body]).toEqual([404, '{"detail":"Not Found"}']);
    }
  });

  it('belong to the surface by whole path segments', async () => {
    const { app } = await appUnderTest();
    expect((await app.inject('/api/v10')).json().error.code).toBe('NOT_FOUND');
    expect((await app.inject('/api/v1?x=1')).json()).toEqual({ detail: 'Not Found' });
  });

  it('stay what they are when a broken body is sent along', async () => {
    const { app } = await appUnderTest();
    const broken = { payload: '{broken', headers: { 'content-type': 'application/json' } };
    expect((await app.inject({ method: 'POST', url: '/nowhere', ...broken })).statusCode).toBe(404);
    expect((await app.inject({ method: 'PUT', url: '/auth/login/next', ...broken })).statusCode).toBe(405);
  });
});

describe('request bodies', () => {
  const send = async (payload: string | Buffer, contentType?: string) => {
    const { app } = await appUnderTest();
    return app.inject({ ...login, payload, ...(contentType ? { headers: { 'content-type': contentType } } : {}) });
  };

  it.each([
    [undefined, 'Field required'],
    ['en', 'Field required'],
    ['zh', '缺少必填字段'],
    ['zh-CN,zh;q=0.9,en;q=0.8', '缺少必填字段'],
    ['en-GB,zh;q=0.9', 'Field required'],
  ])('are told what they miss in the language of Accept-Language: %s', async (language, msg) => {
    const { app } = await appUnderTest();
    const headers = language === undefined ? {} : { 'accept-language': language };
    const answer = await app.inject({ ...login, payload: { ...loginBody, userid: undefined }, headers });
    expect(answer.json().error.details).toEqual([{ loc: ['body', 'userid'], msg, type: 'missing' }]);
  });

  it('with more than 2,000 structural characters are refused like ones that are too large', async () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect((await send(deep(1_000), 'application/json')).statusCode).toBe(422);
    const member = (depth: number) => `{"userid":"a1","password":"p{[,:","vpn_password":"v","extra":${deep(depth)}}`;
    expect((await send(member(995), 'application/json')).statusCode).toBe(200);
    for (const body of [deep(1_001), member(996), '['.repeat(60_000)]) {
      const answer = await send(body, 'application/json');
      expect([answer.statusCode, answer.json().error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    }
  });

  it('beyond the limit are refused', async () => {
    const around = JSON.stringify({ ...loginBody, filler: '' }).length;
    const ofSize = (size: number) => JSON.stringify({ ...loginBody, filler: 'x'.repeat(size - around) });
    expect((await send(ofSize(65_536), 'application/json')).statusCode).toBe(200);
    const answer = await send(ofSize(65_537), 'application/json');
    expect(answer.statusCode).toBe(413);
    expect(answer.json().error).toMatchObject({ code: 'BODY_TOO_LARGE', message: '请求体过大' });
  });

  it('are not looked at before the token is known to be good', async () => {
    const { app, services } = await appUnderTest();
    const request = { method: 'POST', url: '/auth/account/delete', payload: '{broken' } as const;
    const json = { 'content-type': 'application/json' };
    expect((await app.inject({ ...request, headers: json })).statusCode).toBe(401);
    expect((await app.inject({ ...request, headers: { ...json, ...headers } })).statusCode).toBe(422);
    services.accounts.authenticate.fails(failures.storageFailed());
    expect((await app.inject({ ...request, headers: { ...json, ...headers } })).statusCode).toBe(500);
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  const preflight = (asked = origin) => ({
    method: 'OPTIONS' as const,
    url: '/jwc/term/all',
    headers: {
      origin: asked,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });

  it('is open without credentials by default', async () => {
    const { app } = await appUnderTest();
    const answer = await app.inject(preflight());
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '600',
      'access-control-expose-headers':
        'X-Trace-Id, X-Process-Time, Retry-After, Age, Cache-Status, ETag, Vary, X-Kept, X-Ended, X-Poll-After',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('allows credentials to listed origins only', async () => {
    const { app } = await appUnderTest({}, { corsOrigins: [origin] });
    expect((await app.inject(preflight())).headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
    });
    const other = await app.inject(preflight('https://other.example'));
    expect(other.statusCode).toBe(204);
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    expect(other.headers['access-control-allow-credentials']).toBeUndefined();
    expect(other.headers.vary).toContain('Origin');
  });
});

describe('OPTIONS', () => {
  const options = (url: string, headers = {}) => ({ method: 'OPTIONS' as const, url, headers });

  it.each(['/nowhere', '/api/v1/nowhere'])('is a 404 of its surface where there is no path: %s', async (url) => {
    const { app } = await appUnderTest();
    const [asked, got] = [await app.inject(options(url)), await app.inject({ url })];
    expect(asked.statusCode).toBe(404);
    expect(Object.keys(asked.json())).toEqual(Object.keys(got.json()));
  });

  it('succeeds as a preflight even there, so that the page may read the 404 of its call', async () => {
    const { app } = await appUnderTest();
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    expect((await app.inject(options('/nowhere', headers))).statusCode).toBe(204);
    const { statusCode, headers: said } = await app.inject({ url: '/nowhere', headers });
    expect([statusCode, said['access-control-allow-origin']]).toEqual([404, '*']);
  });
});

describe('home and health', () => {
  it('is alive while storage is down, but not ready', async () => {
    const { app, services } = await appUnderTest();
    const alive = {
      success: true,
      message: 'service is alive',
      data: { message: 'service is alive' },
      error: null,
      timestamp: '2026-03-18 10:00:00',
    };
    expect((await app.inject('/alive')).json()).toEqual(alive);
    expect((await app.inject('/ready')).json().data).toEqual({ message: '服务已就绪' });
    services.ready.returns(false);
    expect((await app.inject('/alive')).json()).toEqual(alive);
    const ready = await app.inject('/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ success: false, data: null, error: { code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(ready.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('overload', () => {
  it.each([
    { graceMs: 60_000, status: 200, does: 'turns nobody away' },
    { graceMs: 0, status: 503, does: 'is told by the readings again once these are over' },
  ])('in the first moments after a start $does: $graceMs ms', async ({ graceMs, status }) => {
    const { app } = await overloadedApp({ graceMs });
    await app.listen({ host: '127.0.0.1', port: 0 });
    expect((await app.inject({ url: '/jwc/term/all', headers })).statusCode).toBe(status);
    await app.close();
  });
});

describe('limits', () => {
  it('end the calls of one address that show no known token, and leave known ones alone', async () => {
    const { app } = await appUnderTest({ limits: { anonymousPerMinute: 2 } });
    for (const url of ['/nowhere', '/auth/authme/token']) expect((await app.inject(url)).statusCode).toBeLessThan(429);
    for (const url of ['/nowhere', '/auth/authme/token', '/a/%ff']) {
      const answer = await app.inject(url);
      expect(answer.statusCode).toBe(429);
      expect(answer.json().error.code).toBe('COOLDOWN');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    const other = await app.inject({ method: 'POST', url: '/api/v1/nowhere' });
    expect([other.statusCode, other.json().code]).toEqual([429, 429]);
    expect((await app.inject('/alive')).statusCode).toBe(200);
    const elsewhere = await app.inject({ url: '/nowhere', remoteAddress: '10.0.0.9' });
    expect(elsewhere.statusCode).toBe(404);
    expect((await app.inject({ url: '/jwc/term/all', headers })).statusCode).toBe(200);
  });

  it('count no address for a token that could not be looked up', async () => {
    const { app, services } = await appUnderTest({ limits: { anonymousPerMinute: 1 } });
    services.accounts.authenticate.fails(failures.storageFailed());
    const b = async () => (await app.inject({ url: '/jwc/term/all', headers })).statusCode;
    expect([await b(), await b(), await b()]).toEqual([500, 500, 500]);
    expect((await app.inject('/nowhere')).statusCode).toBe(404);
  });

  it('count each known token, and its student over all of them and both surfaces, half as many again as for one', async () => {
    const { app, services } = await appUnderTest({ limits: { knownPerMinute: 4 } });
    services.accounts.authenticate.does(async (token) => ({ userid: token.slice(0, 3) }));
    const b = async (token: string) =>
      (await app.inject({ url: '/jwc/term/all', headers: { authorization: `Bearer ${token}` } })).statusCode;
    const a = async (token: string) =>
      (await app.inject({ method: 'POST', url: '/api/v1/user/authme', payload: { token } })).json().code;
    expect([await b('one1'), await b('one1'), await b('one1'), await a('one2'), await a('one2')]).toEqual(
      Array.from({ length: 5 }, () => 200),
    );
    expect([await b('one3'), await b('one3'), await a('one2'), await a('one4')]).toEqual([200, 429, 429, 429]);
    const ofOneToken: number[] = [];
    for (let call = 0; call < 5; call += 1) ofOneToken.push(await b('two1'));
    expect([...ofOneToken, await a('two2')]).toEqual([200, 200, 200, 200, 429, 200]);
  });

  it('leave it to the owner to see and end tokens, no matter what another token of the student has used up', async () => {
    const { app, services } = await appUnderTest({ limits: { knownPerMinute: 4 } });
    services.accounts.authenticate.does(async (token) => ({ userid: token.slice(0, 3) }));
    const call = async (token: string, url: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') =>
      (await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } })).statusCode;
    for (const thief of ['one1', 'one2']) for (let at = 0; at < 4; at += 1) await call(thief, '/jwc/term/all');
    expect(await call('one3', '/jwc/term/all')).toBe(429);
    const owner = ['one3', 'one4'] as const;
    expect([
      await call(owner[0], '/auth/sessions'),
      await call(owner[0], '/auth/sessions/5f2c8a1e9b3d4706', 'DELETE'),
      await call(owner[0], '/auth/tokens'),
      await call(owner[1], '/auth/tokens/5f2c8a1e9b3d4706', 'DELETE'),
      await call(owner[1], '/auth/logout/all', 'POST'),
      await call(owner[1], '/auth/logout', 'POST'),
    ]).not.toContain(429);
    // A token's own limit stays, and these calls use up nothing of the others.
    for (let at = 0; at < 5; at += 1) await call('two1', '/auth/sessions');
    expect([await call('two1', '/auth/sessions'), await call('two2', '/jwc/term/all')]).toEqual([429, 200]);
  });
});

describe('the total deadline', () => {
  it('ends a call whose work does not end by itself', async () => {
    const { app, services } = await appUnderTest({}, { requestTimeoutMs: 20 });
    services.academics.terms.does(() => new Promise(() => {}));
    const answer = await app.inject({ url: '/jwc/term/all', headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([504, 'TIMEOUT']);
    const signal = services.academics.terms.calls[0]?.[1].signal;
    expect(signal?.reason).toMatchObject({ kind: 'timed-out' });
  });
});
