import { describe, expect, it } from 'vitest';
import type { CampusWiring } from '../../../../src/campus/manifest.ts';
import { judgePage, judgeRedirect } from '../../../../src/campus/session/judge.ts';
import type { Upstream } from '../../../../src/campus/upstreams.ts';
import { addressesOf } from '../../../support/addresses-of.ts';
import { mappedWiring as mapped } from '../../../support/unused-wiring.ts';

/** Everything on one host, where only the port differs; one port even begins with 443. */
const shared: CampusWiring = {
  ...mapped,
  vpnUrl: 'http://127.0.0.1:4001',
  vpnDomain: '127.0.0.1',
  casUrl: 'http://127.0.0.1:44312/cas',
  jwcUrl: 'http://127.0.0.1:4003',
  aacUrl: 'http://127.0.0.1:4004',
  ldjlbUrl: 'http://127.0.0.1:4005',
  isimUrl: 'http://127.0.0.1:4006',
  competitionUrl: 'http://127.0.0.1:4007',
};

const layouts = [
  ['mapped hosts', mapped],
  ['one shared host', shared],
] as const;

describe.each(layouts)('a redirect, with %s', (_name, wiring) => {
  const addresses = addressesOf(wiring);
  const judge = (upstream: Upstream, location: string | undefined, path = '/main') =>
    judgeRedirect(addresses, upstream, addresses.url(upstream, path), location);
  const vpnHost = new URL(wiring.vpnUrl).hostname;

  it('to the literal port 443 of the portal with redirect_uri means the portal session is dead', () => {
    const location = `https://${vpnHost}:443/?redirect_uri=http%3A%2F%2Fjwc%2Fpath`;
    expect(judge('jwc', location)).toEqual({ kind: 'portal-expired' });
  });

  it('to the portal origin means the portal session is dead', () => {
    expect(judge('jwc', `${wiring.vpnUrl}/portal/`)).toEqual({ kind: 'portal-expired' });
  });

  it('to the bare portal host on an origin that no system has means the portal session is dead', () => {
    expect(judge('aac', `http://${vpnHost}:9/anything`)).toEqual({ kind: 'portal-expired' });
  });

  it('below the unified login means the application session is dead, and tells which service was asked for', () => {
    const service = 'http://10.1.2.3/xsXmMain.aspx';
    const location = `${wiring.casUrl}/login?service=${encodeURIComponent(service)}`;
    expect(judge('competition', location)).toEqual({ kind: 'application-expired', service });
  });

  it('below the unified login with a redirect_uri in its query is no portal redirect', () => {
    expect(judge('jwc', `${wiring.casUrl}/login?redirect_uri=x`)).toEqual({
      kind: 'application-expired',
      service: null,
    });
  });

  it.each(['/login?errorCode=concurrentSessionExpired', '/gotoLogin', '/admin/login'])(
    'of the academic system to its own %s means the application session is dead',
    (path) => {
      expect(judge('jwc', wiring.jwcUrl + path)).toEqual({ kind: 'application-expired', service: null });
    },
  );

  it('of the electricity site to anywhere means its session is lost', () => {
    expect(judge('isim', `${wiring.isimUrl}/error`)).toEqual({ kind: 'application-expired', service: null });
  });

  it('inside the application is followed', () => {
    expect(judge('jwc', `${wiring.jwcUrl}/index?a=1`)).toEqual({
      kind: 'follow',
      target: new URL(`${wiring.jwcUrl}/index?a=1`),
    });
  });

  it('to the inner host of a configured service is followed at its mapped address', () => {
    expect(judge('jwc', 'http://jwc.campus.example/index')).toEqual({
      kind: 'follow',
      target: new URL(`${wiring.jwcUrl}/index`),
    });
  });

  it('that leaves the configured origins is an error', () => {
    expect(judge('jwc', 'http://elsewhere.example/')).toEqual({ kind: 'astray', reason: 'leaves-campus' });
  });

  it.each([undefined, ''])('without an address (%s) is an error', (location) => {
    expect(judge('jwc', location)).toEqual({ kind: 'astray', reason: 'no-location' });
  });
});

const addresses = addressesOf(mapped);
const portalPage = (marker: string) => `<!DOCTYPE html>\n<html><head></head><body>${marker}</body></html>`;

describe('a page with status 200', () => {
  const asJson = { kind: 'json' } as const;
  const asPage = (marker: string) => ({ kind: 'page', alive: (text: string) => text.includes(marker) }) as const;

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
    expect(judgePage(addresses, 'jwc', portalPage(marker), asJson)).toBe('portal-expired');
    expect(judgePage(addresses, 'jwc', portalPage(marker), asPage('planCode'))).toBe('portal-expired');
  });

  it('is alive when it shows its own marker, also where it mentions others', () => {
    const text = portalPage('TWFID svpn_name Sangine <select id="planCode">');
    expect(judgePage(addresses, 'jwc', text, asPage('planCode'))).toBe('alive');
  });

  it('with the two hidden fields of the unified login is a login page', () => {
    const text = '<html><form><input name="lt" value="LT-1"><input name="execution" value="e1"></form></html>';
    expect(judgePage(addresses, 'jwc', text, asJson)).toBe('login-page');
  });

  it('with the academic system’s own login form is a login page', () => {
    expect(judgePage(addresses, 'jwc', '<form action="/j_spring_security_check">', asJson)).toBe('login-page');
  });

  it.each(['<p>用户登录</p>', '<a>login</a><input name="password">'])(
    'of the competition site with %s and without its view state is a login page',
    (text) => {
      expect(judgePage(addresses, 'competition', text, asPage('__VIEWSTATE'))).toBe('login-page');
      expect(judgePage(addresses, 'competition', `${text}__VIEWSTATE`, asPage('__VIEWSTATE'))).toBe('alive');
    },
  );

  it('is not searched for markers when it is JSON: a text field may hold them', () => {
    expect(judgePage(addresses, 'aac', '{"msg":"Sangine <title>302 Found</title> TWFID"}', asJson)).toBe('alive');
    expect(judgePage(addresses, 'jwc', ' ]', asJson)).toBe('alive');
  });

  it('that is HTML where JSON was due is unknown', () => {
    expect(judgePage(addresses, 'jwc', '\uFEFF \n<html><body>maintenance</body></html>', asJson)).toBe('html-for-json');
  });

  it('without its marker and without any other is a changed page, not a dead session', () => {
    expect(judgePage(addresses, 'jwc', '<html><body>new layout</body></html>', asPage('planCode'))).toBe(
      'unmarked-page',
    );
  });

  it('that is blank is empty', () => {
    expect(judgePage(addresses, 'jwc', ' \r\n', asJson)).toBe('empty');
  });
});
