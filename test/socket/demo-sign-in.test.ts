import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { ask, Browser, desBase64, element, field, rsaHex } from './demo-browser.ts';

const ONE = '2023000001';
const BAD = 'Invalid username or password!';

let clock: ManualClock;
let campus: DemoCampus;
let browser: Browser;

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  browser = new Browser(campus.wiring);
});

afterEach(() => campus.close());

describe('signing on from cold', () => {
  it('takes two portal, two unified-login and one redeeming request, then reads', async () => {
    await browser.signIn();
    const landing = await browser.ask(`${campus.wiring.jwcUrl}/`);
    expect(landing.status).toBe(200);
    expect(landing.text).toContain('2025-2026 春  第3周   星期三');
    expect(campus.requests().map(({ system, method, path, userid }) => [system, method, path, userid])).toEqual([
      ['vpn', 'GET', '/por/login_auth.csp', null],
      ['vpn', 'POST', '/por/login_psw.csp', ONE],
      ['cas', 'GET', '/cas/login', ONE],
      ['cas', 'POST', '/cas/login', ONE],
      ['jwc', 'GET', '/j_spring_cas_security_check', ONE],
      ['jwc', 'GET', '/', ONE],
    ]);
  });
});

describe('the portal', () => {
  it('hands out each element of its challenge once, on a line of its own, and a cookie for all mapped hosts', async () => {
    const answer = await ask(`${campus.wiring.vpnUrl}/por/login_auth.csp?apiversion=1`);
    expect(answer.status).toBe(200);
    expect(element(answer.text, 'TwfID')).toMatch(/^[0-9a-f]{16}$/);
    expect(element(answer.text, 'RSA_ENCRYPT_KEY')).toMatch(/^[0-9A-F]{256}$/);
    expect(element(answer.text, 'RSA_ENCRYPT_EXP')).toBe('65537');
    expect(element(answer.text, 'CSRF_RAND_CODE')).toMatch(/^\d{10}$/);
    for (const name of ['TwfID', 'RSA_ENCRYPT_KEY', 'RSA_ENCRYPT_EXP', 'CSRF_RAND_CODE']) {
      expect(answer.text.match(new RegExp(`^\\t<${name}>.*</${name}>$`, 'gm'))).toHaveLength(1);
    }
    const twfid = element(answer.text, 'TwfID');
    expect(answer.cookies).toEqual([`TWFID=${twfid}; Path=/; Domain=127.0.0.1; HttpOnly`]);
  });

  it('answers a browser, not a client, where the version or the type is missing', async () => {
    const page = await ask(`${campus.wiring.vpnUrl}/por/login_auth.csp`);
    expect(page.text).toContain('class="sangfor-main"');
    await browser.challenge();
    const answer = await browser.ask(`${campus.wiring.vpnUrl}/por/login_psw.csp?anti_replay=1&encrypt=1`, { form: {} });
    expect(answer.text).toContain('class="sangfor-main"');
  });

  it('keeps the TWFID of the challenge, and accepts a password with underscores', async () => {
    campus.student(ONE).changePasswords({ vpnPassword: 'a_b_密码+&=' });
    const challenge = await browser.challenge();
    const answer = await browser.credentials(challenge, ONE, 'a_b_密码+&=');
    expect(answer.text).toContain('<Result>1</Result>');
    expect(element(answer.text, 'TwfID')).toBe(element(challenge, 'TwfID'));
    expect(answer.cookies[0]).toContain(`TWFID=${browser.twfid}; Path=/; Domain=127.0.0.1`);
  });

  it('refuses a second use of one challenge, whatever the first one led to', async () => {
    const challenge = await browser.challenge();
    expect((await browser.credentials(challenge, ONE, 'wrong')).text).toContain(BAD);
    const again = await browser.credentials(challenge, ONE, 'demo-vpn');
    expect(again.text).toContain('not allow to login now');
    expect(again.text).not.toContain(BAD);
  });

  it.each([
    ['a code that is not the announced one', { svpn_req_randcode: '1' }],
    ['an undecodable message', { svpn_password: 'ab'.repeat(128) }],
    ['upper-case hex', { svpn_password: 'AB'.repeat(128) }],
  ])('refuses %s without calling the password wrong', async (_case, change) => {
    const answer = await browser.credentials(await browser.challenge(), ONE, 'demo-vpn', change);
    expect(answer.text).toContain('<Result>0</Result>');
    expect(answer.text).not.toContain(BAD);
  });

  it('refuses a message made for another challenge', async () => {
    const old = await browser.challenge();
    const message = rsaHex(element(old, 'RSA_ENCRYPT_KEY'), '65537', `demo-vpn_${element(old, 'CSRF_RAND_CODE')}`);
    const answer = await browser.credentials(await browser.challenge(), ONE, '', { svpn_password: message });
    expect(answer.text).toContain('not allow to login now');
  });

  it('refuses a form with a missing field, a body that is no form, and a request without TWFID', async () => {
    const url = `${campus.wiring.vpnUrl}/por/login_psw.csp?anti_replay=1&encrypt=1&type=cs`;
    await browser.challenge();
    const short = await browser.ask(url, { form: { svpn_name: ONE, svpn_password: 'x' } });
    expect(short.text).toContain('not allow to login now');
    const json = await browser.ask(url, { body: '{}', headers: { 'Content-Type': 'application/json' } });
    expect(json.text).toContain('not allow to login now');
    const challenge = await browser.challenge();
    browser.twfid = '';
    expect((await browser.credentials(challenge, ONE, 'demo-vpn')).text).toContain('not allow to login now');
  });

  it('calls an unknown name and a wrong password the same', async () => {
    expect((await browser.portal('nobody', 'x')).text).toBe((await browser.portal(ONE, 'x')).text);
  });

  it('locks a name for a minute after five failures, and only that name', async () => {
    for (let n = 0; n < 5; n += 1) expect((await browser.portal(ONE, 'wrong')).text).toContain(BAD);
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain('[CDATA[maybe attacked]]');
    expect((await browser.portal('2023000002', 'demo-vpn-2')).text).toContain('<Result>1</Result>');
    clock.advance(59_999);
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain('[CDATA[maybe attacked]]');
    clock.advance(1);
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain('<Result>1</Result>');
  });

  it('forgets failures after a success', async () => {
    campus.switches.lockoutAfter = 2;
    await browser.portal(ONE, 'wrong');
    await browser.portal(ONE, 'demo-vpn');
    await browser.portal(ONE, 'wrong');
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain('<Result>1</Result>');
  });

  it('shows its index to a live session only', async () => {
    const index = `${campus.wiring.vpnUrl}/por/index.csp`;
    expect((await ask(index)).location).toBe(`${campus.wiring.vpnUrl}/`);
    await browser.portal(ONE, 'demo-vpn');
    expect((await browser.ask(index)).status).toBe(200);
    campus.student(ONE).expirePortal();
    expect((await browser.ask(index)).status).toBe(302);
  });
});

