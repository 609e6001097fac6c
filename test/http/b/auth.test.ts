import { describe, expect, it } from 'vitest';
import type { SettledGrants } from '../../../src/domain/accounts/grants.ts';
import { Failure, type FailureKind } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleStudent, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
const loginBody = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const pair = { password: 'pass-1', vpnPassword: 'vpn-1' };
const registerBody = { ...loginBody, invite_token: 'invite-token-1' };
const timestamp = '2026-03-18 10:00:00';

describe('POST /auth/login/next', () => {
  const login = { method: 'POST', url: '/auth/login/next', payload: loginBody } as const;

  it('signs in with the submitted pair and answers the token', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject(login);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(
      `{"success":true,"message":"登录成功","data":{"token":"${exampleToken}"},"error":null,"timestamp":"${timestamp}"}`,
    );
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const [[entry, context] = []] = services.accounts.login.calls;
    expect(entry).toEqual({ userid: '2023000001', pair });
    expect(context?.traceId).toBe(answer.headers['x-trace-id']);
    expect(context?.address).toBe('127.0.0.1');
  });

  it.each<[FailureKind, object, number, string, string, object?]>([
    ['user-unknown', {}, 403, 'CREDENTIALS_INVALID', '凭证无效', { reason: 'unknown_user' }],
    ['login-cool-down', { retryAfterSeconds: 42 }, 429, 'COOLDOWN', '操作过于频繁，请稍后再试'],
    ['rate-limited', { retryAfterSeconds: 42 }, 429, 'COOLDOWN', '操作过于频繁，请稍后再试'],
    [
      'credentials-refused',
      { step: 'portal' },
      403,
      'REMOTE_CREDENTIALS_INVALID',
      '远程凭证无效，VPN密码或登录密码错误',
      { system: 'portal', reason: 'portal_refused' },
    ],
    [
      'credentials-refused',
      { step: 'unified-login' },
      403,
      'REMOTE_CREDENTIALS_INVALID',
      '远程凭证无效，VPN密码或登录密码错误',
      { system: 'unified-login', reason: 'login_refused' },
    ],
    ['sign-in-guarded', { step: 'portal', retryAfterSeconds: 42 }, 502, 'REMOTE_SERVICE_ERROR', '远程服务错误'],
    ['sign-in-unavailable', { step: 'portal', retryAfterSeconds: 42 }, 502, 'REMOTE_SERVICE_ERROR', '远程服务错误'],
    ['timed-out', { step: 'portal' }, 504, 'TIMEOUT', '请求远程服务超时'],
    ['storage-failed', {}, 500, 'SERVER_ERROR', '服务器错误'],
  ])('answers %s %o with %i %s', async (kind, details, status, code, message, facts = {}) => {
    const { app, services } = await appUnderTest();
    services.accounts.login.fails(new Failure(kind, details));
    const answer = await app.inject(login);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({
      success: false,
      message,
      data: null,
      error: { message, code, trace_id: answer.headers['x-trace-id'], retryable: false, ...facts },
      timestamp,
    });
    expect(answer.headers['retry-after']).toBe('retryAfterSeconds' in details ? '42' : undefined);
  });

  it.each([
    [undefined, undefined],
    ['feeds', ['feeds']],
    [' Hooks , FEEDS,,tokens', ['feeds', 'hooks', 'tokens']],
    ['', []],
    ['nothing that is known', []],
  ])('understands X-Keep: %s', async (said, keep) => {
    const { app, services } = await appUnderTest();
    services.accounts.login.returns({ token: exampleToken, grants: { kept: {}, ended: { feeds: 3 } } });
    const answer = await app.inject({ ...login, headers: said === undefined ? {} : { 'x-keep': said } });
    expect(services.accounts.login.calls[0]?.[0].keep).toEqual(keep);
    expect(answer.json().data).toEqual({ token: exampleToken });
    expect(answer.headers['x-ended']).toBe('feeds=3');
    expect(answer.headers).not.toHaveProperty('x-kept');
  });

  it('reports every defect of the body at once and never a value of it', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ ...login, payload: { userid: 7, password: '' } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().error.code).toBe('VALIDATION_ERROR');
    expect(answer.json().message).toBe('请求参数验证错误');
    expect(answer.json().error.details).toHaveLength(3);
    expect(answer.json().error.details).toEqual(
      expect.arrayContaining([
        { loc: ['body', 'userid'], msg: 'Input should be a valid string', type: 'string_type' },
        {
          loc: ['body', 'password'],
          msg: 'String should have at least 1 characters',
          type: 'string_too_short',
          ctx: { min_length: 1 },
        },
        { loc: ['body', 'vpn_password'], msg: 'Field required', type: 'missing' },
      ]),
    );
    expect(services.accounts.login.calls).toEqual([]);
  });

  it.each([
    ['userid', 20],
    ['password', 256],
    ['vpn_password', 256],
  ])('takes %s up to %i characters, counted as characters', async (member, limit) => {
    const { app } = await appUnderTest();
    const send = (value: string) => app.inject({ ...login, payload: { ...loginBody, [member]: value } });
    expect((await send('𝒳'.repeat(limit))).statusCode).toBe(200);
    const refused = await send('a'.repeat(limit + 1));
    expect(refused.statusCode).toBe(422);
    expect(refused.json().error.details).toEqual([
      {
        loc: ['body', member],
        msg: `String should have at most ${limit} characters`,
        type: 'string_too_long',
        ctx: { max_length: limit },
      },
    ]);
  });

  it('ignores unknown members, __proto__ among them', async () => {
    const { app, services } = await appUnderTest();
    const payload = `{"userid":"a1","password":"p","vpn_password":"v","extra":1,"__proto__":{"userid":"x"},"constructor":{"prototype":{}}}`;
    const answer = await app.inject({ ...login, payload, headers: { 'content-type': 'application/json' } });
    expect(answer.statusCode).toBe(200);
    expect(services.accounts.login.calls[0]?.[0]).toEqual({
      userid: 'a1',
      pair: { password: 'p', vpnPassword: 'v' },
    });
  });
});

