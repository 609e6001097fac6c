import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { keptIn } from '../support/kept.ts';
import { ownLoginDrivers, ownLoginManifest, startOwnLoginCampus } from '../support/own-login-campus.ts';

/** An application takes the password itself. */
let campus: Awaited<ReturnType<typeof startOwnLoginCampus>>;
let gateway: Gateway;
let token: string;

const student = { userid: 'L2026001', password: 'lakeside-password' };
const other = { userid: 'L2026002', password: 'lakeside-password-2' };

beforeAll(async () => {
  campus = await startOwnLoginCampus({ showsImage: false });
  const url = Object.values(campus.origins)[0] ?? '';
  gateway = await startGateway({ drivers: ownLoginDrivers, manifest: () => ownLoginManifest(url) });
  token = await gateway.register({ ...student, vpnPassword: '' });
});

afterAll(async () => {
  await gateway.close();
  await campus.close();
});

const posts = () => campus.requests().filter(({ method }) => method === 'POST').length;
const login = (password: string, bearer?: string) => {
  const body = { userid: student.userid, password };
  return gateway.b('POST', '/auth/login/next', { body, ...(bearer === undefined ? {} : { token: bearer }) });
};

/** Who has not been refused before. */
const newcomer = (id: string) => {
  const pair = { id, password: `password of ${id}` };
  campus.addStudent(pair);
  return { userid: id, password: pair.password };
};

const register = async (body: object) => {
  const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
  return gateway.b('POST', '/auth/register/next', { body: { ...body, invite_token: invite.body.data.invite_token } });
};

describe('an own login that refuses', () => {
  it('answers with codes and words of the half `password`, and names the application', async () => {
    campus.resetRequests();
    const wrong = await register({ ...other, password: 'wrong' });
    expect([wrong.status, wrong.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'UAAP_PASSWORD_ERROR', system: 'academics', reason: 'login_refused' }),
    ]);
    expect(posts()).toBe(1);
    const refused = await login('wrong one');
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'REMOTE_CREDENTIALS_INVALID', system: 'academics', reason: 'login_refused' }),
    ]);
    const again = await login('wrong one');
    // Told without asking again, by the same application.
    expect([again.body.error.system ?? again.status, posts()]).toEqual(['academics', 2]);
    const a = await gateway.a('/user/login', { userid: student.userid, password: 'wrong one' });
    expect([a.body.code, a.body.message]).toEqual([400, expect.stringContaining('大学登录失败')]);
    expect(posts()).toBe(2);
  });

  it('says that it is closed, or that it blocks the service, to anybody', async () => {
    campus.model.says = '系统当前不在开放时间';
    const closed = await register(newcomer('L2026011'));
    expect(closed.body.error).toMatchObject({ code: 'UAAP_SERVER_ERROR', reason: 'campus_closed', retryable: false });
    expect(closed.body.error.message).toContain('不开放');
    campus.model.says = '您的IP地址已被封锁';
    const blocked = await register(newcomer('L2026013'));
    expect(blocked.body.error).toMatchObject({ code: 'UAAP_SERVER_ERROR', reason: 'campus_blocked' });
  });

  it('says that the account is locked to a caller with a token of the student alone', async () => {
    campus.model.says = '您的账号已被锁定';
    const stranger = await register(newcomer('L2026012'));
    expect([stranger.body.error.reason, stranger.body.error.code]).toEqual([undefined, 'UAAP_SERVER_ERROR']);
    const owner = await login('one more', token);
    expect([owner.status, owner.body.error.reason]).toEqual([502, 'account_locked']);
    expect(owner.body.error.message).toContain('账号被锁定');
  });

  it('tells for how long to that caller alone', async () => {
    campus.model.says = null;
    const one = newcomer('L2026016');
    const own = (await register(one)).body.data.token;
    campus.model.says = '您已超过最大登录失败次数，请在7200秒后再登录！';
    const stranger = await register(newcomer('L2026014'));
    expect(Number(stranger.headers.get('retry-after') ?? 0)).toBeLessThan(7_200);
    const body = { ...one, password: 'another' };
    const owner = await gateway.b('POST', '/auth/login/next', { body, token: own });
    expect(owner.body.error.reason).toBe('account_locked');
    expect(owner.headers.get('retry-after')).toBe('7200');
  });

  it('never names a portal that the campus has not', async () => {
    campus.model.says = null;
    // Blank: neither half is sent.
    const impossible = await register({ ...newcomer('L2026015'), password: ' ' });
    expect(impossible.body.error).toMatchObject({ code: 'UAAP_PASSWORD_ERROR', reason: 'login_refused' });
    const systems = (await gateway.b('GET', '/status', {})).body.data.systems;
    const named = systems.filter(({ state }: { state: string }) => state !== 'not-offered' && state !== 'not_offered');
    expect(named.map(({ name }: { name: string }) => name)).toEqual(['academics']);
  });

  it('has refused what another login refused before it stood alone, and no line of the log names that one', async () => {
    campus.model.says = null;
    const one = newcomer('L2026018');
    const own = (await register(one)).body.data.token;
    expect((await gateway.b('GET', '/jwc/academic/info', { token: own })).status).toBe(200);
    const { accounts } = keptIn(gateway.services.storage);
    const { version = 0 } = (await accounts.readPair(one.userid)) ?? {};
    await accounts.markPairRefused(one.userid, version, 'portal');
    campus.model.expireSessions();
    campus.resetRequests();
    const before = gateway.log().length;
    for (const headers of [{}, { 'cache-control': 'only-if-cached' }] as Record<string, string>[]) {
      const { body } = await gateway.b('GET', '/jwc/academic/info', { token: own, headers });
      expect(body.error).toMatchObject({ code: 'USER_NEED_RESET_PASSWORD', system: 'academics' });
    }
    expect(gateway.log().slice(before)).not.toContain('"portal"');
    expect(posts()).toBe(0);
  });

  it('is asked for guesses no more than any login is, while the student is served', async () => {
    campus.model.says = null;
    const one = newcomer('L2026017');
    const own = (await register(one)).body.data.token;
    campus.resetRequests();
    for (let guess = 0; guess < 12; guess += 1) {
      const body = { userid: one.userid, password: `guess ${guess}` };
      expect([403, 429]).toContain((await gateway.b('POST', '/auth/login/next', { body })).status);
    }
    expect(posts()).toBeLessThanOrEqual(3);
    expect((await gateway.b('GET', '/jwc/academic/info', { token: own })).status).toBe(200);
    const right = await gateway.b('POST', '/auth/login/next', { body: one, token: own });
    expect(right.status).toBe(200);
  });
});