describe('the gateway', () => {
  const probe = () => `${campus.wiring.jwcUrl}/dzzy/list.htm`;

  it('lets a live session through to the probe page', async () => {
    await browser.portal(ONE, 'demo-vpn');
    expect((await browser.ask(probe())).status).toBe(200);
  });

  it.each(['casUrl', 'jwcUrl', 'aacUrl', 'ldjlbUrl', 'isimUrl', 'competitionUrl'] as const)(
    'guards %s',
    async (name) => {
      const url = `${campus.wiring[name]}/login?x=1`;
      const answer = await ask(url);
      expect(answer.status).toBe(302);
      expect(answer.location).toBe(`https://127.0.0.1:443/?redirect_uri=${encodeURIComponent(url)}`);
      expect(answer.text).toContain('<title>302 Found</title>');
      expect(answer.headers.server).toBe('Sangine');
    },
  );

  it('does not take the TWFID of a mere challenge, nor two at once', async () => {
    await browser.challenge();
    expect((await browser.ask(probe())).status).toBe(302);
    await browser.portal(ONE, 'demo-vpn');
    const twice = await ask(probe(), { headers: { Cookie: `TWFID=${browser.twfid}; TWFID=${browser.twfid}` } });
    expect(twice.status).toBe(302);
  });

  it('ends a session that rests longer than the idle time, not one in use', async () => {
    await browser.portal(ONE, 'demo-vpn');
    for (let n = 0; n < 3; n += 1) {
      clock.advance(600_000);
      expect((await browser.ask(probe())).status).toBe(200);
    }
    clock.advance(600_001);
    expect((await browser.ask(probe())).status).toBe(302);
    campus.switches.portalIdleSeconds = 10_000;
    expect((await browser.ask(probe())).status).toBe(302);
  });

  it('shows a dead session in the style asked for, and still knows whose it was', async () => {
    await browser.portal(ONE, 'demo-vpn');
    campus.student(ONE).expirePortal();
    campus.switches.expiryStyle = 'page';
    const page = await browser.ask(probe());
    expect(page.status).toBe(200);
    for (const marker of ['class="sangfor-main"', 'login_auth.csp', 'svpn_name', 'var g_lines = []']) {
      expect(page.text).toContain(marker);
    }
    campus.switches.expiryStyle = 'empty';
    const empty = await browser.ask(probe());
    expect([empty.status, empty.bytes.length]).toEqual([200, 0]);
    expect(campus.requests({ path: '/dzzy/list.htm' }).map(({ userid }) => userid)).toEqual([ONE, ONE]);
  });

  it('ends the sessions of one student only', async () => {
    const other = new Browser(campus.wiring);
    await browser.portal(ONE, 'demo-vpn');
    await other.portal('2023000002', 'demo-vpn-2');
    campus.student(ONE).expirePortal();
    expect((await browser.ask(probe())).status).toBe(302);
    expect((await other.ask(probe())).status).toBe(200);
  });
});