describe('POST /auth/register/invite', () => {
  const invite = { method: 'POST', url: '/auth/register/invite', payload: { invite_code: 'CODE-1' } } as const;

  it('answers an invite token', async () => {
    const { app, services } = await appUnderTest();
    services.accounts.verifyInviteCode.returns({ inviteToken: 'it-1' });
    const answer = await app.inject(invite);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ success: true, message: '邀请码验证成功', data: { invite_token: 'it-1' } });
    expect(services.accounts.verifyInviteCode.calls[0]?.[0]).toBe('CODE-1');
  });

  it.each<[FailureKind, number, string, string]>([
    ['invite-code-invalid', 403, 'INVITE_CODE_INVALID', '邀请码错误'],
    ['rate-limited', 429, 'COOLDOWN', '请求过于频繁，请稍后再试'],
  ])('answers %s with %i %s', async (kind, status, code, message) => {
    const { app, services } = await appUnderTest();
    services.accounts.verifyInviteCode.fails(new Failure(kind));
    const answer = await app.inject(invite);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().error).toMatchObject({ code, message });
  });
});

describe('POST /auth/register/next', () => {
  const register = { method: 'POST', url: '/auth/register/next', payload: registerBody } as const;

  it('registers and answers a bearer token', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject(register);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ message: '注册成功', data: { token: exampleToken } });
    expect(services.accounts.register.calls[0]?.[0]).toEqual({
      userid: '2023000001',
      pair,
      inviteToken: 'invite-token-1',
    });
  });

  it.each<[FailureKind, object, number, string]>([
    ['registration-cool-down', { retryAfterSeconds: 299 }, 429, 'REGISTER_IN_COOLDOWN'],
    ['rate-limited', {}, 429, 'COOLDOWN'],
    ['invite-token-invalid', {}, 403, 'TOKEN_INVALID'],
    ['userid-taken', {}, 409, 'USERID_EXISTS'],
    ['credentials-refused', { step: 'portal' }, 400, 'EC_PASSWORD_ERROR'],
    ['credentials-refused', { step: 'unified-login' }, 400, 'UAAP_PASSWORD_ERROR'],
    ['sign-in-unavailable', { step: 'portal' }, 502, 'EC_SERVER_ERROR'],
    ['sign-in-guarded', { step: 'portal', retryAfterSeconds: 60 }, 502, 'EC_SERVER_ERROR'],
    ['sign-in-unavailable', { step: 'unified-login' }, 502, 'UAAP_SERVER_ERROR'],
    ['sign-in-guarded', { step: 'unified-login' }, 502, 'UAAP_SERVER_ERROR'],
    ['person-needed', { step: 'portal', wanted: 'sms' }, 403, 'PERSON_NEEDED'],
    ['timed-out', {}, 504, 'TIMEOUT'],
    ['storage-failed', {}, 500, 'SERVER_ERROR'],
  ])('answers %s %o with %i %s', async (kind, details, status, code) => {
    const { app, services } = await appUnderTest();
    services.accounts.register.fails(new Failure(kind, details));
    const answer = await app.inject(register);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().error.code).toBe(code);
    if (status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each([
    ['en', 'Only letters and digits are allowed'],
    ['zh', '只能包含字母和数字'],
  ])('answers a malformed student id as a defect of that member, in words: %s', async (language, msg) => {
    const { app, services } = await appUnderTest();
    const payload = { ...register.payload, userid: '2023-0001' };
    const answer = await app.inject({ ...register, payload, headers: { 'accept-language': language } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.json().error.details).toEqual([
      { loc: ['body', 'userid'], msg, type: 'string_pattern_mismatch', ctx: { pattern: '^[0-9A-Za-z]{1,20}$' } },
    ]);
    expect(services.accounts.register.calls).toEqual([]);
    const login = { ...register, url: '/auth/login/next' };
    expect((await app.inject({ ...login, payload })).statusCode).toBe(200);
  });
});

describe('bearer tokens', () => {
  const check = (authorization?: string) => ({
    url: '/auth/authme/token',
    ...(authorization === undefined ? {} : { headers: { authorization } }),
  });

  it('are checked in storage and tell their owner', async () => {
    const { app } = await appUnderTest();
    const answer = await app.inject(check(`Bearer ${exampleToken}`));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      success: true,
      message: 'Token 验证成功',
      data: { success: true, userid: '2023000001' },
      error: null,
      timestamp,
    });
  });

  it.each<[FailureKind, number, string, string]>([
    ['token-user-gone', 401, 'INVALID_AUTHENTICATION', '无效的认证信息'],
    ['storage-failed', 500, 'SERVER_ERROR', '服务器错误'],
  ])('answer %s with %i', async (kind, status, code, message) => {
    const { app, services } = await appUnderTest();
    services.accounts.authenticate.fails(new Failure(kind));
    const answer = await app.inject(check(`Bearer ${exampleToken}`));
    expect(answer.statusCode).toBe(status);
    expect(answer.json().error).toMatchObject({ code, message });
  });
});

