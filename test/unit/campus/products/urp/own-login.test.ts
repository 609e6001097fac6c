import { describe, expect, it } from 'vitest';
import {
  type PasswordForm,
  parseOwnLogin,
  passwordFormOf,
  passwordIn,
} from '../../../../../src/campus/products/urp/own-login.ts';

const P = "$('#input_password').val()";
const sets = (expression: string): string => `$('#input_password').val(${expression})`;
const twice = sets(`hex_md5(hex_md5(${P}),'1.8')+'*'+hex_md5(hex_md5(${P},'1.8'),'1.8')`);
const pair = sets(`hex_md5(${P})+'*'+hex_md5(${P},'1.8')`);
const olderPair = sets(`hex_md5(${P}+'{Urp602019}')+'*'+hex_md5(${P})`);
const single = sets(`hex_md5(${P})`);

it.each([
  ['plain', 'demo-password'],
  ['md5', '4b4d9529148d8d9440d7e20c78287f69'],
  ['md5-pair', 'c804a53ad3179d2892d9cfe21a31adc3*4b4d9529148d8d9440d7e20c78287f69'],
  ['md5-twice', '9a7629688e0761576b7ee08d0f9e14ed*d5d53c5217de1e2ed15ee8db4ae61b64'],
])('%s is sent as %s', (form, sent) => {
  expect(passwordIn(form, 'demo-password')).toBe(sent);
});

describe('the form of the password', () => {
  it.each<[string, string, PasswordForm | undefined, PasswordForm | null]>([
    ['is told by a button that says which function it calls', twice, undefined, 'md5-twice'],
    ['is told so for a pair', pair, undefined, 'md5-pair'],
    ['agrees with the manifest', twice, 'md5-twice', 'md5-twice'],
    ['is none against the manifest', twice, 'md5', null],
    ['is none against the manifest for a pair', pair, 'md5-twice', null],
    [
      'is told with blanks, other quotes and a condition beside it',
      ` if (ok) { ${twice.replaceAll("'", '"')} ; $("#f").submit() }`.replace(/\+/g, ' + '),
      undefined,
      'md5-twice',
    ],
    ['is told by the long name of the library', twice.replaceAll('$(', 'jQuery('), undefined, 'md5-twice'],
    ['is not told by a function of unknown age', single, undefined, null],
    ['is confirmed by it', single, 'md5', 'md5'],
    ['is denied by it', single, 'md5-pair', null],
    ['is confirmed as an older pair', olderPair, 'md5-pair', 'md5-pair'],
    ['is not told by an older pair', olderPair, undefined, null],
    ['is none where the button does something else', sets(`hex_md5(hex_md5(${P}))`), 'md5', null],
    ['is none where it does more', `${single};$('#other').val(hex_md5(${P}))`, 'md5', null],
    ['is none where it encrypts', sets(`encrypt(${P})`), 'plain', null],
    ['is plain where the button only sends', "$('#loginForm').submit()", undefined, 'plain'],
    ['is plain by a form of the document', 'document.forms[0].submit();return false', undefined, 'plain'],
    ['is not plain against the manifest', "$('#loginForm').submit()", 'md5', null],
    ['is that of the manifest where a function in a file does it', 'login()', 'md5-twice', 'md5-twice'],
    ['is not guessed there', 'login()', undefined, null],
    ['is that of the manifest where there is no button', '', 'plain', 'plain'],
    ['is not guessed without a button', '', undefined, null],
  ])('%s', (_what, onclick, wanted, form) => {
    expect(passwordFormOf(onclick, wanted)).toBe(form);
  });
});

describe('its page', () => {
  const fields =
    '<input id="input_username" name="j_username"><input id="input_password" type="password" name="j_password"><input id="input_checkcode" name="j_captcha">';
  it('is read with its token and its button', () => {
    const page = `<form><input type="hidden" id="tokenValue" name="tokenValue" value= 0123456789abcdef0123456789abcdef>${fields}<input type="button" id="loginButton" onclick="${single.replaceAll('"', '&quot;')}"></form>`;
    expect(parseOwnLogin(page)).toEqual({ token: '0123456789abcdef0123456789abcdef', onclick: single });
  });
  it('may have neither', () => {
    expect(parseOwnLogin(`<form>${fields}</form>`)).toEqual({ token: null, onclick: '' });
  });
  it.each([
    ['a page that only speaks of it', '<p>j_spring_security_check j_password j_captcha</p>'],
    ['another product', '<form><input name="username"><input type="password" name="password"></form>'],
    ['one without an image', '<form><input name="j_username"><input name="j_password"></form>'],
    ['a comment', `<!-- <form>${fields}</form> -->`],
  ])('is not %s', (_what, page) => {
    expect(parseOwnLogin(page)).toBeNull();
  });
});