describe('the unified login', () => {
  beforeEach(() => browser.portal(ONE, 'demo-vpn'));

  it('asks for the password with fresh fields and no word of error', async () => {
    const first = await browser.ask(browser.loginUrl(campus.wiring.jwcService));
    const second = await browser.ask(browser.loginUrl(campus.wiring.jwcService));
    expect(first.headers['content-type']).toBe('text/html;charset=UTF-8');
    expect(field(first.text, 'lt')).toMatch(/^LT-\d{6}-\w{20}-cas$/);
    expect(field(first.text, 'lt')).not.toBe(field(second.text, 'lt'));
    expect([field(first.text, 'execution'), field(second.text, 'execution')]).toEqual(['e1s1', 'e1s2']);
    expect(first.text).not.toMatch(/errorMsg|Invalid|错误/);
    expect(first.cookies[0]).toMatch(/^JSESSIONID=\w+; Path=\/cas; HttpOnly$/);
    expect(second.cookies).toEqual([]);
  });

  it('sends a student on with a ticket, an absolute address and no body', async () => {
    const answer = await browser.unifiedLogin(campus.wiring.jwcService, ONE, 'demo-password');
    expect(answer.status).toBe(302);
    expect(answer.location.replace(/ST-\d{5}-\w{20}-cas$/, 'ST')).toBe(
      `${campus.wiring.jwcUrl}/j_spring_cas_security_check?ticket=ST`,
    );
    expect(answer.headers['content-length']).toBe('0');
    expect(answer.cookies[0]).toMatch(/^CASTGC=TGT-[\w-]+; Path=\/cas; HttpOnly$/);
  });

  it('gives tickets for every service to a live cookie, without a page', async () => {
    await browser.unifiedLogin(campus.wiring.jwcService, ONE, 'demo-password');
    const answer = await browser.ask(browser.loginUrl(campus.wiring.aacService));
    expect(answer.location).toMatch(
      new RegExp(`^${campus.wiring.aacUrl}/User/Index/CoreLoginCallback\\?isCASGateway=true&ticket=ST-`),
    );
    campus.student(ONE).expireUnifiedLogin();
    expect(field((await browser.ask(browser.loginUrl(campus.wiring.aacService))).text, 'lt')).not.toBe('');
  });

  it('knows a service by its decoded name, and no other service', async () => {
    const lower = encodeURIComponent(campus.wiring.aacService).replace(/%../g, (code) => code.toLowerCase());
    const url = `${campus.wiring.casUrl}/login?service=${lower}`;
    const page = await browser.ask(url);
    const answer = await browser.ask(url, { form: browser.loginForm(page.text, ONE, 'demo-password') });
    expect(answer.status).toBe(302);
    const foreign = await browser.ask(browser.loginUrl('http://evil.example/'));
    expect([foreign.status, foreign.location]).toEqual([200, '']);
  });

  it('refuses a wrong password with both literals and a fresh field', async () => {
    const answer = await browser.unifiedLogin(campus.wiring.jwcService, ONE, 'wrong');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Invalid username or password');
    expect(answer.text).toContain('用户名或密码错误');
    expect(field(answer.text, 'lt')).toMatch(/^LT-/);
    expect(answer.text).not.toContain('errorMsg');
  });

  it('calls an undecodable password wrong', async () => {
    const url = browser.loginUrl(campus.wiring.jwcService);
    const form = browser.loginForm((await browser.ask(url)).text, ONE, 'demo-password');
    const answer = await browser.ask(url, { form: { ...form, password: desBase64('LT-00000', 'demo-password') } });
    expect(answer.text).toContain('用户名或密码错误');
  });

  it('loses a password whose plus signs were not escaped', async () => {
    const url = browser.loginUrl(campus.wiring.jwcService);
    const form = browser.loginForm((await browser.ask(url)).text, ONE, 'demo-password');
    const body = new URLSearchParams({ ...form, password: '' })
      .toString()
      .replace('password=', 'password=++++AAAA++8=');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await browser.ask(url, { body, headers })).text).toContain('用户名或密码错误');
  });

  it('takes each page once: a spent one gets a new page and no reproach', async () => {
    const url = browser.loginUrl(campus.wiring.jwcService);
    const form = browser.loginForm((await browser.ask(url)).text, ONE, 'demo-password');
    expect((await browser.ask(url, { form })).status).toBe(302);
    const again = await browser.ask(url, { form });
    expect(again.status).toBe(200);
    expect(again.text).not.toMatch(/Invalid|错误/);
    expect(field(again.text, 'lt')).not.toBe(form.lt);
  });

  it.each(['username', 'password', 'lt', 'execution', '_eventId'])('needs the field %s', async (name) => {
    const url = browser.loginUrl(campus.wiring.jwcService);
    const form = browser.loginForm((await browser.ask(url)).text, ONE, 'demo-password');
    delete form[name];
    const answer = await browser.ask(url, { form });
    expect([answer.status, answer.text.includes('错误')]).toEqual([200, false]);
  });

  it('binds a page to the browser session that saw it', async () => {
    const url = browser.loginUrl(campus.wiring.jwcService);
    const form = browser.loginForm((await browser.ask(url)).text, ONE, 'demo-password');
    browser.setCookie(url, 'JSESSIONID', null);
    expect((await browser.ask(url, { form })).status).toBe(200);
  });

  it('can be reached without a portal session by switch only', async () => {
    const url = browser.loginUrl(campus.wiring.jwcService);
    expect((await ask(url)).status).toBe(302);
    campus.switches.lenientCas = true;
    expect(field((await ask(url)).text, 'lt')).not.toBe('');
  });
});

