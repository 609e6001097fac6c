import { describe, expect, it } from 'vitest';
import { cas, isRefusal } from '../../../../../src/campus/products/cas/index.ts';

describe('login page', () => {
  it.each([
    '<input type="hidden" name="lt" value="LT-1" /><input type="hidden" name="execution" value="e1s1" />',
    '<input value=\'LT-1\' name=\'lt\'><INPUT name="execution" id="x" value="e1s1">',
  ])('is read in any order of attributes', (text) => {
    expect(cas.login.readForm(text)).toEqual({ kind: 'login-page', lt: 'LT-1', execution: 'e1s1', captcha: null });
  });

  it.each([
    '<input name="lt" value="LT-1">',
    '<input name="execution" value="e">',
    '<input name="lt" value=""><input name="execution" value="e">',
  ])('without both fields is none: %s', (text) => {
    expect(cas.login.readForm(text)).toBeNull();
  });

  it('that shows an image says into which field its characters go', () => {
    const fields = '<input name="lt" value="LT-1"><input name="execution" value="e1"><input name="username">';
    const captcha = (text: string) => cas.login.readForm(`${fields}${text}`)?.captcha;
    expect(
      captcha('<img id="captchaImg" src="captcha.jpg?1&amp;2"><input type="text" name="captchaResponse">'),
    ).toEqual({
      field: 'captchaResponse',
      image: 'captcha.jpg?1&2',
    });
    expect(captcha('<img src="/authcode"><input name="other" id="yzm">')?.field).toBe('other');
    expect([captcha('<img src="logo.png"><input name="captcha">'), captcha('<img src="captcha.jpg">')]).toEqual([
      null,
      null,
    ]);
  });

  it('is a refusal only with one of the two literal texts', () => {
    expect(isRefusal('用户名或密码错误')).toBe(true);
    expect(isRefusal('Invalid username or password.')).toBe(true);
    expect(isRefusal('var errorMsg = ""')).toBe(false);
  });
});
