import { describe, expect, it } from 'vitest';
import type { Application, Upstream } from '../../../../src/campus/contract/upstreams.ts';
import { judgeAnswer, judgePage, judgeRedirect } from '../../../../src/campus/session/judge.ts';
import { StudentState } from '../../../../src/campus/session/student-state.ts';
import { addressesOf } from '../../../support/addresses-of.ts';
import { shows } from '../../../support/campus-rig.ts';
import { inlinePages } from '../../../support/inline-pages.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { mappedWiring as mapped, unusedWiring } from '../../../support/unused-wiring.ts';

/** Everything on one host, where only the port differs; one port even begins with 443. */
const shared = { ...unusedWiring, casUrl: 'http://127.0.0.1:44312/cas' };

const layouts = [
  ['mapped hosts', mapped],
  ['one shared host', shared],
] as const;

describe.each(layouts)('a redirect, with %s', (_name, wiring) => {
  const addresses = addressesOf(wiring);
  const judged = (upstream: Upstream, location: string | undefined, path = '/main') =>
    judgeRedirect(addresses, upstream, addresses.url(upstream, path), location);
  const vpnHost = new URL(wiring.vpnUrl).hostname;

  it.each([
    [
      'the literal port 443 of the portal with redirect_uri',
      `https://${vpnHost}:443/?redirect_uri=http%3A%2F%2Fjwc%2Fpath`,
    ],
    ['the portal origin', `${wiring.vpnUrl}/portal/`],
    ['the bare portal host on an origin that no system has', `http://${vpnHost}:9/anything`],
  ])('to %s means the portal session is dead', (_, location) => {
    expect(judged('jwc', location)).toEqual({ kind: 'portal-expired' });
  });

  it('below the unified login means the application session is dead, and tells which service was asked for', () => {
    const service = 'http://10.1.2.3/xsXmMain.aspx';
    const location = `${wiring.casUrl}/login?service=${encodeURIComponent(service)}`;
    expect(judged('competition', location)).toEqual({ kind: 'application-expired', service });
  });

  it('below the unified login with a redirect_uri in its query is no portal redirect', () => {
    expect(judged('jwc', `${wiring.casUrl}/login?redirect_uri=x`)).toEqual({
      kind: 'application-expired',
      service: null,
    });
  });

  it.each(['/login?errorCode=concurrentSessionExpired', '/gotoLogin', '/admin/login'])(
    'of the academic system to its own %s means the application session is dead',
    (path) => {
      expect(judged('jwc', wiring.jwcUrl + path)).toEqual({ kind: 'application-expired', service: null });
    },
  );

  it('of the electricity site to anywhere means its session is lost', () => {
    expect(judged('isim', `${wiring.isimUrl}/error`)).toEqual({ kind: 'application-expired', service: null });
  });

  it.each([
    ['inside the application', `${wiring.jwcUrl}/index`],
    ['to the inner host of a configured service', 'http://jwc.campus.example/index'],
  ])('%s is followed at the mapped address', (_, location) => {
    expect(judged('jwc', location)).toEqual({ kind: 'follow', target: new URL(`${wiring.jwcUrl}/index`) });
  });

  it('that leaves the configured origins is an error', () => {
    expect(judged('jwc', 'http://elsewhere.example/')).toEqual({ kind: 'astray', reason: 'leaves-campus' });
  });

  it.each([undefined, ''])('without an address (%s) is an error', (location) => {
    expect(judged('jwc', location)).toEqual({ kind: 'astray', reason: 'no-location' });
  });
});

const addresses = addressesOf(mapped);
const portalPage = (marker: string) => `<!DOCTYPE html>\n<html><head></head><body>${marker}</body></html>`;

describe('a page with status 200', () => {
  const pageOf = (text: string, upstream: Application = 'jwc') => judgePage(addresses, upstream, text, 'page');
  const jsonOf = (text: string) => judgePage(addresses, 'jwc', text, 'json');

  it('of electricity that says that its session has expired is a dead session, and no data', () => {
    for (const text of ['session过期', '{"msg":"session 已失效"}', 'Session expired']) {
      expect(judgePage(addresses, 'isim', text, 'json')).toBe('login-page');
    }
    expect(judgePage(addresses, 'isim', '[{"roomname":["A101"]}]', 'json')).toBe('data');
    expect(judgePage(addresses, 'jwc', 'session过期', 'json')).toBe('data');
  });

  it('of academic affairs may be the way to the login in JSON, which the client of a write reads itself', () => {
    const text = '{"result":"/login","token":"8f2c"}';
    expect(jsonOf(text)).toBe('login-page');
    expect(judgePage(addresses, 'jwc', text, 'json', true)).toBe('data');
    expect(jsonOf('{"result":"success","msg":"/login"}')).toBe('data');
    expect(jsonOf(`{"result":"a/b","data":[${'1,'.repeat(300)}1]}`)).toBe('data');
  });

  it.each([
    '<title>302 Found</title>',
    'Sangine',
    '302 Found',
    '<div class="sangfor-main">',
    'login_auth.csp',
    'TWFID',
    'svpn_name',
    'var g_lines = []',
    'selectline_timeout',
    '<script></script><noscript>Your browser does not support JavaScript</noscript>',
  ])('with the portal marker %s means the portal session is dead', (marker) => {
    expect(jsonOf(portalPage(marker))).toBe('portal-expired');
    expect(pageOf(portalPage(marker))).toBe('portal-expired');
  });

  it.each([
    ['jwc', portalPage('TWFID svpn_name Sangine <select id="planCode">'), 'planCode'],
    ['competition', '<a>login</a><input name="password">__VIEWSTATE', '__VIEWSTATE'],
  ])(
    'of %s is alive when it shows its own marker, also where it mentions others',
    async (application, text, marker) => {
      const state = new StudentState(addresses);
      const sender = {
        campus: { addresses, pages: inlinePages, clock: new ManualClock() },
        state,
        session: state.open(application, 0),
        row: addresses.application(application),
        signal: new AbortController().signal,
        isWithdrawn: false,
      };
      const url = addresses.url(application, '/');
      const asked = { page: 'page', method: 'GET', path: '/', url, expect: 'page', alive: shows(marker) } as const;
      const answer = { kind: 'answer', status: 200, location: undefined, setCookies: [], text } as const;
      expect(await judgeAnswer(sender, asked, answer)).toEqual({ kind: 'live', text });
    },
  );

  it.each(['<p>用户登录</p>', '<a>login</a><input name="password">'])(
    'of the competition site with %s and without its view state is a login page',
    (text) => {
      expect(pageOf(text, 'competition')).toBe('login-page');
    },
  );

  it.each([
    ['JSON whose text holds markers', '{"msg":"Sangine <title>302 Found</title> TWFID"}', 'data'],
    ['what continues a list', ' ]', 'data'],
    [
      'the two hidden fields of the unified login',
      '<html><form><input name="lt" value="LT-1"><input name="execution" value="e1"></form></html>',
      'login-page',
    ],
    ['the academic system’s own login form', '<form action="/j_spring_security_check">', 'login-page'],
    ['HTML where JSON was due', '\uFEFF \n<html><body>maintenance</body></html>', 'html-for-json'],
    ['a blank', ' \r\n', 'empty'],
  ])('of %s: %j', (_, text, verdict) => {
    expect(jsonOf(text)).toBe(verdict);
  });

  it('without any marker says nothing', () => {
    expect(pageOf('<html><body>new layout</body></html>')).toBe('unmarked-page');
  });
});