describe('a service ticket', () => {
  const fresh = async (): Promise<string> =>
    (await browser.unifiedLogin(campus.wiring.jwcService, ONE, 'demo-password')).location;
  const refused = () => `${campus.wiring.casUrl}/login?service=${encodeURIComponent(campus.wiring.jwcService)}`;

  beforeEach(() => browser.portal(ONE, 'demo-vpn'));

  it('opens one session, once', async () => {
    const location = await fresh();
    const first = await browser.ask(location);
    expect(first.location).toBe(`${campus.wiring.jwcUrl}/index`);
    expect(first.cookies[0]).toMatch(/^JSESSIONID=\w+; Path=\/; HttpOnly$/);
    expect((await browser.ask(location)).location).toBe(refused());
  });

  it('dies after its seconds', async () => {
    const location = await fresh();
    clock.advance(10_001);
    expect((await browser.ask(location)).location).toBe(refused());
    campus.switches.serviceTicketSeconds = 20;
    campus.student(ONE).expireUnifiedLogin();
    const next = await fresh();
    clock.advance(20_000);
    expect((await browser.ask(next)).location).toBe(`${campus.wiring.jwcUrl}/index`);
  });

  it('is worth nothing at another service', async () => {
    const ticket = new URL(await fresh()).searchParams.get('ticket');
    const elsewhere = `${campus.wiring.aacUrl}/User/Index/CoreLoginCallback?isCASGateway=true&ticket=${ticket}`;
    expect((await browser.ask(elsewhere)).location).toContain(`${campus.wiring.casUrl}/login?service=`);
  });
});

