import { describe, expect, it } from 'vitest';
import { applicationTicketIn } from '../../../../src/campus/session/judge.ts';

describe('the application ticket in a redirect', () => {
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
    expect(applicationTicketIn(location, 'register?ticket=')).toBe(expected);
  });
});
