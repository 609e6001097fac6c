import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoFault, DemoPortalMarker } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import { type Answer, ask, Browser, element, field } from './demo-browser.ts';

const ONE = '2023000001';
const SUMMARY = '/main/academicInfo';

let clock: ManualClock;
let campus: DemoCampus;
let browser: Browser;

const summary = (who = browser): Promise<Answer> =>
  who.ask(`${campus.wiring.jwcUrl}${SUMMARY}?sf_request_type=ajax`, { form: { flag: '' } });

const arm = (fault: DemoFault, times = 1) => campus.fault({ system: 'jwc', path: SUMMARY, times, fault });

/** Resolves once that many waits hang on the clock. */
const waits = async (count: number): Promise<void> => {
  while (clock.waiting < count) await new Promise((resolve) => setImmediate(resolve));
};

const arrived = async (count: number): Promise<void> => {
  while (campus.requests({ path: SUMMARY }).length < count) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock, portalKeyPem: TEST_KEY_PEM });
  browser = await new Browser(campus.wiring).signIn();
});

afterEach(() => campus.close());

describe('a fault rule', () => {
  const status = (code: number): DemoFault => ({ kind: 'status', status: code });

  it('hits as often as it says, then the real answer comes', async () => {
    arm(status(503), 2);
    expect([(await summary()).status, (await summary()).status, (await summary()).status]).toEqual([503, 503, 200]);
  });

  it('hits until it is removed, or all are cleared', async () => {
    const armed = campus.fault({ system: 'jwc', fault: status(500) });
    expect([(await summary()).status, (await summary()).status]).toEqual([500, 500]);
    armed.remove();
    expect((await summary()).status).toBe(200);
    arm(status(500), 100);
    campus.clearFaults();
    expect((await summary()).status).toBe(200);
  });

  it('leaves other systems, methods, paths and students alone', async () => {
    const other = await new Browser(campus.wiring).signIn('2023000002', 'demo-password-2', 'demo-vpn-2');
    campus.fault({ system: 'cas', fault: status(500) });
    campus.fault({ system: 'jwc', method: 'GET', path: SUMMARY, fault: status(500) });
    campus.fault({ system: 'jwc', path: '/main/other', fault: status(500) });
    campus.fault({ system: 'jwc', userid: '2023000002', fault: status(500) });
    campus.fault({ system: 'jwc', path: '/', exact: true, fault: status(502) });
    expect((await summary()).status).toBe(200);
    expect((await browser.ask(`${campus.wiring.jwcUrl}/`)).status).toBe(502);
    expect((await summary(other)).status).toBe(500);
  });

  it('names a dynamic segment by a star', async () => {
    campus.fault({ system: 'jwc', path: '/student/integratedQuery/scoreQuery/*/all', fault: status(500) });
    const url = `${campus.wiring.jwcUrl}/student/integratedQuery/scoreQuery/anything/allTermScores/data`;
    expect((await browser.ask(url, { form: {} })).status).toBe(500);
  });

  it('counts the requests it hits', async () => {
    arm(status(500));
    await summary();
    expect(campus.requests({ path: SUMMARY, userid: ONE })).toHaveLength(1);
  });

  it('meets the submitted name on a login request', async () => {
    campus.fault({ system: 'vpn', userid: '2023000002', fault: { kind: 'captcha' } });
    const other = new Browser(campus.wiring);
    expect((await other.portal('2023000002', 'demo-vpn-2')).text).toContain('CAPTCHA required');
    expect((await other.portal(ONE, 'demo-vpn')).text).toContain('<Result>1</Result>');
  });
});

