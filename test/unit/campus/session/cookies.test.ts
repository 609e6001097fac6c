import { describe, expect, it } from 'vitest';
import { SslVpn } from '../../../../src/campus/products/ssl-vpn/index.ts';
import { CookieJars } from '../../../../src/campus/session/cookies.ts';

const portal = new SslVpn({ url: 'https://vpn.campus.example', domain: 'vpn.campus.example' });

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

  it('that a server has ended are not sealed', () => {
    const jars = new CookieJars(portal);
    jars.store(a, ['CASTGC=TGT-1; Path=/cas']);
    jars.store(a, ['CASTGC=; Path=/cas; Max-Age=0']);
    expect(jars.export(a.origin)).toBeNull();
    jars.store(a, ['CASTGC=TGT-2; Path=/cas', 'old=1; Path=/cas; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
    expect(jars.export(a.origin)).toMatch(/TGT-2(?!.*"old")/);
  });

  it('never hold the TWFID, which is sent explicitly and once', () => {
    const jars = new CookieJars(portal);
    jars.store(b, ['TWFID=fromServer; Path=/; Domain=127.0.0.1', 'twfid=other', 'JSESSIONID=x; Path=/']);
    expect(jars.header(b, 'explicit')).toBe('JSESSIONID=x; TWFID=explicit');
  });

  it('of a server that names a new one with every answer are 50 at most, and the session stays', () => {
    const jars = new CookieJars(portal);
    jars.store(a, ['JSESSIONID=first; Path=/']);
    for (let i = 0; i < 200; i += 1) jars.store(a, [`visit${i}=${i}; Path=/`, `page${i}=1; Path=/p/${i}`]);
    jars.store(a, ['JSESSIONID=second; Path=/']);
    expect(jars.header(a, null)).toMatch(/^JSESSIONID=second; visit0=0; /);
    expect(JSON.parse(jars.export(a.origin)!).cookies).toHaveLength(50);
  });

  it('keep to their path and survive export and import', () => {
    const jars = new CookieJars(portal);
    jars.store(a, ['CASTGC=TGT-1-cas; Path=/cas; HttpOnly']);
    const copy = new CookieJars(portal);
    copy.import(a.origin, jars.export(a.origin)!);
    expect(copy.header(a, null)).toBe('CASTGC=TGT-1-cas');
    expect(copy.header(new URL('/other', a), null)).toBe('');
  });

  it('that were stored and cannot be read are none, and new ones are taken', () => {
    const jars = new CookieJars(portal);
    jars.import(b.origin, '{"cookies":');
    expect(jars.header(b, null)).toBe('');
    jars.store(b, ['JSESSIONID=x; Path=/']);
    expect(jars.header(b, null)).toBe('JSESSIONID=x');
  });

  it('are exported the same after they were used, and not at all where there are none', () => {
    const jars = new CookieJars(portal);
    expect(jars.export(b.origin)).toBeNull();
    jars.store(b, ['JSESSIONID=x; Path=/']);
    const text = jars.export(b.origin);
    expect(text).not.toContain('lastAccessed');
    expect(jars.header(b, null)).toBe('JSESSIONID=x');
    expect(jars.export(b.origin)).toBe(text);
  });
});
