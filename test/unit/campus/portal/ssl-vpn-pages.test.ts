import { describe, expect, it } from 'vitest';
import { parseChallenge, parsePortalAnswer } from '../../../../src/campus/portal/ssl-vpn-pages.ts';

describe('portal challenge', () => {
  const full =
    '<Auth>\n\t<TwfID>5f0c9a3b7e21d846</TwfID>\n<CSRF_RAND_CODE>17</CSRF_RAND_CODE>\n<RSA_ENCRYPT_KEY> AB12 </RSA_ENCRYPT_KEY><RSA_ENCRYPT_EXP>3</RSA_ENCRYPT_EXP></Auth>';

  it('is read element by element, trimmed', () => {
    expect(parseChallenge(full)).toEqual({
      kind: 'challenge',
      session: '5f0c9a3b7e21d846',
      modulusHex: 'AB12',
      exponent: '3',
      code: '17',
    });
  });

  it('with RndImg 1 is like any other: only the answer to the credentials tells whether a captcha is due', () => {
    expect(parseChallenge(full.replace('</TwfID>', '</TwfID><RndImg>1</RndImg>'))).toEqual(parseChallenge(full));
  });

  it('without exponent means 65537, without code a bare password', () => {
    const text = '<TwfID>a</TwfID><RSA_ENCRYPT_KEY>AB</RSA_ENCRYPT_KEY>';
    expect(parseChallenge(text)).toEqual({
      kind: 'challenge',
      session: 'a',
      modulusHex: 'AB',
      exponent: '65537',
      code: '',
    });
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
    ['<Result>1</Result><TwfID>b2</TwfID>', { kind: 'accepted', session: 'b2' }],
    ['<Result>1</Result>', { kind: 'accepted', session: null }],
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