describe('logging out', () => {
  it('revokes the token of the call', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ method: 'POST', url: '/auth/logout', headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ success: true, data: { success: true }, error: null });
    expect(services.accounts.logout.calls).toEqual([[exampleStudent]]);
  });

  it('revokes all tokens when asked to', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ method: 'POST', url: '/auth/logout/all', headers });
    expect(answer.json().data).toEqual({ success: true });
    expect(services.accounts.logoutAll.calls).toEqual([[exampleStudent, undefined]]);
    expect(answer.headers).not.toHaveProperty('x-kept');
    expect(answer.headers).not.toHaveProperty('x-ended');
  });

  const all = { method: 'POST', url: '/auth/logout/all' } as const;

  it.each([
    ['nothing of a type that is not JSON', { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '0' }, ''],
    ['nothing that says it is JSON', { 'content-type': 'application/json' }, ''],
    ['no member', {}, {}],
    ['members that are unknown', {}, { keeps: [] }],
  ])('revokes all tokens when %s is sent', async (_what, more, payload) => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ ...all, headers: { ...headers, ...more }, payload });
    expect(answer.statusCode).toBe(200);
    expect(services.accounts.logoutAll.calls).toEqual([[exampleStudent, undefined]]);
  });

  it.each<[string[], SettledGrants, object]>([
    [['feeds'], { kept: { feeds: 2 }, ended: {} }, { 'x-kept': 'feeds=2' }],
    [[], { kept: {}, ended: { feeds: 1 } }, { 'x-ended': 'feeds=1' }],
  ])('keeps what %j names, and says what stayed and what ended', async (keep, grants, told) => {
    const { app, services } = await appUnderTest();
    services.accounts.logoutAll.returns(grants);
    const answer = await app.inject({ ...all, headers, payload: { keep } });
    expect(services.accounts.logoutAll.calls).toEqual([[exampleStudent, keep]]);
    const { 'x-kept': kept, 'x-ended': ended } = answer.headers;
    expect({ ...(kept && { 'x-kept': kept }), ...(ended && { 'x-ended': ended }) }).toEqual(told);
  });

  it.each([[['hook']], ['feeds'], [null], [Array.from({ length: 11 }, () => 'feeds')]])(
    'ends nothing when told to keep %j',
    async (keep) => {
      const { app, services } = await appUnderTest();
      const answer = await app.inject({ ...all, headers, payload: { keep } });
      expect(answer.statusCode).toBe(422);
      expect(services.accounts.logoutAll.calls).toEqual([]);
    },
  );
});

describe.each([
  ['DELETE', '/auth/account'],
  ['POST', '/auth/account/delete'],
] as const)('%s %s', (method, url) => {
  const payload = { password: 'pass-1', vpn_password: 'vpn-1' };

  it('erases the account after both passwords', async () => {
    const { app, services } = await appUnderTest();
    const answer = await app.inject({ method, url, headers, payload });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toEqual({ success: true });
    expect(services.accounts.deleteAccount.calls[0]?.slice(0, 2)).toEqual([exampleStudent, pair]);
  });

  it.each<[FailureKind, number, string]>([
    ['account-proof-refused', 403, 'CREDENTIALS_INVALID'],
    ['login-cool-down', 429, 'COOLDOWN'],
  ])('answers %s with %i %s', async (kind, status, code) => {
    const { app, services } = await appUnderTest();
    services.accounts.deleteAccount.fails(new Failure(kind));
    const answer = await app.inject({ method, url, headers, payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.json().error.code).toBe(code);
  });

  it('needs both passwords and a token', async () => {
    const { app, services } = await appUnderTest();
    expect((await app.inject({ method, url, headers, payload: { password: 'p' } })).statusCode).toBe(422);
    expect((await app.inject({ method, url, payload })).statusCode).toBe(401);
    expect(services.accounts.deleteAccount.calls).toEqual([]);
  });
});
