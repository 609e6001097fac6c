import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Seaside } from '../../src/demo/seaside/campus.ts';
import type { DemoMessage } from '../../src/demo/types.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A campus whose unified login may want an image or a code, in front of the academic system of the first one. */
let gateway: Gateway;
let campus: Seaside;
let clock: ManualClock;
let shown: DemoMessage[];

const student = { userid: 'S2026001', password: 'seaside-password' };

beforeEach(async () => {
  clock = new ManualClock();
  shown = [];
  const onMessage = (message: DemoMessage) => void shown.push(message);
  gateway = await startGateway({ clock, env: { CAMPUS: 'demo-seaside', STALE_IF_PERSON_SECONDS: '0' }, onMessage });
  const model = gateway.services.simulated?.model;
  if (!(model instanceof Seaside)) throw new Error('no simulator');
  campus = model;
  campus.switches.datesMove = false;
});
afterEach(() => gateway.close());

const passwords = (): number =>
  (gateway.services.simulated?.requests() ?? []).filter(
    ({ method, path }) => method === 'POST' && path === '/authserver/login',
  ).length;

const beginRegistration = async () => {
  const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
  const { invite_token } = invite.body.data;
  return gateway.b('POST', '/auth/register/next', { body: { ...student, invite_token } });
};

const answered = async ({ body }: { body: { data: { challenge: { id: string; kind: string } } } }) => {
  const { id, kind } = body.data.challenge;
  if (kind === 'sms') await gateway.b('POST', `/auth/challenges/${id}/send`, { body: {} });
  const answer = kind === 'totp' ? campus.login.totp({ id: student.userid }) : shown.at(-1)?.text.replace(/\D+ /, '');
  return gateway.b('POST', `/auth/challenges/${id}/answer`, { body: { answer } });
};

it('registers a student, and reads on both surfaces', async () => {
  const token = await gateway.register({ ...student, vpnPassword: '' });
  expect(passwords()).toBe(1);
  const reads = ['/jwc/academic/info', '/jwc/term/all', '/jwc/term/current', '/jwc/exam/info'];
  for (const path of reads) expect([path, (await gateway.b('GET', path, { token })).status]).toEqual([path, 200]);
  const { term_code } = (await gateway.b('GET', '/jwc/term/current', { token })).body.data;
  for (const path of [`/jwc/schedule/${term_code}/table`, `/jwc/score/${term_code}/list`]) {
    expect([path, (await gateway.b('GET', path, { token })).status]).toEqual([path, 200]);
  }
  const { login } = (await gateway.b('GET', '/campus')).body.data;
  expect(login.challenges).toEqual(['captcha', 'sms', 'totp', 'elsewhere']);
  const { body } = await gateway.a('/jwc/fetch_academic_info', { token });
  expect([body.code, JSON.stringify(body.data).length > 20]).toEqual([200, true]);
  expect(passwords()).toBe(1);
});

it.each([
  ['captcha', { image: 'always' }],
  ['sms', { reauth: '3' }],
  ['totp', { reauth: '10' }],
] as const)('registers under %s, and renews by hand once the session has ended', async (kind, switches) => {
  Object.assign(campus.login.switches, switches);
  const met = await beginRegistration();
  expect([met.status, met.body.error.code]).toEqual([428, 'LOGIN_CHALLENGE']);
  expect(met.body.data.challenge).toMatchObject({ step: 'unified-login', kind });
  const registered = await answered(met);
  expect(registered.status).toBe(200);
  expect(passwords()).toBe(1);
  const { token } = registered.body.data;
  expect((await gateway.b('GET', '/jwc/term/all', { token })).status).toBe(200);
  // Both sessions end: no read posts a password twice, or asks for a code.
  clock.advance(10 * 60_000);
  campus.expireSessions();
  campus.expireLogins();
  gateway.services.simulated?.resetRequests();
  for (let time = 0; time < 5; time += 1) {
    const read = await gateway.b('GET', '/jwc/term/all', { token });
    expect([read.status, read.body.error.code]).toEqual([403, 'PERSON_NEEDED']);
  }
  expect([passwords(), campus.login.codes.length]).toEqual([0, kind === 'sms' ? 1 : 0]);
  clock.advance(10 * 60_000);
  const renewal = await gateway.b('POST', '/auth/challenges', { token });
  expect([renewal.status, renewal.body.data.challenge.kind]).toEqual([200, kind]);
  expect((await answered(renewal)).status).toBe(200);
  expect((await gateway.b('GET', '/jwc/term/all', { token })).status).toBe(200);
});

