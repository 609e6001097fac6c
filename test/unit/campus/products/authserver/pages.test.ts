import { createDecipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  encryptPassword,
  parseLoginPage,
  parseQuestion,
  SALT,
  unknownCipher,
} from '../../../../../src/campus/products/authserver/pages.ts';
import {
  parseChecked,
  parseRefusal,
  parseSecondStep,
  parseSent,
} from '../../../../../src/campus/products/authserver/second-step-pages.ts';

const salt = 'Qw3rTyKp8sDfGh2J';
const fixed = ['A'.repeat(64), Buffer.alloc(16, 'B')] as const;

describe('the password', () => {
  it.each([
    [
      salt,
      'yuBrWwfIRtZZDsUDLw5hYxFqKVPzE+x4k5fWplWUApSgn4nvatQqqVQ5jmSZNKHoBPrT4gcl3oXrGoJlXj+6ReCfJ8vAaSg4TCdhuQPcFOo=',
    ],
    [
      salt + salt,
      'AVp4z13uYNl214iBiK40IZKp4dqlzUpoyPrLoLUMtTcNieSt12KLrC2dd4ig2UyxLNHdD1TfF4MqltEhpRhz7ZQBdLYXvcWMHYgD+Lcmu1Y=',
    ],
  ])('is encrypted under the salt %s', (key, expected) => {
    expect(encryptPassword('demo-password', key, ...fixed)).toBe(expected);
  });

  it('can be read under any iv, and is never encrypted twice alike', () => {
    const [one, other] = [encryptPassword('demo-password', salt), encryptPassword('demo-password', salt)];
    expect(one).not.toBe(other);
    const decipher = createDecipheriv('aes-128-cbc', salt, Buffer.alloc(16));
    const clear = Buffer.concat([decipher.update(one ?? '', 'base64'), decipher.final()]);
    expect(clear.subarray(64).toString()).toBe('demo-password');
  });

  it.each(['', 'short', 'x'.repeat(20), 'x'.repeat(33), '盐'.repeat(16)])('is not encrypted under %s', (key) => {
    expect(encryptPassword('demo-password', key)).toBeNull();
  });
});

const form = (more = '', id = 'pwdFromId') =>
  `<form id="qrLoginForm"><input name="uuid" value="x"><input name="execution" value="wrong"></form>
<form id="${id}"><input name="username"><input type="password" name="passwordText"><input type="hidden" name="password">
<input type="hidden" name="execution" value="e1s1">${more}</form>`;

describe('a login page', () => {
  it.each([
    ['by what its form is for', form('<input name="cllt" value="userNameLogin">', 'other'), 'captcha'],
    ['by the id of its form', form(), 'captcha'],
    [
      'of the older kind',
      form('<input name="rmShown" value= 1><input type="checkbox" name="rememberMe">', 'casLoginForm'),
      'captchaResponse',
    ],
  ])('is known %s', (_, page, field) => {
    const read = parseLoginPage(page);
    expect(read).toMatchObject({ execution: 'e1s1', captcha: { field } });
    expect(read?.values).not.toHaveProperty('rememberMe');
    expect(read?.values?.rmShown).toBe(field === 'captcha' ? undefined : '1');
  });

  it('gives the salt of its own name and the first field of each', () => {
    const older = `<script>var oldEncryptSalt = "AbcDef1234567890", pwdEncryptSalt = "${salt}";</script>`;
    const twice = form('<input name="execution" value="e2">');
    expect(parseLoginPage(twice + older)).toMatchObject({ execution: 'e1s1', values: { [SALT]: salt } });
  });

  it.each([
    ['no form', '<form id="qrLoginForm"><input name="execution" value="e1s1"></form>'],
    ['no execution', form().replaceAll('e1s1', '')],
    ['a slider', `${form()}<div>向右滑动完成验证</div>`],
  ])('with %s takes no password', (_, page) => {
    expect(parseLoginPage(page)).toBeNull();
  });

  it.each([
    ['no salt', '', null],
    ['a field with a salt', `<input type="hidden" id="pwdEncryptSalt" value="${salt}" />`, null],
    ['a salt in a script', `<script>var pwdDefaultEncryptSalt = "${salt}";</script>`, null],
    ['blanks around its salt', `<input type="hidden" id="pwdEncryptSalt" value=" ${salt} " />`, null],
    [
      'two salts in scripts',
      `<script>pwdEncryptSalt="${salt}"</script><script>pwdEncryptSalt="AbcDef1234567890"</script>`,
      'pwdEncryptSalt',
    ],
    ['a salt in a comment', `<script>// var pwdDefaultEncryptSalt = "${salt}";\n</script>`, 'pwdDefaultEncryptSalt'],
    ['a salt of another length', '<input type="hidden" id="pwdEncryptSalt" value="12345" />', 'salt of another length'],
    ['an empty salt', '<input type="hidden" id="pwdEncryptSalt" value="" />', 'pwdEncryptSalt'],
    ['a script that encrypts', '<script src="/static/encrypt.js"></script>', 'encrypt'],
  ])('with %s', (_, more, expected) => {
    expect(unknownCipher(form(more))).toBe(expected);
  });
});

