import { describe, expect, it } from 'vitest';
import { decodeBody } from '../../../../src/campus/transport/http.ts';

const gbk = Buffer.from('d3c3bba7c3fbbbf2c3dcc2ebb4edcef3', 'hex');

describe('charset of an upstream body', () => {
  it('follows the header', () => {
    expect(decodeBody(gbk, 'text/html; charset=GBK')).toBe('用户名或密码错误');
  });

  it('follows a meta element when the header is silent', () => {
    const page = Buffer.concat([Buffer.from('<html><head><meta charset="gb2312"></head>'), gbk]);
    expect(decodeBody(page, 'text/html')).toContain('用户名或密码错误');
  });

  it('is UTF-8 otherwise, also when the name is unknown', () => {
    const text = Buffer.from('微观经济学');
    expect(decodeBody(text, undefined)).toBe('微观经济学');
    expect(decodeBody(text, 'text/html; charset=no-such-thing')).toBe('微观经济学');
  });
});
