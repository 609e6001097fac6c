import { describe, expect, it } from 'vitest';
import { encryptForUnifiedLogin } from '../../../../../src/campus/products/cas/index.ts';

describe('password field of the unified login', () => {
  it.each([
    ['LT-204817-qZ7mXw2KfT9vB4nRc1Yd-cas', 'Passw0rd!', 'rGaxGnUllAuhdVIDkncufA=='],
    ['LT-20481-another-tail', 'Passw0rd!', 'rGaxGnUllAuhdVIDkncufA=='],
    ['LT-1-abc', '12345678', 'WtlEcdJBL9VxsNzt3t92Hg=='],
    ['LT-1-abc', '', 'cbDc7d7fdh4='],
    ['abc', 'secret', '/lZcQGlrp5U='],
    ['LT-98765-x', '密码Abc123', 'AzRVoo6TSb2COIHW60W/NQ=='],
    ['票据键', 'pw+/=&%', 'ctC0s9H8+Cc='],
    [
      'LT-204817-qZ7mXw2KfT9vB4nRc1Yd-cas',
      '0123456789abcdefghijklmnop',
      'OPSYjDX/TfLXoFrcEDlRZE0NXoI3gKJoeTKoV9/bj6Y=',
    ],
  ])('with ticket %s is the known cipher text', (lt, password, expected) => {
    expect(encryptForUnifiedLogin(password, lt)).toBe(expected);
  });
});