it.each([
  ['{"isNeed":false}', false],
  ['{"isNeed":true}', true],
  ['"false"', false],
  ['true', true],
  [' false\n', false],
  ['', null],
  ['<html>', null],
  ['{"isNeed":1}', true],
  ['False', false],
  ['{"isNeed":"perhaps"}', null],
])('the question about the image, answered %s, is %s', (text, expected) => {
  expect(parseQuestion(text)).toBe(expected);
});

describe('the page of a second step', () => {
  const block = `<script>var reAuthParams = {color:"#FF7D00>"};</script>
<script>var reAuthParams = {isSleepAccount:'0',"service":"https://campus.example/x","reAuthType":"3","isMultifactor":"true","reAuthUserId":"2023000001"};</script>`;

  it('is read from the block with most of its members, and from its tabs', () => {
    const read = { service: 'https://campus.example/x', isMultifactor: 'true', user: '2023000001' };
    const tab = (type: string) => `<div class="reauth-tab-item" data-type="${type}"></div>`;
    expect(parseSecondStep(block)).toEqual({ ...read, step: 'sms', type: '3', isActive: true });
    expect(parseSecondStep(block + tab('8') + tab('10'))).toMatchObject({ step: 'totp', type: '10', isActive: false });
    expect(parseSecondStep(block + tab('15'))).toMatchObject({ step: 'wechat' });
    expect(parseSecondStep(block + tab('14'))).toMatchObject({ step: 'unknown' });
    expect(parseSecondStep('<script>var reAuthParams = {color:"x"};</script>')).toBeNull();
  });
});

it.each([
  [
    '{"res":"success","mobile":"138****0000","codeTime":120}',
    { sent: 'yes', resendAfter: 120, targets: ['138****0000'] },
  ],
  ['{"res":"code_time_fail","returnMessage":"您已重复发送，请44秒后再试"}', { isRefused: true, resendAfter: 44 }],
  ['{"res":"fail"}', { isRefused: true, resendAfter: 60 }],
  ['<html></html>', { sent: 'perhaps', isRefused: false, resendAfter: 60 }],
])('the answer %s to a wish for a code', (text, expected) => {
  expect(parseSent(text)).toMatchObject(expected);
});

it.each([
  ['{"code":"reAuth_failed","msg":"次数过多，账号已锁定"}', 'locked'],
  ['{"code":"reAuth_failed","msg":"操作过于频繁，请稍后再试"}', 'too-often'],
  ['{"code":"reAuth_failed","msg":"动态码错误"}', null],
  ['{"code":"reAuth_success","msg":"账号已锁定"}', null],
])('the answer %s to a code says of more than it: %s', (text, expected) => {
  expect(parseRefusal(text).meaning).toBe(expected);
});

it.each([
  ['{"code":"reAuth_success","msg":"认证成功"}', 'passed'],
  ['{"code":"reAuth_failed","msg":"动态码错误"}', 'wrong'],
  ['{"code":"reAuth_failed","msg":"动态码已过期"}', 'expired'],
  ['{"code":"reAuth_unauthorized"}', 'gone'],
  ['{"code":"other"}', 'unknown'],
  ['<html>', 'unknown'],
])('the answer %s to a code is %s', (text, expected) => {
  expect(parseChecked(text)).toBe(expected);
});