describe('answers of another kind', () => {
  it.each<[DemoFault, Partial<Answer>]>([
    [
      { kind: 'status', status: 403, body: 'no' },
      { status: 403, text: 'no' },
    ],
    [{ kind: 'empty' }, { status: 200, text: '' }],
    [{ kind: 'html' }, { status: 200, text: expect.stringContaining('系统维护') }],
    [{ kind: 'login-page' }, { status: 200, text: expect.stringContaining('name="execution"') }],
    [
      { kind: 'body', body: 'x', type: 'text/plain', status: 418 },
      { status: 418, text: 'x' },
    ],
    [
      { kind: 'body', body: ']' },
      { status: 200, text: ']' },
    ],
    [{ kind: 'redirect-away' }, { status: 302, location: 'http://elsewhere.invalid/' }],
    [{ kind: 'redirect-nowhere' }, { status: 302, location: '' }],
  ])('%j', async (fault, wanted) => {
    arm(fault);
    expect(await summary()).toMatchObject(wanted);
    expect((await summary()).status).toBe(200);
  });

  it('redirect to the unified login, the portal, and the request itself', async () => {
    arm({ kind: 'login-redirect' });
    expect((await summary()).location).toBe(browser.loginUrl(campus.wiring.jwcService));
    arm({ kind: 'portal-redirect' });
    const portal = await summary();
    expect(portal.location).toMatch(/^https:\/\/127\.0\.0\.1:443\/\?redirect_uri=http%3A%2F%2F127/);
    expect(portal.text).toContain('Sangine');
    arm({ kind: 'redirect-loop' });
    expect((await summary()).location).toBe(`${campus.wiring.jwcUrl}${SUMMARY}?sf_request_type=ajax`);
  });

  it('show a login page that can be used', async () => {
    campus.student(ONE).expireUnifiedLogin();
    campus.fault({ system: 'cas', method: 'GET', times: 1, fault: { kind: 'login-page' } });
    const url = browser.loginUrl(campus.wiring.jwcService);
    const page = await browser.ask(url);
    expect(field(page.text, 'lt')).not.toBe('');
    expect((await browser.ask(url, { form: browser.loginForm(page.text, ONE, 'demo-password') })).status).toBe(302);
  });

  const LITERALS: Readonly<Record<DemoPortalMarker, (text: string) => boolean>> = {
    'title-302': (text) => text.includes('<title>302 Found</title>'),
    sangine: (text) => text.includes('Sangine'),
    'html-302-found': (text) => text.includes('<html>') && text.includes('302 Found'),
    'sangfor-main': (text) => text.includes('class="sangfor-main"'),
    'login_auth.csp': (text) => text.includes('login_auth.csp'),
    TWFID: (text) => text.includes('TWFID'),
    svpn_name: (text) => text.includes('svpn_name'),
    g_lines: (text) => text.includes('var g_lines = []'),
    selectline_timeout: (text) => text.includes('selectline_timeout'),
  };
  const MARKERS = [
    'title-302',
    'sangine',
    'html-302-found',
    'sangfor-main',
    'login_auth.csp',
    'TWFID',
    'svpn_name',
    'g_lines',
    'selectline_timeout',
  ] as const satisfies readonly DemoPortalMarker[];

  it.each(MARKERS)('show the portal marker %s and no other', async (marker) => {
    arm({ kind: 'portal-page', marker });
    const { status, text } = await summary();
    expect(status).toBe(200);
    expect(text.slice(0, 512)).toMatch(/^(<!DOCTYPE|<html)/);
    expect(MARKERS.filter((name) => LITERALS[name](text.slice(0, 512)))).toEqual([marker]);
  });

  it('guard the portal: attack, second factor, and only where credentials are sent', async () => {
    campus.fault({ system: 'vpn', times: 1, fault: { kind: 'attacked' } });
    expect((await browser.portal(ONE, 'demo-vpn')).text).toContain('[CDATA[maybe attacked]]');
    campus.fault({ system: 'vpn', times: 1, fault: { kind: 'second-factor' } });
    const challenge = await browser.challenge();
    expect(element(challenge, 'TwfID')).not.toBe('');
    expect((await browser.credentials(challenge, ONE, 'demo-vpn')).text).toContain('<Result>2</Result>');
  });
});

