import { describe, expect, it } from 'vitest';
import { parseOfferingTerms } from '../../../../../src/campus/products/urp/parse-offerings.ts';
import { calendarPageAlive, parseTermList } from '../../../../../src/campus/products/urp/parse-terms.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

const page = (...options: string[]): string => `<html><select id="planCode">${options.join('')}</select></html>`;
const option = (code: string, text: string, more = ''): string => `<option value="${code}" ${more}>${text}</option>`;
const current = (html: string): string[] =>
  parseTermList(html)
    .filter((term) => term.is_current)
    .map((term) => term.term_code);

describe('term list', () => {
  it('keeps the page order and leaves out 全部 and options without a code', () => {
    expect(parseTermList(fixture('calendar.html'))).toEqual([
      { term_code: '2025-2026-2-1', term_name: '2025-2026学年下', is_current: false },
      { term_code: '2025-2026-1-1', term_name: '2025-2026学年上', is_current: true },
      { term_code: '2024-2025-2-1', term_name: '2024-2025学年 下', is_current: false },
      { term_code: '2024-2025-1-1', term_name: '2024-2025学年上', is_current: false },
    ]);
  });

  it.each([
    ['2025-2026学年秋（当前）', '2025-2026学年上'],
    ['2025-2026学年春(当前)', '2025-2026学年下'],
    ['（ 当前 ）2025-2026 秋', '2025-2026 上'],
    ['春秋春', '下上下'],
    ['2025-2026学年夏', '2025-2026学年夏'],
    ['\r\n\t2025-2026学年&nbsp;&nbsp;秋 ', '2025-2026学年 上'],
    ['', ''],
  ])('writes %j as %j', (text, name) => {
    expect(parseTermList(page(option('x', text)))[0]?.term_name).toBe(name);
  });

  it.each([
    [
      'the marked term, before a selected one',
      [option('a', 'A'), option('b', 'B', 'selected'), option('c', 'C(当前)')],
      'c',
    ],
    ['the selected term, before the first', [option('a', 'A'), option('b', 'B', 'selected="selected"')], 'b'],
    ['the first term that has a code', [option('', '全部', 'selected'), option('b', 'B'), option('c', 'C')], 'b'],
    ['the first of several marked ones', [option('a', 'A'), option('b', 'B 当前'), option('c', 'C 当前')], 'b'],
  ])('flags exactly one term: %s', (_, options, code) => {
    expect(current(page(...options))).toEqual([code]);
  });

  it('keeps the first place and the last text of a repeated code', () => {
    const html = page(option('a', 'A1', 'selected'), option('b', 'B'), option('a', 'A2'));
    expect(parseTermList(html)).toEqual([
      { term_code: 'a', term_name: 'A2', is_current: true },
      { term_code: 'b', term_name: 'B', is_current: false },
    ]);
  });

  it('reads options that are not closed, and decodes their entities', () => {
    const html = `<SELECT name=x ID='planCode'><option value=a&amp;b>A&#31179;<option value=" c ">C</SELECT>`;
    expect(parseTermList(html).map(({ term_code, term_name }) => [term_code, term_name])).toEqual([
      ['a&b', 'A上'],
      ['c', 'C'],
    ]);
  });

  it.each([
    ['another selector', page(option('a', 'A')).replace('planCode', 'zxjxjhh')],
    ['a selector that is cut', page(option('a', 'A')).replace('</select></html>', '')],
    ['a selector without options', page()],
    ['only skipped options', page(option('', 'X'), option(' ', 'Y'), option('z', '全部'), '<option>W</option>')],
    [
      'a selector with more terms than a campus has',
      page(...Array.from({ length: 3000 }, (_, i) => option(`code-${i}`, 'A'))),
    ],
  ])('is unreadable with %s', (_, html) => {
    expect(failureOf(() => parseTermList(html))).toMatchObject(unreadablePage);
  });

  it('reads past tags that are nested in an option', () => {
    const html = page(
      `<option value="a">A${'<a>'.repeat(20_000)}`,
      '<optgroup label="x">y',
      option('b', '<i>B</i>'),
      'z',
    );
    expect(parseTermList(html).map(({ term_code, term_name }) => [term_code, term_name])).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
    expect(calendarPageAlive(html)).toBe(true);
  });

  it('ends an option with the next one, its group or the selector, and with nothing else', () => {
    const html = page(
      '<optgroup><option value="a">A',
      '</optgroup>x',
      '<option value="b">B<br>1 < 2',
      '<OPTION VALUE=c>C',
    );
    expect(parseTermList(html).map(({ term_code, term_name }) => [term_code, term_name])).toEqual([
      ['a', 'A'],
      ['b', 'B1 < 2'],
      ['c', 'C'],
    ]);
  });

  it('proves a live session by the selector', () => {
    expect(calendarPageAlive(fixture('calendar.html'))).toBe(true);
    expect(calendarPageAlive(page())).toBe(true);
    expect(calendarPageAlive('<p>planCode</p>')).toBe(false);
  });
});

it.each([
  '<option value="-1">全部学期</option>',
  '<option value="0">请选择</option>',
  '<option value="all" selected>所有学期</option>',
])('an option that is no term is none, and never the current one: %s', (option) => {
  const select = `<select id="planCode">${option}<option value="2025-2026-1-1">2025-2026学年秋(当前学期)</option></select>`;
  expect(parseTermList(select)).toEqual([
    { term_code: '2025-2026-1-1', term_name: '2025-2026学年上', is_current: true },
  ]);
  const offered = select.replace('planCode', 'zxjxjhh');
  expect(parseOfferingTerms(offered).map(({ term_code }) => term_code)).toEqual(['2025-2026-1-1']);
});
