import { describe, expect, it } from 'vitest';
import { GARBLED } from '../../../../src/campus/parsing/text.ts';
import { decodeBody } from '../../../../src/campus/transport/body-text.ts';

const gbk = Buffer.from('d3c3bba7c3fbbbf2c3dcc2ebb4edcef3', 'hex');
const words = '用户名或密码错误';
const utf8 = Buffer.from(words);
const mark = Buffer.from('efbbbf', 'hex');
const together = (...parts: ReadonlyArray<string | Buffer>): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
const named = (name: string) => `text/html; charset=${name}`;

describe('charset of an upstream body', () => {
  it.each([
    ['GBK as its header says', gbk, named('GBK')],
    ['GBK under UTF-8', gbk, named('UTF-8')],
    ['GBK without a name', gbk, undefined],
    ['GBK under a single-byte name', gbk, named('ISO-8859-1')],
    ['GBK under a name that no decoder knows', gbk, named('no-such-thing')],
    ['UTF-8 as its header says', utf8, named('utf-8')],
    ['UTF-8 under GBK', utf8, named('GBK')],
    ['UTF-8 under Big5', utf8, named('big5')],
    ['UTF-8 without a name', utf8, undefined],
    ['UTF-8 under a single-byte name', utf8, named('us-ascii')],
    ['a byte order mark under GBK', together(mark, utf8), named('GBK')],
    ['a byte order mark before GBK', together(mark, gbk), named('UTF-8')],
    ['blanks before a byte order mark', together('\r\n \t', mark, utf8, '\n '), named('UTF-8')],
    ['UTF-16 with its mark', together(Buffer.from('fffe', 'hex'), Buffer.from(words, 'utf16le')), named('GBK')],
  ])('%s', (_, bytes, header) => {
    expect(decodeBody(bytes, header)).toBe(words);
  });

  it.each([
    ['GBK, header silent', '<head><meta charset="gb2312"></head>', 'text/html'],
    ['GBK, header wrong', '<meta http-equiv=Content-Type content="text/html; charset=gb2312">', named('UTF-8')],
    ['GBK, header single-byte', "<meta charset='gbk'>", named('windows-1252')],
  ])('in a meta element: %s', (_, meta, header) => {
    expect(decodeBody(together(meta, gbk), header)).toBe(meta + words);
  });

  it('takes two bytes for UTF-8 only where no other charset is named', () => {
    const two = Buffer.from('é');
    expect(decodeBody(two, undefined)).toBe('é');
    expect(decodeBody(two, named('GBK'))).toBe('茅');
  });

  it('keeps what the campus itself could not write', () => {
    expect(decodeBody(Buffer.from(`买买提\uFFFD吐尔逊`), named('UTF-8'))).toBe('买买提\uFFFD吐尔逊');
  });

  it('marks up to three places that do not fit, beside those of the campus', () => {
    const cut = Buffer.from('e4bd', 'hex');
    const cells = (count: number) =>
      together(`${words},\uFFFD,`, ...Array.from({ length: count }, () => [cut, ',']).flat());
    expect(decodeBody(cells(3), named('UTF-8'))).toBe(`${words},\uFFFD,${`${GARBLED},`.repeat(3)}`);
    expect(decodeBody(cells(3), undefined)).toContain(GARBLED);
    expect(decodeBody(cells(4), named('UTF-8'))).toBeNull();
  });

  it('refuses damaged UTF-8 under another name: it might fit as other characters', () => {
    expect(decodeBody(together(utf8, Buffer.from('e4', 'hex'), '<'), named('GBK'))).toBeNull();
  });

  it('leaves out the end that a server in C writes behind its text', () => {
    expect(decodeBody(Buffer.from('{"a":1}\r\n\0\0'), named('UTF-8'))).toBe('{"a":1}');
  });

  it('refuses what is text of no charset', () => {
    expect(decodeBody(Buffer.from('ff2cff2cff2cff2c'.repeat(3), 'hex'), named('UTF-8'))).toBeNull();
  });
});
