import { describe, expect, it } from 'vitest';
import type { SettledGrants } from '../../../src/domain/accounts/tokens/personal-tokens.ts';
import { failures } from '../../../src/domain/errors.ts';
import { appUnderTest } from '../../support/app.ts';
import { exampleStudent, exampleToken } from '../../support/fake-services.ts';

const headers = { authorization: `Bearer ${exampleToken}` };
const loginBody = { userid: '2023000001', password: 'pass-1', vpn_password: 'vpn-1' };
const registerBody = { ...loginBody, invite_token: 'invite-token-1' };

describe('POST /auth/login/next', () => {
  const login = { method: 'POST', url: '/auth/login/next', payload: loginBody } as const;

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

describe('logging out', () => {
  const all = { method: 'POST', url: '/auth/logout/all' } as const;

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
});

describe('POST /auth/account/delete', () => {
  const payload = { password: 'pass-1', vpn_password: 'vpn-1' };

  it.each([
    ['erased', '账号已删除'],
    ['erasing', '账号已删除，其余数据正在后台清除'],
  ] as const)('says in words whether rows remain: %s', async (outcome, message) => {
    const { app, services } = await appUnderTest();
    services.accounts.deleteAccount.returns(outcome);
    const answer = await app.inject({ method: 'POST', url: '/auth/account/delete', headers, payload });
    expect([answer.statusCode, answer.json().message, answer.json().data]).toEqual([200, message, { success: true }]);
  });

  it('a registration in the meantime is told to wait, in words', async () => {
    const { app, services } = await appUnderTest();
    services.accounts.register.fails(failures.useridErasing(60));
    const answer = await app.inject({ method: 'POST', url: '/auth/register/next', payload: registerBody });
    expect([answer.statusCode, answer.json().error.code]).toEqual([429, 'REGISTER_IN_COOLDOWN']);
    expect([answer.json().message, answer.headers['retry-after']]).toEqual([
      '该学号原账号的数据仍在清除，请稍后再注册',
      '60',
    ]);
  });
});
