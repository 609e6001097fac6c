import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { type Answer, Browser, field } from './demo-browser.ts';

const ONE = '2023000001';

let clock: ManualClock;
let campus: DemoCampus;
let browser: Browser;

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  browser = await new Browser(campus.wiring).signIn();
});

afterEach(() => campus.close());

describe.each([
  { system: 'aac', read: '/User/Center/DoGetScoreInfo?sf_request_type=ajax' },
  { system: 'ldjlb', read: '/User/Club/DoGetJoinList' },
] as const)('the ticket of $system', ({ system, read }) => {
  const base = () => (system === 'aac' ? campus.wiring.aacUrl : campus.wiring.ldjlbUrl);
  const use = (ticket: string, headers: Record<string, string> = {}): Promise<Answer> =>
    browser.ask(`${base()}${read}`, {
      method: 'POST',
      headers: { ticket, 'sdp-app-session': browser.twfid, ...headers },
    });

  it('is the last and only parameter of the final redirect, encoded in full', async () => {
    const service = system === 'aac' ? campus.wiring.aacService : campus.wiring.ldjlbService;
    const granted = await browser.ask(browser.loginUrl(service));
    const { status, location, bytes } = await browser.ask(granted.location);
    expect([status, bytes.length]).toEqual([302, 0]);
    expect(location).toMatch(/^http:\/\/\S+\/#\/register\?ticket=[\w%.~-]+$/);
    expect(location).toMatch(/%2F.*%2B.*%3D/);
    expect((await browser.ask(granted.location)).location).toContain('/cas/login?service=');
  });

  it('opens the data, beside every older one', async () => {
    const first = await browser.applicationTicket(system);
    const second = await browser.applicationTicket(system);
    expect(first).not.toBe(second);
    for (const ticket of [first, second]) {
      const answer = await use(ticket);
      expect(answer.headers['content-type']).toBe('application/json;charset=UTF-8');
      expect(JSON.parse(answer.text)).toMatchObject({ code: 0, msg: '' });
      expect(JSON.parse(answer.text).data).not.toBeNull();
    }
  });

  it('outlives the portal session, with the new TWFID in both places', async () => {
    const ticket = await browser.applicationTicket(system);
    const old = browser.twfid;
    campus.student(ONE).expirePortal();
    expect((await use(ticket)).location).toContain('redirect_uri=');
    await browser.portal(ONE, 'demo-vpn');
    expect((await use(ticket, { 'sdp-app-session': old })).location).toContain('redirect_uri=');
    expect(JSON.parse((await use(ticket)).text).code).toBe(0);
  });

  it('is refused in the way of the switch when it is dead, unknown or of the other system', async () => {
    const ticket = await browser.applicationTicket(system);
    const other = await browser.applicationTicket(system === 'aac' ? 'ldjlb' : 'aac');
    campus.student(ONE).expireTicket(system);
    for (const refused of [ticket, other, 'nonsense']) {
      expect(JSON.parse((await use(refused)).text)).toEqual({ code: 401, msg: '登录已失效', data: null });
    }
    campus.switches.invalidTicketAnswer = 'http-500';
    const failure = await use(ticket);
    expect([failure.status, failure.text]).toEqual([500, expect.stringContaining('Server Error')]);
    campus.switches.invalidTicketAnswer = 'html';
    expect((await use(ticket)).text).toMatch(/^<!DOCTYPE html>/);
  });

  it('is answered with the same redirect as a dead portal when the session header is missing', async () => {
    const ticket = await browser.applicationTicket(system);
    const answer = await browser.ask(`${base()}${read}`, { method: 'POST', headers: { ticket } });
    expect(answer.location).toContain('127.0.0.1:443/?redirect_uri=');
  });

  it('has the data of its own student', async () => {
    const other = await new Browser(campus.wiring).signIn('2023000002', 'demo-password-2', 'demo-vpn-2');
    const ask = async (who: Browser) =>
      (
        await who.ask(`${base()}${read}`, {
          method: 'POST',
          headers: { ticket: await who.applicationTicket(system), 'sdp-app-session': who.twfid },
        })
      ).text;
    expect(await ask(browser)).not.toBe(await ask(other));
  });
});

describe('the electricity site', () => {
  const at = (path: string) => `${campus.wiring.isimUrl}${path}`;

  it('opens a session for the portal session alone, the same in cookie and path', async () => {
    campus.student(ONE).expireUnifiedLogin();
    const answer = await browser.ask(at('/go?openid=anything&sn=sn'));
    const id = browser.cookie(campus.wiring.isimUrl, 'JSESSIONID');
    expect(answer.location).toBe(at(`/home;jsessionid=${id}`));
    expect((await browser.ask(answer.location)).status).toBe(200);
    expect((await browser.ask(at('/about'))).text).toContain('pickerBuilding');
    expect(campus.requests({ system: 'isim' }).map(({ path }) => path)).toEqual([
      '/go',
      '/home;jsessionid=*',
      '/about',
    ]);
  });

  it('needs an openid and the literal sn', async () => {
    expect((await browser.ask(at('/go?openid=&sn=sn'))).status).toBe(400);
    expect((await browser.ask(at('/go?openid=1'))).status).toBe(400);
  });

  it('sends a dead session to its error page: unknown, ended, or idle for half an hour', async () => {
    campus.switches.portalIdleSeconds = 100_000;
    const dead = async () => (await browser.ask(at('/about'))).location === at('/error');
    expect(await dead()).toBe(true);
    await browser.ask(at('/go?openid=1&sn=sn'));
    clock.advance(1_800_000);
    expect(await dead()).toBe(false);
    clock.advance(1_800_001);
    expect(await dead()).toBe(true);
    await browser.ask(at('/go?openid=1&sn=sn'));
    campus.student(ONE).expireService('isim');
    expect(await dead()).toBe(true);
    expect((await browser.ask(at('/error'))).status).toBe(200);
  });
});

describe('the competition pages', () => {
  const page = () => `${campus.wiring.competitionUrl}/xsXmMain.aspx`;
  const NAME = 'ctl00$ContentPlaceHolder1$ContentPlaceHolder2$';
  const enter = async (): Promise<Answer> => {
    const bounce = await browser.ask(page());
    const granted = await browser.ask(bounce.location);
    const back = await browser.ask(granted.location);
    return browser.ask(back.location);
  };
  const formOf = (html: string, target: string): Record<string, string> => {
    const value = (name: string) => new RegExp(`name="${name}" id="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
    return {
      __EVENTTARGET: target,
      __EVENTARGUMENT: '',
      __LASTFOCUS: '',
      __VIEWSTATE: value('__VIEWSTATE'),
      __VIEWSTATEGENERATOR: value('__VIEWSTATEGENERATOR'),
      __EVENTVALIDATION: value('__EVENTVALIDATION'),
      [`${NAME}ddlSslb`]: '%',
      [`${NAME}txtSsmc`]: '',
    };
  };
  const AWARDS = `${NAME}DataList1$ctl01$LinkButton1`;

  it('are reached by one bounce over the unified login, then by their own cookie', async () => {
    const bounce = await browser.ask(page());
    expect(bounce.location).toContain(`${campus.wiring.casUrl}/login?service=http%3A%2F%2F10.20.30.40%2F`);
    const first = await enter();
    expect(first.text).toContain('欢迎您：2023000001');
    campus.resetRequests();
    expect((await browser.ask(page())).status).toBe(200);
    expect(campus.requests()).toHaveLength(1);
    campus.student(ONE).expireService('competition');
    expect((await browser.ask(page())).location).toContain('/cas/login?service=');
  });

  it('turn to the awards when the form is posted back whole', async () => {
    const first = await enter();
    expect(first.text).not.toContain('gvHj');
    const awards = await browser.ask(page(), { form: formOf(first.text, AWARDS) });
    expect(awards.text).toContain('大学生数学建模竞赛');
    expect(awards.text).toContain('lblXkjsxf">8.00<');
    const same = await browser.ask(page(), { form: formOf(awards.text, 'unknown') });
    expect(same.text).toContain('gvHj');
  });

  it('keep every view state of the session valid and refuse any other', async () => {
    const first = await enter();
    await browser.ask(page());
    expect((await browser.ask(page(), { form: formOf(first.text, AWARDS) })).text).toContain('gvHj');
    const foreign = { ...formOf(first.text, AWARDS), __VIEWSTATE: '/wEPDwUKforeign' };
    expect((await browser.ask(page(), { form: foreign })).status).toBe(500);
  });

  it('show the login page to a student without a ticket-granting cookie', async () => {
    campus.student(ONE).expireUnifiedLogin();
    const bounce = await browser.ask(page());
    const login = await browser.ask(bounce.location);
    const back = await browser.ask(bounce.location, { form: browser.loginForm(login.text, ONE, 'demo-password') });
    expect(field(login.text, 'lt')).not.toBe('');
    expect((await browser.ask(back.location)).location).toBe(page());
  });
});
