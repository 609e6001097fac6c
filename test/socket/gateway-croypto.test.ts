import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decryptCroypto } from '../../src/demo/crypto.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';

it('the simulator reads what the product sends, and nothing else', () => {
  const [des, aes] = ['ASNFZ4mrze8=', 'ASNFZ4mrze8BI0VniavN7w=='];
  expect(decryptCroypto('Ygzf54yakmS8BAV4K+WDaQ==', des)).toBe('demo-password');
  expect(decryptCroypto('bEWFAbens/cQdOUfuV91nw==', aes)).toBe('demo-password');
  expect([decryptCroypto('Ygzf54yakmS8BAV4K+WDaQ==', aes), decryptCroypto('demo-password', des)]).toEqual([null, null]);
});

describe.each(['des', 'aes'] as const)('a unified login whose page hands out a key for %s', (cipher) => {
  const student = { userid: '2023000001', password: 'demo-password', vpnPassword: 'demo-vpn' };
  let gateway: Gateway;
  let token: string;

  beforeAll(async () => {
    gateway = await startGateway({
      manifest: ({ vpnUrl, vpnDomain, casUrl, jwcUrl, jwcService }) => ({
        name: { zh: '小城大学', en: 'Small Town University' },
        time_zone: 'Asia/Shanghai',
        portal: { driver: 'ssl-vpn', url: vpnUrl, domain: vpnDomain },
        login: { driver: 'cas-croypto', url: casUrl },
        applications: [{ driver: 'jwc', url: jwcUrl, service: jwcService }],
      }),
    });
    gateway.demo.switches.unifiedLoginCroypto = cipher;
  });

  afterAll(() => gateway.close());

  const logins = () => gateway.wire().filter((line) => line.startsWith('cas '));
  const read = () => gateway.b('GET', '/jwc/academic/info', { token });
  const calendar = '/student/courseSelect/calendarSemesterCurriculum/index';
  const terms = () => gateway.b('GET', '/jwc/term/all', { token });
  const both = ['cas GET /cas/login', 'cas POST /cas/login'];

  it('lets in who has the right password, by one page and one form', async () => {
    gateway.demo.resetRequests();
    token = await gateway.register(student);
    expect((await read()).status).toBe(200);
    expect(logins()).toEqual(both);
  });

  it('refuses a wrong password, which is sent once', async () => {
    gateway.demo.resetRequests();
    const body = { userid: student.userid, password: 'wrong', vpn_password: student.vpnPassword };
    for (let time = 0; time < 2; time += 1) {
      const { status, body: answer } = await gateway.b('POST', '/auth/login/next', { body });
      expect([time, status, answer.error]).toEqual([
        time,
        403,
        expect.objectContaining({ code: 'REMOTE_CREDENTIALS_INVALID', reason: 'login_refused' }),
      ]);
    }
    expect(logins()).toEqual(both);
    expect((await read()).status).toBe(200);
  });

  it('takes its page in place of an answer for the end of the session, and renews that once', async () => {
    gateway.demo.resetRequests();
    gateway.demo.student(student.userid).expireUnifiedLogin();
    gateway.demo.fault({ system: 'jwc', path: calendar, times: 1, fault: { kind: 'login-page' } });
    expect((await terms()).status).toBe(200);
    expect(logins()).toEqual(both);
  });

  it('has its page in place of an answer every time: one password, and the session is lost', async () => {
    gateway.demo.resetRequests();
    gateway.demo.student(student.userid).expireUnifiedLogin();
    gateway.demo.fault({ system: 'jwc', path: calendar, fault: { kind: 'login-page' } });
    const { status, body } = await terms();
    expect([status, body.data]).toEqual([502, null]);
    expect(logins().filter((line) => line.includes('POST')).length).toBeLessThanOrEqual(1);
  });
});
