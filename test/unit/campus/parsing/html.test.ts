import { describe, expect, it } from 'vitest';
import { selectSources } from '../../../../src/campus/parsing/html.ts';

const sources = (html: string): string[] => [...selectSources(html)];

describe('picking the selectors of a page', () => {
  it('yields each one with its tags, in page order', () => {
    expect(sources('<p><SELECT id=a><option>1</SELECT\n><select>2</select></p>')).toEqual([
      '<SELECT id=a><option>1</SELECT\n>',
      '<select>2</select>',
    ]);
  });

  it.each([
    ['a comment', '<!-- <select>1</select> -->'],
    ['a script', '<script>var t = "<select>1</select>";</script>'],
    ['a style', '<style>/* <select>1</select> */</style>'],
    ['a text area', '<textarea><select>1</select></textarea>'],
  ])('skips markup quoted in %s', (_, quoted) => {
    expect(sources(`${quoted}<select>2</select>`)).toEqual(['<select>2</select>']);
  });

  it('knows the shortest comment', () => {
    expect(sources('<!--><select>1</select><!-- -->')).toEqual(['<select>1</select>']);
  });

  it.each(['<select><option>1', '<!-- <select>1</select>', '<script><select>1</select>', '<selection>1</selection>'])(
    'yields nothing for %s',
    (html) => {
      expect(sources(html)).toEqual([]);
    },
  );
});
