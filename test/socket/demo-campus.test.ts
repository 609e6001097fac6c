import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { Browser, element, field, rsaHex } from './demo-browser.ts';

/** Whether the simulator is as strict as the campus: what the gateway sends is tested against it. */

const ONE = '2023000001';
const BAD = 'Invalid username or password!';
const NOT_NOW = 'not allow to login now';
const SIGNED_IN = '<Result>1</Result>';

let clock: ManualClock;
let campus: DemoCampus;
let browser: Browser;

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  browser = new Browser(campus.wiring);
});
afterEach(() => campus.close());

describe('the portal', () => {
  it('accepts one answer to a challenge, made for this challenge', async () => {
    const old = await browser.challenge();
    expect((await browser.credentials(old, ONE, 'wrong')).text).toContain(BAD);
    expect((await browser.credentials(old, ONE, 'demo-vpn')).text).toContain(NOT_NOW);
    const message = rsaHex(element(old, 'RSA_ENCRYPT_KEY'), '65537', `demo-vpn_${element(old, 'CSRF_RAND_CODE')}`);
    const spoilt: Record<string, string>[] = [
      { svpn_password: message },
      { svpn_req_randcode: '1' },
      { svpn_password: 'ab'.repeat(128) },
      { svpn_password: 'AB'.repeat(128) },
    ];
    for (const change of spoilt) {
      const refused = await browser.credentials(await browser.challenge(), ONE, 'demo-vpn', change);
      expect(refused.text).toContain('<Result>0</Result>');
      expect(refused.text).not.toContain(BAD);
    }
    campus.student(ONE).changePasswords({ vpnPassword: 'a_b_密码+&=' });
    expect((await browser.credentials(await browser.challenge(), ONE, 'a_b_密码+&=')).text).toContain(SIGNED_IN);
  });

  it('locks a name for a minute after five refused passwords, and no other name', async () => {
    for (let n = 0; n < 5; n += 1) expect((await browser.portal(ONE, 'wrong')).text).toContain(BAD);
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain('[CDATA[maybe attacked]]');
    expect((await browser.portal('2023000002', 'demo-vpn-2')).text).toContain(SIGNED_IN);
    clock.advance(60_000);
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain(SIGNED_IN);
  });

  it('lets nobody through to an application without a live session, nor after ten minutes of rest', async () => {
    const at = (name: 'casUrl' | 'jwcUrl' | 'aacUrl' | 'ldjlbUrl' | 'isimUrl' | 'competitionUrl') =>
      browser.ask(`${campus.wiring[name]}/login?x=1`);
    await browser.challenge();
    for (const name of ['casUrl', 'jwcUrl', 'aacUrl', 'ldjlbUrl', 'isimUrl', 'competitionUrl'] as const) {
      const { status, location } = await at(name);
      expect([status, location]).toEqual([302, expect.stringMatching(/^https:\/\/127\.0\.0\.1:443\/\?redirect_uri=/)]);
    }
    const probe = async () => (await browser.ask(`${campus.wiring.jwcUrl}/dzzy/list.htm`)).status;
    await browser.portal(ONE, 'demo-vpn');
    clock.advance(600_000);
    expect(await probe()).toBe(200);
    clock.advance(600_001);
    expect(await probe()).toBe(302);
  });
});

describe('the unified login', () => {
  const url = () => browser.loginUrl(campus.wiring.jwcService);
  const form = async () => browser.loginForm((await browser.ask(url())).text, ONE, 'demo-password');
  beforeEach(() => browser.portal(ONE, 'demo-vpn'));

  it('accepts each of its pages once, whole, from the browser that saw it', async () => {
    for (const name of ['username', 'password', 'lt', 'execution', '_eventId']) {
      const { [name]: _left, ...short } = await form();
      const answer = await browser.ask(url(), { form: short });
      expect([answer.status, answer.text.includes('错误')]).toEqual([200, false]);
    }
    const foreign = await form();
    browser.setCookie(url(), 'JSESSIONID', null);
    expect((await browser.ask(url(), { form: foreign })).status).toBe(200);
    const right = await form();
    expect((await browser.ask(url(), { form: right })).status).toBe(302);
    campus.student(ONE).expireUnifiedLogin();
    const again = await browser.ask(url(), { form: right });
    expect([again.status, field(again.text, 'lt') === right.lt]).toEqual([200, false]);
  });

  it('gives a ticket that opens its own service, once and for ten seconds', async () => {
    const granted = async () => (await browser.unifiedLogin(campus.wiring.jwcService, ONE, 'demo-password')).location;
    const isRefused = async (at: string) => (await browser.ask(at)).location.includes('/login?service=');
    const ticket = new URL(await granted()).searchParams.get('ticket');
    const elsewhere = `${campus.wiring.aacUrl}/User/Index/CoreLoginCallback?isCASGateway=true&ticket=${ticket}`;
    expect(await isRefused(elsewhere)).toBe(true);
    const location = await granted();
    expect([await isRefused(location), await isRefused(location)]).toEqual([false, true]);
    const late = await granted();
    clock.advance(10_001);
    expect(await isRefused(late)).toBe(true);
  });
});

describe('a fault', () => {
  const page = () => browser.ask(`${campus.wiring.jwcUrl}/student/courseSelect/calendarSemesterCurriculum/index`);
  beforeEach(() => browser.signIn());

  it('hits the requests of its system, path, method and student, as often as it says', async () => {
    const fault = { kind: 'status', status: 500 } as const;
    campus.fault({ system: 'cas', fault });
    campus.fault({ system: 'jwc', method: 'POST', fault });
    campus.fault({ system: 'jwc', path: '/main/other', fault });
    campus.fault({ system: 'jwc', userid: '2023000002', fault });
    expect((await page()).status).toBe(200);
    campus.fault({ system: 'jwc', path: '/student', times: 2, fault });
    expect([(await page()).status, (await page()).status, (await page()).status]).toEqual([500, 500, 200]);
    const { remove } = campus.fault({ system: 'jwc', fault });
    expect((await page()).status).toBe(500);
    remove();
    expect((await page()).status).toBe(200);
  });

  it('may leave the answer readable: in GBK as header and page say, or late', async () => {
    campus.fault({ system: 'jwc', times: 1, fault: { kind: 'gbk' } });
    const { headers, bytes } = await page();
    expect(headers['content-type']).toBe('text/html;charset=GBK');
    expect(new TextDecoder('gbk', { fatal: true }).decode(bytes)).toContain('<meta charset="GBK">');
    campus.fault({ system: 'jwc', times: 1, fault: { kind: 'delay', ms: 5_000 } });
    const slow = page();
    while (clock.waiting < 1) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(5_000);
    expect((await slow).status).toBe(200);
  });
});
