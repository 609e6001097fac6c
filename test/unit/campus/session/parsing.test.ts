import { describe, expect, it } from 'vitest';
import { CookieJars } from '../../../../src/campus/session/cookies.ts';
import { ticketIn } from '../../../../src/campus/session/open-service.ts';
import { parseChallenge, parsePortalAnswer } from '../../../../src/campus/session/portal.ts';
import { isRefusal, parseLoginPage } from '../../../../src/campus/session/unified-login.ts';
import { encodeForm } from '../../../../src/campus/session/wire.ts';

describe('portal challenge', () => {
  const full =
    '<Auth>\n\t<TwfID>5f0c9a3b7e21d846</TwfID>\n<CSRF_RAND_CODE>17</CSRF_RAND_CODE>\n<RSA_ENCRYPT_KEY> AB12 </RSA_ENCRYPT_KEY><RSA_ENCRYPT_EXP>3</RSA_ENCRYPT_EXP></Auth>';

  it('is read element by element, trimmed', () => {
    expect(parseChallenge(full)).toEqual({ twfid: '5f0c9a3b7e21d846', modulusHex: 'AB12', exponent: '3', code: '17' });
  });

  it('without exponent means 65537, without code a bare password', () => {
    const text = '<TwfID>a</TwfID><RSA_ENCRYPT_KEY>AB</RSA_ENCRYPT_KEY>';
    expect(parseChallenge(text)).toEqual({ twfid: 'a', modulusHex: 'AB', exponent: '65537', code: '' });
  });

  it.each([
    '<RSA_ENCRYPT_KEY>AB</RSA_ENCRYPT_KEY>',
    '<TwfID>a</TwfID>',
    '<TwfID>a; Path=/\r\nX: y</TwfID><RSA_ENCRYPT_KEY>AB</RSA_ENCRYPT_KEY>',
    '<html>maintenance</html>',
    '',
  ])('that lacks session id or key, or whose id is no plain word, is malformed: %s', (text) => {
    expect(parseChallenge(text)).toBeNull();
  });
});

describe('portal answer', () => {
  it.each([
    ['<Result>1</Result><TwfID>b2</TwfID>', { kind: 'accepted', twfid: 'b2' }],
    ['<Result>1</Result>', { kind: 'accepted', twfid: null }],
    ['<Message><![CDATA[maybe attacked]]></Message>', { kind: 'guarded' }],
    ['CAPTCHA required', { kind: 'guarded' }],
    ['not allow to login now', { kind: 'guarded' }],
    ['Invalid username or password!', { kind: 'refused' }],
    ['Invalid username or password', { kind: 'unknown' }],
    ['<Result>2</Result>', { kind: 'second-factor' }],
    ['', { kind: 'unknown' }],
  ])('%s', (text, expected) => {
    expect(parsePortalAnswer(text)).toEqual(expected);
  });

  it('puts the guard before the refusal, so that a right password is never called wrong', () => {
    expect(parsePortalAnswer('Invalid username or password! CAPTCHA required')).toEqual({ kind: 'guarded' });
  });
});

describe('login page', () => {
  it.each([
    '<input type="hidden" name="lt" value="LT-1" /><input type="hidden" name="execution" value="e1s1" />',
    '<input value=\'LT-1\' name=\'lt\'><INPUT name="execution" id="x" value="e1s1">',
  ])('is read whatever the order of attributes', (text) => {
    expect(parseLoginPage(text)).toEqual({ lt: 'LT-1', execution: 'e1s1' });
  });

  it.each([
    '<input name="lt" value="LT-1">',
    '<input name="execution" value="e">',
    '<input name="lt" value=""><input name="execution" value="e">',
  ])('without both fields is none: %s', (text) => {
    expect(parseLoginPage(text)).toBeNull();
  });

  it('is a refusal only with one of the two literal texts', () => {
    expect(isRefusal('用户名或密码错误')).toBe(true);
    expect(isRefusal('Invalid username or password.')).toBe(true);
    expect(isRefusal('var errorMsg = ""')).toBe(false);
  });
});

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
    expect(ticketIn(location)).toBe(expected);
  });
});

describe('cookies', () => {
  const a = new URL('http://127.0.0.1:4001/cas/login');
  const b = new URL('http://127.0.0.1:4002/');

  it('of two systems on one host with one name stay apart', () => {
    const jars = new CookieJars();
    jars.store(a, ['JSESSIONID=one; Path=/; HttpOnly']);
    jars.store(b, ['JSESSIONID=two; Path=/; HttpOnly']);
    expect(jars.header(a, null)).toBe('JSESSIONID=one');
    expect(jars.header(b, null)).toBe('JSESSIONID=two');
  });

  it('never hold the TWFID, which is sent explicitly and once', () => {
    const jars = new CookieJars();
    jars.store(b, ['TWFID=fromServer; Path=/; Domain=127.0.0.1', 'twfid=other', 'JSESSIONID=x; Path=/']);
    expect(jars.header(b, 'explicit')).toBe('JSESSIONID=x; TWFID=explicit');
  });

  it('keep to their path and survive export and import', () => {
    const jars = new CookieJars();
    jars.store(a, ['CASTGC=TGT-1-cas; Path=/cas; HttpOnly']);
    const copy = new CookieJars();
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
