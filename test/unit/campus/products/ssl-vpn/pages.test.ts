import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  isWholeSession,
  oddities,
  parseChallenge,
  parsePortalAnswer,
} from '../../../../../src/campus/products/ssl-vpn/pages.ts';

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
      captcha: false,
    });
  });

  it('with RndImg 1 announces an image', () => {
    const announced = full.replace('</TwfID>', '</TwfID><RndImg>1</RndImg>');
    expect(parseChallenge(announced)).toEqual({ ...parseChallenge(full), captcha: true });
  });

  it('without exponent means 65537, without code a bare password', () => {
    const text = '<TwfID>a</TwfID><RSA_ENCRYPT_KEY>AB</RSA_ENCRYPT_KEY>';
    expect(parseChallenge(text)).toEqual({
      kind: 'challenge',
      session: 'a',
      modulusHex: 'AB',
      exponent: '65537',
      code: '',
      captcha: false,
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

/** A text as the portal may also spell it: with the elements in another order, one more of them, CDATA, another case. */
const spellings = (text: string): string[] => {
  const elements = text.match(/<(\w+)>[^<]*(?:<!\[CDATA\[.*?\]\]>)?<\/\1>/g) ?? [];
  const more = '<Unheard>of</Unheard>';
  return [
    text,
    `<Auth>${elements.toReversed().join('\n')}</Auth>`,
    `<Auth>${more}${elements.join('')}`,
    text.replaceAll(/<(\w+)>([^<]+)<\//g, '<$1>\n <![CDATA[$2]]> </'),
    text.replaceAll(/<(\/?)(\w+)>/g, (_, slash: string, name: string) => `<${slash}${name.toUpperCase()}>`),
  ];
};

const auth = (elements: string): string => `<Auth>${elements}</Auth>`;
const step = (wanted: string) => ({ kind: 'second-step', wanted, session: null });
const look = (otherwise: string | null) => ({ kind: 'unproven', session: null, otherwise });
const accepted = { kind: 'accepted', session: null };
const told = (meaning: string) => ({ kind: 'told', meaning });
const guarded = told('attacked');
const imageAsked = told('image');
const notAllowed = told('no-access');
const unknown = expect.objectContaining({ kind: 'unknown' });

describe('portal answer', () => {
  it.each([
    ['<Result>1</Result><TwfID>b2</TwfID>', { kind: 'accepted', session: 'b2' }],
    ['<Result>1</Result>', accepted],
    ['<ErrorCode>1</ErrorCode>', accepted],
    ['<Result>1</Result><ErrorCode>1</ErrorCode><NextAuth>-1</NextAuth>', accepted],
    ['<Result>1</Result><ErrorCode>1</ErrorCode><NextAuth></NextAuth><NextService></NextService>', accepted],
    ['<Result>1</Result><ErrorCode>4711</ErrorCode>', accepted],
    ['<Result>1</Result><ErrorCode>1</ErrorCode><pwpErrorCode>3</pwpErrorCode>', accepted],
    ['<Result>0</Result><ErrorCode>1</ErrorCode>', unknown],
    ['<Message>maybe attacked</Message>', guarded],
    ['<Result>0</Result><ErrorCode>20021</ErrorCode><Message>maybe attacked</Message>', guarded],
    ['<Result>0</Result><ErrorCode>20041</ErrorCode>', guarded],
    ['<Result>0</Result><ErrorCode>20023</ErrorCode><RndImg>1</RndImg>', imageAsked],
    ['<Result>0</Result><ErrorCode>20043</ErrorCode><Note>校验码错误或校验码已过期</Note>', imageAsked],
    ['<Result>0</Result><ErrorCode>20268</ErrorCode>', imageAsked],
    ['<Result>0</Result><ErrorCode>20113</ErrorCode>', notAllowed],
    ['<Message>not allow to login now</Message>', notAllowed],
    ['<Result>0</Result><ErrorCode>20004</ErrorCode>', told('refused')],
    ['<Result>0</Result><ErrorCode>20041</ErrorCode><Note>Invalid username or password!</Note>', guarded],
    ['<Message>Invalid username or password!</Message>', told('refused')],
    ['<Message>Invalid username or password</Message>', told('refused')],
    ['<Result>1</Result><ErrorCode>20004</ErrorCode>', accepted],
    [
      '<Result>1</Result><ErrorCode>1</ErrorCode><CurAuth>1</CurAuth><NextAuth>2</NextAuth><NextService>auth/sms</NextService>',
      step('sms'),
    ],
    ['<ErrorCode>1</ErrorCode><NextService>sms</NextService>', step('sms')],
    ['<Result>2</Result><NextService>auth/sms</NextService><SmsIsStillValid>42</SmsIsStillValid>', step('sms')],
    ['<Result>2</Result>', step('sms')],
    ['<Result>1</Result><NextAuth>2</NextAuth>', step('sms')],
    ['<Result>1</Result><ErrorCode>20011</ErrorCode>', step('sms')],
    ['<Result>1</Result><NextAuth>7</NextAuth>', step('totp')],
    ['<Result>1</Result><NextAuth>2</NextAuth><NextService>auth/token</NextService>', step('totp')],
    ['<Result>1</Result><NextServiceSubType>totp</NextServiceSubType>', step('totp')],
    ['<Result>1</Result><NextService>auth/logincert</NextService>', step('certificate')],
    ['<Result>1</Result><NextService>auth/hid</NextService>', step('hardware')],
    ['<Result>1</Result><NextService>auth/radius</NextService>', step('challenge-response')],
    ['<Result>1</Result><NextService>auth/wechat</NextService>', step('wechat')],
    ['<Result>1</Result><NextAuth>9</NextAuth><NextService>auth/other</NextService>', step('unknown')],
    ['<Result>1</Result><ErrorCode>40001</ErrorCode>', step('unknown')],
    ['<Result>1</Result><ErrorCode>49999</ErrorCode>', step('unknown')],
    ['<Result>1</Result><ErrorCode>40000</ErrorCode>', accepted],
    ['<Result>0</Result><NextAuth>2</NextAuth>', step('sms')],
    ['<ErrorCode>1</ErrorCode><NextAuth>0</NextAuth>', step('certificate')],
    ['<Result>1</Result><ErrorCode>1</ErrorCode><NextAuth>0</NextAuth>', look('certificate')],
    ['<Result>1</Result><ErrorCode>1</ErrorCode><NextAuth>9</NextAuth>', look('unknown')],
    ['<Result>1</Result><ErrorCode>20021</ErrorCode>', look(null)],
    ['<Result>1</Result><Message>user had logged in</Message>', look(null)],
    ['<Result>1</Result><ErrorCode>20021</ErrorCode><NextAuth>2</NextAuth>', step('sms')],
    ['<Other>1</Other>', unknown],
  ])('%s', (elements, expected) => {
    for (const text of spellings(auth(elements))) expect(parsePortalAnswer(text), text).toEqual(expected);
  });

  it.each(['', ' ', '<Result>', '<Result>1', '<html>hello</html>'])('that says nothing is unknown: %s', (text) => {
    expect(parsePortalAnswer(text)).toEqual(unknown);
  });

  it.each([
    ['<Result>0</Result><Message>疑似攻击</Message>', guarded],
    ['<Result>0</Result><Note>请输入校验码</Note>', imageAsked],
    ['<Result>0</Result><NextAuth>-1</NextAuth><Note>验证码不正确</Note>', imageAsked],
    ['<Result>0</Result><ErrorCode>20004</ErrorCode><Note>校验码错误</Note>', imageAsked],
    ['<Result>0</Result><Message>用户名或密码错误</Message>', told('refused')],
    ['<Result>0</Result><NextAuth>0</NextAuth><Message>用户名或密码错误！</Message>', told('refused')],
    ['<Result>0</Result><ErrorCode>20004</ErrorCode><Message>账号已锁定</Message>', told('locked')],
    ['<Result>0</Result><ErrorCode>20041</ErrorCode><Message>用户名或密码错误</Message>', guarded],
    ['<Result>0</Result><Message>不允许登录</Message>', notAllowed],
    ['<Result>0</Result><ErrorCode>20048</ErrorCode>', notAllowed],
    ['<Result>0</Result><Note>不符合登录策略，拒绝访问</Note>', notAllowed],
    ['<Result>0</Result><Message>密码已过期，请修改密码</Message>', told('change')],
    ['<Result>0</Result><Message>系统维护中</Message>', told('closed')],
    ['<Result>0</Result><Message>Please enter the SMS code</Message>', told('sms')],
    ['<Result>0</Result><NextAuth>2</NextAuth><Message>请输入短信验证码</Message>', step('sms')],
    // Beside a success a text is a remark.
    ['<Result>1</Result><Message>密码即将过期，请修改密码</Message>', accepted],
    ['<Result>1</Result><NextAuth>2</NextAuth><Message>请输入验证码</Message>', step('sms')],
    ['<Result>1</Result><Message>用户已登录</Message>', look(null)],
    ['<ErrorCode>20021</ErrorCode><Message>该用户已经登录</Message>', look(null)],
  ])('in words: %s', (elements, expected) => {
    for (const text of spellings(auth(elements))) expect(parsePortalAnswer(text), text).toEqual(expected);
  });

  it.each([
    ['f11-psw-captcha-wrong-english.xml', imageAsked],
    ['f12-psw-policy-20048.xml', notAllowed],
    ['f13-second-step-result0-code1.xml', unknown],
  ])('recorded: %s', (name, expected) => {
    expect(parsePortalAnswer(readFileSync(`test/fixtures/field/${name}`, 'utf8'))).toEqual(expected);
  });

  it('with comments says what stands beside them', () => {
    const refused = '<!-- <Result>1</Result> --><Result><!-- 1 -->0</Result><!-- --><Message>密码错误</Message>';
    expect(parsePortalAnswer(auth(refused))).toEqual(told('refused'));
    expect(parsePortalAnswer(auth('<Result>1</Result><!-- Invalid username or password! -->'))).toEqual(accepted);
    expect(parsePortalAnswer(auth('<Note><![CDATA[a <!-- b]]></Note><Result>1</Result>'))).toEqual(accepted);
    expect(parsePortalAnswer('<script>var t = "maybe attacked";</script><Result>1</Result>')).toEqual(accepted);
  });

  it('gives the words of what nobody knows', () => {
    expect(parsePortalAnswer(auth('<Result>0</Result><Note>异常 7</Note>'))).toEqual({
      kind: 'unknown',
      words: '异常 7',
    });
  });

  it('names the session only by a plain word', () => {
    expect(parsePortalAnswer('<Result>1</Result><TwfID>a; Path=/</TwfID>')).toEqual(accepted);
  });
});

describe('a look at a session', () => {
  it.each([
    ['<Conf><Version>7</Version></Conf>', true],
    ['<?xml version="1.0"?>\n<conf id="1">', true],
    ['<Auth><ErrorCode>20026</ErrorCode></Auth>', false],
    ['<Auth><ErrorCode>20035</ErrorCode></Auth>', false],
    ['<Auth><Message>session timedout</Message></Auth>', false],
    ['<Auth><ErrorCode>1</ErrorCode></Auth>', null],
    ['<Configuration/>', null],
    ['', null],
  ])('%s', (text, whole) => {
    expect(isWholeSession(text)).toBe(whole);
  });
});

it('numbers that were never seen are reported by name, texts never', () => {
  expect(oddities(auth('<ErrorCode>1</ErrorCode><NextAuth>-1</NextAuth><pwpErrorCode>0</pwpErrorCode>'))).toEqual([]);
  expect(
    oddities(auth('<ErrorCode>20099</ErrorCode><NextAuth>13800000000</NextAuth><pwpErrorCode>x</pwpErrorCode>')),
  ).toEqual(['ErrorCode 20099']);
  for (const code of [20004, 20011, 20021, 20041, 20113]) {
    expect(oddities(auth(`<ErrorCode>${code}</ErrorCode>`))).toEqual([]);
  }
  const steps = ['0', '2', '7', '9'].flatMap((value) => oddities(auth(`<NextAuth>${value}</NextAuth>`)));
  expect(steps).toEqual(['NextAuth 0', 'NextAuth 9']);
});

it.each(['<RndImg> 1 </RndImg>', '<rndimg>1</rndimg>', '<RndImg><![CDATA[1]]></RndImg>', '<RndImg>true</RndImg>'])(
  'an image is wanted, however the challenge says it: %s',
  (mark) => {
    const challenge = (more: string) =>
      parseChallenge(`<Auth><TwfID>ab</TwfID><RSA_ENCRYPT_KEY>D1</RSA_ENCRYPT_KEY>${more}</Auth>`);
    expect(challenge(mark)?.captcha).toBe(true);
    for (const none of ['', '<RndImg>0</RndImg>', '<RndImg></RndImg>']) expect(challenge(none)?.captcha).toBe(false);
  },
);
