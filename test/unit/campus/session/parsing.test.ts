import { describe, expect, it } from 'vitest';
import { createSslVpn } from '../../../../src/campus/portal/ssl-vpn.ts';
import { CookieJars } from '../../../../src/campus/session/cookies.ts';
import { applicationTicketIn } from '../../../../src/campus/session/open-application.ts';
import { encodeForm } from '../../../../src/campus/session/request-scope.ts';

describe('application ticket in a redirect', () => {
  it.each([
    ['http://web/#/register?ticket=u8Jr%2F3kQ%2BZp0Yw%3D%3D', 'u8Jr/3kQ+Zp0Yw=='],
    ['http://web/#/register?ticket=a+b', 'a+b'],
    ['http://web/#/register?ticket=abc&next=ticket=zzz', 'abc'],
    ['http://web/register?ticket=abc#frag', 'abc'],
    ['http://web/#/register?ticket=', null],
    ['http://web/#/register?ticket=ST-88-x-cas', null],
    ['http://web/#/register?ticket=%0d%0aX%3Ay', null],
    ['http://web/#/register?ticket=%E0%A4%A', null],
    ['http://api/User/Index/CoreLoginCallback?isCASGateway=true&ticket=ST-1', null],
  ])('%s', (location, expected) => {
    expect(applicationTicketIn(location, 'register?ticket=')).toBe(expected);
  });
});

const portal = createSslVpn({ vpnUrl: 'https://vpn.campus.example', vpnDomain: 'vpn.campus.example' });

describe('cookies', () => {
  const a = new URL('http://127.0.0.1:4001/cas/login');
  const b = new URL('http://127.0.0.1:4002/');

  it('of two systems on one host with one name stay apart', () => {
    const jars = new CookieJars(portal);
    jars.store(a, ['JSESSIONID=one; Path=/; HttpOnly']);
    jars.store(b, ['JSESSIONID=two; Path=/; HttpOnly']);
    expect(jars.header(a, null)).toBe('JSESSIONID=one');
    expect(jars.header(b, null)).toBe('JSESSIONID=two');
  });

  it('never hold the TWFID, which is sent explicitly and once', () => {
    const jars = new CookieJars(portal);
    jars.store(b, ['TWFID=fromServer; Path=/; Domain=127.0.0.1', 'twfid=other', 'JSESSIONID=x; Path=/']);
    expect(jars.header(b, 'explicit')).toBe('JSESSIONID=x; TWFID=explicit');
  });

  it('keep to their path and survive export and import', () => {
    const jars = new CookieJars(portal);
    jars.store(a, ['CASTGC=TGT-1-cas; Path=/cas; HttpOnly']);
    const copy = new CookieJars(portal);
    copy.import(a.origin, jars.export(a.origin)!);
    expect(copy.header(a, null)).toBe('CASTGC=TGT-1-cas');
    expect(copy.header(new URL('/other', a), null)).toBe('');
  });
});

describe('forms', () => {
  it('escape what base64 and passwords contain, in order', () => {
    expect(
      encodeForm([
        ['password', 'rG+/==&%'],
        ['lt', '票'],
      ]),
    ).toBe('password=rG%2B%2F%3D%3D%26%25&lt=%E7%A5%A8');
  });
});