it('says of a firewall that it is not the password, and stores nothing', async () => {
  campus.login.switches.passwordStatus = 403;
  const { status, body } = await beginRegistration();
  expect([status, body.error.code, body.data]).toEqual([502, 'UAAP_SERVER_ERROR', null]);
  expect(passwords()).toBe(1);
});

it('says of a wrong password and a frozen account what each surface says, and asks once', async () => {
  const token = await gateway.register({ ...student, vpnPassword: '' });
  gateway.services.simulated?.resetRequests();
  const wrong = { ...student, password: 'wrong' };
  const refused = await gateway.b('POST', '/auth/login/next', { body: wrong });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'REMOTE_CREDENTIALS_INVALID']);
  expect((await gateway.b('POST', '/auth/login/next', { body: wrong })).status).toBe(403);
  expect(passwords()).toBe(1);
  campus.login.switches.frozen = true;
  clock.advance(60 * 60_000);
  campus.expireSessions();
  campus.expireLogins();
  const read = await gateway.b('GET', '/jwc/term/all', { token });
  expect([read.status, read.body.data]).toEqual([502, null]);
});

const ofA = (path: string, body: object) => gateway.a(path, body);
const pairOfA = { userid: student.userid, password: student.password, vpn_password: '' };
const registerOnA = async (more: object = {}) => {
  const invite = await ofA('/user/veryfy_invite_code', { invite_code: 'DEMO-2026' });
  return ofA('/user/register', { ...pairOfA, invite_token: invite.body.data.invite_token, ...more });
};

describe('surface A says in words', () => {
  it.each<[string, object, object, number, string]>([
    ['a wrong password', {}, { password: 'wrong' }, 400, '大学登录失败'],
    ['an image', { image: 'always' }, {}, 428, '图形验证码'],
    ['a code by SMS', { reauth: '3' }, {}, 428, '短信验证码'],
    ['a one-time password', { reauth: '10' }, {}, 428, '动态'],
    ['a step that is taken elsewhere', { reauth: '4' }, {}, 403, '统一身份认证网页'],
    ['a demand for the student’s particulars', { profile: true }, {}, 403, '统一身份认证网页'],
    ['a slider', { image: 'always', imageKind: 'slider' }, {}, 403, '统一身份认证网页'],
    // A stranger learns nothing of the account.
    ['a frozen account', { frozen: true }, {}, 500, '校园网络暂不可用'],
    ['a firewall', { passwordStatus: 412, passwordText: '' }, {}, 500, '拒绝了本服务的访问'],
    ['a blocked address', { words: '您的IP地址已被封锁' }, {}, 500, '拒绝了本服务的访问'],
    ['a closed login', { words: '系统当前不在开放时间' }, {}, 500, '不开放'],
  ])('%s at a registration', async (_what, switches, more, code, words) => {
    Object.assign(campus.login.switches, switches);
    const { body } = await registerOnA(more);
    expect([body.code, body.message]).toEqual([code, expect.stringContaining(words)]);
    expect(body.message).not.toMatch(/VPN|门户/);
    expect(passwords()).toBeLessThanOrEqual(1);
  });

  it('a lock to a caller with a token of the student, by a read', async () => {
    const { body } = await registerOnA();
    const token = body.data.authme_token;
    campus.login.switches.frozen = true;
    clock.advance(60 * 60_000);
    campus.expireSessions();
    campus.expireLogins();
    const read = await ofA('/jwc/fetch_all_terms', { token });
    expect([read.body.code, read.body.message]).toEqual([500, expect.stringContaining('账号被锁定')]);
  });
});
