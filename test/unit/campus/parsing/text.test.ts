import { describe, expect, it } from 'vitest';
import { clean, collapse, decodeEntities, extend, plainMessage } from '../../../../src/campus/parsing/text.ts';

describe('cleaning', () => {
  it.each([
    ['  2025-2026学年\r\n\t秋 ', '2025-2026学年 秋'],
    ['甲&nbsp;&nbsp;乙', '甲 乙'],
    ['甲\u00a0\u00a0乙', '甲 乙'],
    ['&#39;甲&#x27; &amp; &ldquo;乙&rdquo;', "'甲' & “乙”"],
    ['a < b &lt; c', 'a < b < c'],
    ['&amp;nbsp;', '&nbsp;'],
    ['<i>甲</i>', '<i>甲</i>'],
    ['R&D &nosuch; &', 'R&D &nosuch; &'],
    ['', ''],
    [null, ''],
    [3, ''],
  ])('%j becomes %j', (value, text) => {
    expect(clean(value)).toBe(text);
  });

  it('collapses white space without decoding a second time', () => {
    expect(collapse(' &amp;\n甲 ')).toBe('&amp; 甲');
  });

  // As the tree parser read them that stood here before.
  it.each([
    ['&amp', '&'],
    ['&ampamp;', '&amp;'],
    ['&copy=1', '©=1'],
    ['&notit; &notin;', '¬it; ∉'],
    ['&#39 &#x27; &#X41;', "' ' A"],
    ['&#0;&#xD800;&#1114112;', '\ufffd\ufffd\ufffd'],
    ['&#150;', '–'],
    ['&#128512;', '😀'],
    ['&NotEqualTilde;', '≂̸'],
    ['&# &#x; &;', '&# &#x; &;'],
    ['&lt;b&gt; <b>', '<b> <b>'],
  ])('decodes %j to %j', (source, text) => {
    expect(decodeEntities(source)).toBe(text);
  });

  it('leaves text without entities unchanged', () => {
    expect(decodeEntities('<p>甲</p>')).toBe('<p>甲</p>');
  });
});

it('a text is extended up to its longest length', () => {
  expect([extend('ab', 'cd', 3), extend('abcd', 'e', 3), extend('', 'ab', 3)]).toEqual(['abc', 'abcd', 'ab']);
});

describe('upstream messages', () => {
  it('lose their tags and entities', () => {
    expect(plainMessage('<b>失败</b><br/>请&nbsp;重试')).toBe('失败 请 重试');
  });

  it('are cut to 200 characters without splitting one', () => {
    expect(plainMessage('😀'.repeat(500))).toBe('😀'.repeat(200));
  });

  it('are empty for values other than text', () => {
    expect([null, undefined, 5, {}, '<br>'].map(plainMessage)).toEqual(['', '', '', '', '']);
  });
});