describe('distorted answers', () => {
  it('break JSON, HTML, XML and redirects', async () => {
    arm({ kind: 'malformed' });
    const broken = await summary();
    expect(broken.text).toMatch(/^\[\{"courseNum/);
    expect(() => JSON.parse(broken.text)).toThrow();
    campus.student(ONE).expireUnifiedLogin();
    campus.fault({ system: 'cas', times: 1, fault: { kind: 'malformed' } });
    const page = await browser.ask(browser.loginUrl(campus.wiring.jwcService));
    expect([page.status, page.text.includes('name="lt"')]).toEqual([200, false]);
    campus.fault({ system: 'jwc', times: 1, fault: { kind: 'malformed' } });
    const index = await browser.ask(`${campus.wiring.jwcUrl}/student/integratedQuery/scoreQuery/allTermScores/index`);
    expect(index.text).not.toContain('allTermScores/data');
    campus.fault({ system: 'vpn', times: 1, fault: { kind: 'malformed' } });
    const challenge = await ask(`${campus.wiring.vpnUrl}/por/login_auth.csp?apiversion=1`);
    expect(challenge.text).toContain('<TwfID>');
    expect(element(challenge.text, 'TwfID')).toBe('');
    campus.fault({ system: 'isim', times: 1, fault: { kind: 'malformed' } });
    await browser.portal(ONE, 'demo-vpn');
    const away = await browser.ask(`${campus.wiring.isimUrl}/go?openid=1&sn=sn`);
    expect(URL.canParse(away.location)).toBe(false);
  });

  it('stop half-way with a matching length', async () => {
    const whole = await summary();
    arm({ kind: 'truncated' });
    const half = await summary();
    expect(half.bytes).toEqual(whole.bytes.subarray(0, Math.floor(whole.bytes.length / 2)));
    expect(half.headers['content-length']).toBe(String(half.bytes.length));
  });

  it('break off half-way after announcing the whole', async () => {
    arm({ kind: 'cut' });
    await expect(summary()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('come in GBK, as header and page say', async () => {
    campus.fault({ system: 'jwc', path: '/student', times: 1, fault: { kind: 'gbk' } });
    const answer = await browser.ask(`${campus.wiring.jwcUrl}/student/courseSelect/calendarSemesterCurriculum/index`);
    expect(answer.headers['content-type']).toBe('text/html;charset=GBK');
    const text = new TextDecoder('gbk', { fatal: true }).decode(answer.bytes);
    expect(text).toContain('<meta charset="GBK">');
    expect(text).toContain('2025-2026学年春（当前）');
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes)).toThrow();
  });

  it('come in any size', async () => {
    arm({ kind: 'huge', bytes: 3_000_001 });
    expect((await summary()).bytes).toHaveLength(3_000_001);
  });

  it('drip by the clock', async () => {
    const whole = await summary();
    arm({ kind: 'drip', bytesPerTick: Math.ceil(whole.bytes.length / 3), tickMs: 100 });
    const slow = summary();
    for (let tick = 0; tick < 3; tick += 1) {
      await waits(1);
      clock.advance(100);
    }
    expect((await slow).text).toBe(whole.text);
  });
});

describe('broken connections and delays', () => {
  it('wait on the clock before the real answer, together with another fault too', async () => {
    arm({ kind: 'delay', ms: 5_000 });
    arm({ kind: 'status', status: 502 });
    const slow = summary();
    await waits(1);
    clock.advance(5_000);
    expect((await slow).status).toBe(502);
    expect((await summary()).status).toBe(200);
  });

  it('reset before the work is done', async () => {
    campus.fault({ system: 'vpn', path: '/por/login_psw.csp', times: 1, fault: { kind: 'reset' } });
    const challenge = await browser.challenge();
    await expect(browser.credentials(challenge, ONE, 'demo-vpn')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await browser.credentials(challenge, ONE, 'demo-vpn')).text).toContain('<Result>1</Result>');
  });

  it('reset after the work is done: the code is spent', async () => {
    campus.fault({ system: 'vpn', path: '/por/login_psw.csp', times: 1, fault: { kind: 'reset-after' } });
    const challenge = await browser.challenge();
    await expect(browser.credentials(challenge, ONE, 'demo-vpn')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await browser.credentials(challenge, ONE, 'demo-vpn')).text).toContain('not allow to login now');
    expect((await browser.ask(`${campus.wiring.jwcUrl}/dzzy/list.htm`)).status).toBe(200);
  });

  it('hang until the client gives up', async () => {
    arm({ kind: 'hang' });
    const given = new AbortController();
    const hanging = browser.ask(`${campus.wiring.jwcUrl}${SUMMARY}`, { form: { flag: '' }, signal: given.signal });
    await arrived(1);
    given.abort();
    await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
    expect((await summary()).status).toBe(200);
  });

  it('end at once when the campus closes', async () => {
    arm({ kind: 'hang' });
    const hanging = expect(summary()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await arrived(1);
    arm({ kind: 'delay', ms: 1e9 });
    const slow = expect(summary()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await waits(1);
    await campus.close();
    await Promise.all([hanging, slow]);
    await expect(ask(campus.wiring.jwcUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('delay every answer by the latency of the campus', async () => {
    const slow = await startDemoCampus({ clock, latencyMs: 250, portalKeyPem: TEST_KEY_PEM });
    const pending = ask(`${slow.wiring.vpnUrl}/`);
    await waits(1);
    clock.advance(249);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    expect((await pending).status).toBe(200);
    await slow.close();
  });
});

describe('the campus as a whole', () => {
  it('listens on loopback only', async () => {
    await expect(startDemoCampus({ host: '0.0.0.0' })).rejects.toThrow('loopback');
  });

  it('survives a body too large and a path that cannot be decoded', async () => {
    const url = `${campus.wiring.jwcUrl}${SUMMARY}`;
    // Answered or cut off, depending on how much the client had sent by then.
    const large = await browser.ask(url, { body: 'x'.repeat(3_000_000) }).then(
      ({ status }) => String(status),
      (cause: NodeJS.ErrnoException) => cause.code,
    );
    expect(['413', 'ECONNRESET', 'EPIPE']).toContain(large);
    const { port } = new URL(campus.wiring.jwcUrl);
    const status = await new Promise<number>((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port, path: '/%ff%zz?%ff', headers: { Cookie: `TWFID=${browser.twfid}` } },
        (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode ?? 0);
        },
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
    expect(status).toBe(404);
    expect((await summary()).status).toBe(200);
  });

  it('has one origin for each system, and services under inner host names', () => {
    const { wiring } = campus;
    const origins = [
      wiring.vpnUrl,
      wiring.casUrl,
      wiring.jwcUrl,
      wiring.aacUrl,
      wiring.ldjlbUrl,
      wiring.isimUrl,
      wiring.competitionUrl,
    ].map((url) => new URL(url).origin);
    expect(new Set(origins).size).toBe(7);
    expect(wiring.vpnDomain).toBe('127.0.0.1');
    expect(wiring.casUrl).toMatch(/:\d+\/cas$/);
    expect(wiring.jwcService).toBe('http://jwc.campus.test/j_spring_cas_security_check');
  });
});
