import { describe, expect, it } from 'vitest';
import { attributeOf, hasCssClasses, htmlTokens } from '../../../../src/campus/parsing/html-tokens.ts';

const tokens = (html: string) => [...htmlTokens(html)].map(({ from: _, to: __, ...token }) => token);
const names = (html: string) =>
  tokens(html).map((token) => (token.kind === 'text' ? token.text : `${token.kind} ${token.name}`));

describe('a page as tokens', () => {
  it('says where each token stands', () => {
    const page = 'a<!-- x --><P a="b">b</br><script>c</script >';
    const parts = [...htmlTokens(page)].map(({ from, to }) => page.slice(from, to));
    expect(parts).toEqual(['a', '<P a="b">', 'b', '</br>', '<script>', 'c', '</script >']);
  });

  it('is tags and texts in order', () => {
    expect(tokens('a<P CLASS="x y">b<br/>c</p >d')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'open', name: 'p', attributes: ' CLASS="x y"' },
      { kind: 'text', text: 'b' },
      { kind: 'open', name: 'br', attributes: '/' },
      { kind: 'text', text: 'c' },
      { kind: 'close', name: 'p' },
      { kind: 'text', text: 'd' },
    ]);
  });

  it('leaves out comments and declarations, and the text inside them', () => {
    expect(names('<!DOCTYPE html><?xml ?>a<!-- <b>x</b> -->b<!-->c')).toEqual(['a', 'b', 'c']);
  });

  it('takes scripts, styles and text areas as they are', () => {
    expect(tokens('<script>if (a<b) "</p>";</SCRIPT ><textarea>&lt;<i></textarea>x')).toEqual([
      { kind: 'open', name: 'script', attributes: '' },
      { kind: 'raw', name: 'script', text: 'if (a<b) "</p>";' },
      { kind: 'close', name: 'script' },
      { kind: 'open', name: 'textarea', attributes: '' },
      { kind: 'raw', name: 'textarea', text: '&lt;<i>' },
      { kind: 'close', name: 'textarea' },
      { kind: 'text', text: 'x' },
    ]);
  });

  it('does not end a tag inside a quoted value', () => {
    expect(names(`<a title="1>0" href='x>y'>z</a>`)).toEqual(['open a', 'z', 'close a']);
    expect(names(`<p it's>z</p><p x='>'>`)).toEqual(['open p', 'z', 'close p', 'open p']);
    expect(names('<a x=">z</a>')).toEqual(['open a', 'z', 'close a']);
  });

  it('ends where the page was cut', () => {
    expect(names('a<b>c<d x="')).toEqual(['a', 'open b', 'c']);
    expect(names('a<!-- b')).toEqual(['a']);
    expect(names('<script>a')).toEqual(['open script', 'raw script']);
    expect(names('1 < 2 <3')).toEqual(['1 < 2 <3']);
  });
});

describe('attributes', () => {
  const source = ` id=a&amp;b  NAME = "c d" data-x='e"f' checked href=&#39;g&#39; class="btn  btn-round"`;
  it.each([
    ['id', 'a&b'],
    ['name', 'c d'],
    ['data-x', 'e"f'],
    ['checked', ''],
    ['href', "'g'"],
    ['value', null],
  ])('%s is %j', (name, value) => {
    expect(attributeOf(source, name)).toBe(value);
  });

  it('hold classes as whole words', () => {
    expect(hasCssClasses(source, 'btn', 'btn-round')).toBe(true);
    expect(hasCssClasses(source, 'btn', 'round')).toBe(false);
    expect(hasCssClasses('', 'btn')).toBe(false);
  });
});
