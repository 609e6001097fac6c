import { describe, expect, it } from 'vitest';
import { imageOf } from '../../../../../src/campus/contract/sign-in.ts';
import {
  maskPhone,
  parseCodeChecked,
  parseSent,
} from '../../../../../src/campus/products/ssl-vpn/second-step-pages.ts';

describe('what was sent', () => {
  it.each([
    [
      '<Auth><ErrorCode>1</ErrorCode><USER_PHONE>138****0000;15912341111</USER_PHONE><SmsSendInterval>178</SmsSendInterval><IS_IN_PERIOD>1</IS_IN_PERIOD></Auth>',
      { kind: 'sent', phones: ['138****0000', '15912341111'], resendAfter: 178, stillValid: false, done: true },
    ],
    [
      '<Auth><ErrorCode>1</ErrorCode><SmsIsStillValid>42</SmsIsStillValid></Auth>',
      { stillValid: true, resendAfter: 42 },
    ],
    [
      '<Auth><ErrorCode>1</ErrorCode><SmsIsStillValid>1</SmsIsStillValid></Auth>',
      { stillValid: false, resendAfter: 60 },
    ],
    ['<Auth><ErrorCode>20016</ErrorCode></Auth>', { kind: 'refused', resendAfter: 180 }],
    ['<Auth><ErrorCode>20045</ErrorCode><disableTime>25</disableTime></Auth>', { kind: 'refused', resendAfter: 25 }],
    ['<Auth><Note>短信发送过于频繁</Note></Auth>', { kind: 'refused', resendAfter: 180 }],
    ['<Auth><ErrorCode>20026</ErrorCode></Auth>', { kind: 'gone' }],
    ['session timedout', { kind: 'gone' }],
    ['<Auth><Message>会话已过期</Message></Auth>', { kind: 'gone' }],
    ['<Auth><Message>Too many requests</Message></Auth>', { kind: 'refused', resendAfter: 180 }],
    ['<Auth><Result>0</Result><ErrorCode>1</ErrorCode></Auth>', { kind: 'sent', done: false }],
    // It says nothing: a code may be on its way.
    ['<html>maintenance</html>', { kind: 'sent', done: false, phones: [], resendAfter: 60 }],
  ])('%s', (text, said) => {
    expect(parseSent(text)).toMatchObject(said);
  });
});

it('only the first eight phones of an answer count', () => {
  const phones = Array.from({ length: 10 }, (_, at) => `1380000000${at}`);
  const said = parseSent(`<Auth><ErrorCode>1</ErrorCode><USER_PHONE>${phones.join(';')}</USER_PHONE></Auth>`);
  expect(said).toMatchObject({ phones: phones.slice(0, 8) });
});

it('a phone that the portal has not masked is masked here', () => {
  expect(['138****0000', '15912341111', '110'].map(maskPhone)).toEqual(['138****0000', '159****1111', '110']);
});

