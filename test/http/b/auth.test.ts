import { describe, expect, it } from 'vitest';
import type { SettledGrants } from '../../../src/domain/accounts/grants.ts';
import { Failure, type FailureKind } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleStudent, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
const loginBody = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const pair = { password: 'pass-1', vpnPassword: 'vpn-1' };
const registerBody = { ...loginBody, invite_token: 'invite-token-1' };

describe('POST /auth/login/next', () => {
  const login = { method: 'POST', url: '/auth/login/next', payload: loginBody } as const;

  it.each<[FailureKind, number, string]>([
    ['login-cool-down', 429, 'COOLDOWN'],
    ['rate-limited', 429, 'COOLDOWN'],
    ['storage-failed', 503, 'SERVICE_UNAVAILABLE'],
  ])('answers %s with %i %s, and the wait that is known', async (kind, status, code) => {
    const { app, services } = await appUnderTest();
    services.accounts.login.fails(new Failure(kind, { retryAfterSeconds: 42 }));
    const answer = await app.inject(login);
    expect([answer.statusCode, answer.json().error.code, answer.json().data]).toEqual([status, code, null]);
    expect(answer.headers['retry-after']).toBe('42');
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
});

describe('POST /auth/register/next', () => {
  const register = { method: 'POST', url: '/auth/register/next', payload: registerBody } as const;

  it.each<[FailureKind, object, number, string]>([
    ['rate-limited', {}, 429, 'COOLDOWN'],
    ['sign-in-guarded', { step: 'unified-login' }, 502, 'UAAP_SERVER_ERROR'],
    ['person-needed', { step: 'portal', wanted: 'sms' }, 403, 'PERSON_NEEDED'],
    ['storage-failed', {}, 500, 'SERVER_ERROR'],
  ])('answers %s %o with %i %s', async (kind, details, status, code) => {
    const { app, services } = await appUnderTest();
    services.accounts.register.fails(new Failure(kind, details));
    const answer = await app.inject(register);
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
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
});
