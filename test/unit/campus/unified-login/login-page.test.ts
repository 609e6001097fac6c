import { describe, expect, it } from 'vitest';
import { isRefusal, parseLoginPage } from '../../../../src/campus/unified-login/index.ts';

describe('login page', () => {
  it.each([
    '<input type="hidden" name="lt" value="LT-1" /><input type="hidden" name="execution" value="e1s1" />',
    '<input value=\'LT-1\' name=\'lt\'><INPUT name="execution" id="x" value="e1s1">',
  ])('is read whatever the order of attributes', (text) => {
    expect(parseLoginPage(text)).toEqual({ kind: 'login-page', lt: 'LT-1', execution: 'e1s1' });
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