describe('a code by SMS', () => {
  it.each([
    ['<Auth><ErrorCode>1</ErrorCode><Result>1</Result><TwfID>0a1b</TwfID><NextAuth>-1</NextAuth></Auth>', 'passed'],
    ['<Auth>Auth sms suc</Auth>', 'passed'],
    ['<Auth><Result>1</Result></Auth>', 'passed'],
    ['欢迎访问', 'passed'],
    ['<Auth><ErrorCode>20021</ErrorCode><TwfID>0a1b</TwfID></Auth>', 'unknown'],
    ['<Auth><Result>0</Result><ErrorCode>20012</ErrorCode></Auth>', 'wrong'],
    ['<Auth><Result>0</Result><Message>短信验证码错误</Message></Auth>', 'wrong'],
    ['<Auth><ErrorCode>20013</ErrorCode><Message>短信验证码已过期</Message></Auth>', 'expired'],
    ['<Auth><ErrorCode>20035</ErrorCode></Auth>', 'gone'],
    ['<Auth><Result>1</Result><NextService>auth/token</NextService></Auth>', 'next'],
    ['<Auth><Result>1</Result><ErrorCode>1</ErrorCode><NextAuth>0</NextAuth></Auth>', 'unknown'],
    ['<html>502</html>', 'unknown'],
    ['', 'unknown'],
    // What stands beside a 0 is no success.
    ['<Auth><Result>0</Result><ErrorCode>1</ErrorCode><CurAuth>2</CurAuth></Auth>', 'unknown'],
    ['<Auth><Result>0</Result><Message>Auth sms suc</Message></Auth>', 'unknown'],
    ['<Auth><Message>短信认证成功</Message></Auth>', 'passed'],
    ['<Auth><Message>Welcome</Message></Auth>', 'passed'],
    ['<Auth><Message>短信认证未成功</Message></Auth>', 'unknown'],
    ['<Auth><Message>Auth sms not successful</Message></Auth>', 'unknown'],
    ['<Auth><ErrorCode>1</ErrorCode><!-- 错误 --></Auth>', 'passed'],
    ['<Auth><Message>The code is incorrect</Message></Auth>', 'wrong'],
    ['<Auth><Message>The characters are incorrect or has expired!</Message></Auth>', 'wrong'],
    ['<Auth><Message>验证码不正确</Message></Auth>', 'wrong'],
    ['<Auth><Message>The SMS code has expired</Message></Auth>', 'expired'],
    ['<Auth><Message>会话已超时，请重新登录</Message></Auth>', 'gone'],
  ])('%s is %s', (text, kind) => {
    expect(parseCodeChecked('sms', text).kind).toBe(kind);
  });
});

describe('a one-time password', () => {
  it.each([
    [
      '<Auth><ErrorMsg>Successful</ErrorMsg><ErrorCode>1</ErrorCode><Result>1</Result><CurAuth>7</CurAuth></Auth>',
      'passed',
    ],
    ['<Auth><TwfID>af80</TwfID>Totp auth succ</Auth>', 'passed'],
    ['<Auth><Result>0</Result><ErrorCode>20014</ErrorCode><Message>Totp auth not successful</Message></Auth>', 'wrong'],
    ['<Auth><Result>0</Result></Auth>', 'wrong'],
    [
      '<Auth><Result>0</Result><pwpErrorCode>1</pwpErrorCode><ErrorCode>1</ErrorCode><CurAuth>2</CurAuth></Auth>',
      'wrong',
    ],
    ['<Auth><Message>动态口令认证成功</Message></Auth>', 'passed'],
    ['<Auth><Message>动态口令认证失败</Message></Auth>', 'unknown'],
    ['<Auth><Message>认证未通过</Message></Auth>', 'unknown'],
    ['<Auth><Message>动态口令错误</Message></Auth>', 'wrong'],
    ['<Auth><ErrorCode>20026</ErrorCode></Auth>', 'gone'],
    ['<Auth><Result>1</Result><NextService>auth/sms</NextService></Auth>', 'next'],
    ['<html>502</html>', 'unknown'],
  ])('%s is %s', (text, kind) => {
    expect(parseCodeChecked('totp', text).kind).toBe(kind);
  });
});

it('an image is recognised by its first bytes', () => {
  const types = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    [0xff, 0xd8, 0xff, 0xe0],
    [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
    [0x3c, 0x68, 0x74, 0x6d, 0x6c],
    [],
  ].map((bytes) => imageOf(new Uint8Array(bytes))?.type ?? null);
  expect(types).toEqual(['image/png', 'image/jpeg', 'image/gif', null, null]);
});

it.each([
  ['账号已被锁定，请10分钟后再试', 'locked'],
  ['Your account is locked', 'locked'],
  ['不符合登录策略，拒绝访问', 'no-access'],
  ['系统维护中', 'closed'],
])('an answer to a code that says %s does not call the code wrong', (text, meaning) => {
  const page = `<Auth><Result>0</Result><ErrorCode>1</ErrorCode><Message><![CDATA[${text}]]></Message></Auth>`;
  for (const kind of ['sms', 'totp'] as const)
    expect(parseCodeChecked(kind, page)).toMatchObject({ kind: 'told', meaning });
});