describe('switches of the sign-in', () => {
  it('rotate the TWFID, with both values alive', async () => {
    campus.switches.rotateTwfid = true;
    const challenge = await browser.challenge();
    const first = browser.twfid;
    const answer = await browser.credentials(challenge, ONE, 'demo-vpn');
    const second = element(answer.text, 'TwfID');
    expect(second).toMatch(/^[0-9a-f]{16}$/);
    expect(second).not.toBe(first);
    for (const twfid of [first, second]) {
      browser.twfid = twfid;
      expect((await browser.ask(`${campus.wiring.jwcUrl}/dzzy/list.htm`)).status).toBe(200);
    }
  });

  it('omit the code: the bare password is due then', async () => {
    campus.switches.omitCsrf = true;
    const challenge = await browser.challenge();
    expect(challenge).not.toContain('CSRF_RAND_CODE');
    expect((await browser.credentials(challenge, ONE, 'demo-vpn')).text).toContain('<Result>1</Result>');
  });

  it('omit the exponent', async () => {
    campus.switches.omitExponent = true;
    const challenge = await browser.challenge();
    expect(challenge).not.toContain('RSA_ENCRYPT_EXP');
    expect((await browser.credentials(challenge, ONE, 'demo-vpn')).text).toContain('<Result>1</Result>');
  });

  it('name inner hosts in redirects', async () => {
    campus.switches.innerHostLocations = true;
    await browser.portal(ONE, 'demo-vpn');
    const { location } = await browser.unifiedLogin(campus.wiring.jwcService, ONE, 'demo-password');
    expect(location).toMatch(/^http:\/\/jwc\.campus\.test\/j_spring_cas_security_check\?ticket=ST-/);
    const mapped = location.replace('http://jwc.campus.test', campus.wiring.jwcUrl);
    expect((await browser.ask(mapped)).location).toBe('http://jwc.campus.test/index');
    expect((await browser.ask(browser.loginUrl(campus.wiring.ldjlbService))).location).toMatch(
      /^http:\/\/ldjlb-api\.campus\.test\/User\/Index\/CoreLoginCallback\?isCASGateway=true&ticket=ST-/,
    );
  });

  it('change passwords at once, without ending sessions', async () => {
    await browser.signIn();
    campus.student(ONE).changePasswords({ password: 'new', vpnPassword: 'new-vpn' });
    expect((await browser.ask(`${campus.wiring.jwcUrl}/`)).status).toBe(200);
    const other = new Browser(campus.wiring);
    expect((await other.portal(ONE, 'demo-vpn')).text).toContain(BAD);
    expect((await other.portal(ONE, 'new-vpn')).text).toContain('<Result>1</Result>');
    expect((await other.unifiedLogin(campus.wiring.jwcService, ONE, 'demo-password')).status).toBe(200);
    expect((await other.unifiedLogin(campus.wiring.jwcService, ONE, 'new')).status).toBe(302);
  });
});
