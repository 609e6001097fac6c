import { describe, expect, it } from 'vitest';
import {
  calendarAlive,
  homeAlive,
  parseCalendar,
  parseHome,
  parseTermList,
} from '../../../../../src/campus/products/urp/parse-terms.ts';
import { findTermCode } from '../../../../../src/domain/academics/current-term.ts';
import { failureOf, fieldInput, fixture, unreadablePage } from './fixtures.ts';

const header = (text: string): string => fixture('home.html').replace('2025-2026 秋  第1周   星期三', text);
const week1 = { academicYear: '2025-2026', season: '秋', week: 1, speaksOfEnd: false };

describe('the calendar text of the start page', () => {
  it('is found behind millions of accents in any order', () => {
    const accents = '\u0301'.repeat(1_500_000) + '\u0316'.repeat(1_500_000);
    expect(failureOf(() => parseHome(accents))).toMatchObject(unreadablePage);
    expect(parseHome(`${accents}${fixture('home.html')}`)).toEqual(week1);
  });

  it.each([
    '<div id="navbar-container"><ul><li class="light-red"><a href="#">当前处于假期时间</a></li></ul></div>',
    '<div id="navbar-container"></div><p>当前处于假期时间</p>',
  ])('in vacations may name no term, and is week 0: %s', (page) => {
    expect(homeAlive(page)).toBe(true);
    expect(parseHome(page)).toEqual({ academicYear: '', season: '', week: 0, speaksOfEnd: true });
  });

  it('of a campus with three terms names the term, whose code the list decides', () => {
    const text = parseHome(fieldInput('f18-home-three-terms.html'));
    expect(text).toMatchObject({ academicYear: '2025-2026', season: '春', week: 12 });
    const terms = parseTermList(fieldInput('f18-termlist-three-terms.html'));
    expect(findTermCode(text, terms)).toBe('2025-2026-2-2');
  });

  it('is the text of the header link', () => {
    expect(parseHome(fixture('home.html'))).toEqual(week1);
  });

  it.each([
    ['2025-2026 春 第12周 星期天', { season: '春', week: 12 }],
    ['2025-2026\r\n\t秋&nbsp;第 9 周', { season: '秋', week: 9 }],
    ['２０２５-２０２６ 秋 第０３周', { academicYear: '2025-2026', season: '秋', week: 3 }],
    ['2025-2026 夏 第2周', { season: '夏', week: 2 }],
    ['2025-2026学年第二学期 第3周', { academicYear: '2025-2026', season: '春', week: 3 }],
    ['2025-2026-1 第3周', { season: '秋', week: 3 }],
    ['2025—2026学年 秋 第3周', { academicYear: '2025-2026', season: '秋' }],
    ['2025-2026 第0周', { season: '', week: 0 }],
    ['2025-2026 春 假期 星期三', { season: '春', week: null }],
    ['2025-2026 春 考试周', { week: null, speaksOfEnd: true }],
    ['2025-2026 春 第3周 学期结束', { week: 3, speaksOfEnd: true }],
    ['假期', { academicYear: '', season: '', week: null }],
    ['当前为寒假', { academicYear: '', season: '', week: 0 }],
    ['2025/2026 秋 第3周', { academicYear: '2025-2026', week: 3 }],
    ['2025至2026学年下学期 第3周', { academicYear: '2025-2026', season: '春', week: 3 }],
  ])('%j', (text, expected) => {
    expect(parseHome(header(text))).toMatchObject(expected);
  });

  it('is not whatever else stands in its link', () => {
    expect(failureOf(() => parseHome(header('登录')))).toMatchObject(unreadablePage);
  });

  it('may be split over several nodes', () => {
    expect(parseHome(header('<b>2025-2026</b> <i>秋</i><span> 第1</span>周'))).toEqual(week1);
  });

  it.each([
    ['another link that names a week', '<a class="x dropdown-toggle" href="#">2025-2026 秋 第1周</a>'],
    ['any text', '<p>今天是 2025-2026 秋 第1周 星期三，早上好</p>'],
    [
      'any text, not in a link that names no week',
      '<a class="dropdown-toggle">2024-2025 培养方案</a>2025-2026 秋 第1周',
    ],
    ['any text after a script with one', '<script>"2024-2025 春 第9周"</script><p>2025-2026 秋 第1周</p>'],
  ])('is looked for elsewhere: in %s', (_, html) => {
    expect(parseHome(`<html><ul><li class="light-red">x</li></ul>${html}</html>`)).toEqual(week1);
    expect(homeAlive(`<html>${html}</html>`)).toBe(true);
  });

  it('of the header comes before other links', () => {
    const other = '<a class="dropdown-toggle">2024-2025 春 第9周</a>';
    expect(parseHome(`${other}${fixture('home.html')}`)).toEqual(week1);
    expect(parseHome(`${other}${header('')}`)).toMatchObject({ week: 9 });
  });

  it('or the navigation bar proves a live session; the bar alone has no text', () => {
    expect(homeAlive('<div id="navbar-container">')).toBe(true);
    expect(failureOf(() => parseHome('<div id="navbar-container"></div>'))).toMatchObject(unreadablePage);
  });
});

describe('the calendar page', () => {
  it('states the first day and the number of weeks', () => {
    expect(parseCalendar(fixture('term-start.html'))).toEqual({ firstDay: '2025-09-01', weeks: 18 });
    expect(calendarAlive(fixture('term-start.html'))).toBe(true);
  });

  it.each([
    ['without a comment', 'var rq="20250901";var zs="20";', { firstDay: '2025-09-01', weeks: 20 }],
    [
      'with those of an earlier term in comments',
      '<!-- var rq = "20230901" --><script>// var rq = "20240902"; var zs = 20;\n/* var rq = "20250217"; */ var rq = "20250901"; var zs = 18;</script>',
      { firstDay: '2025-09-01', weeks: 18 },
    ],
    [
      'in the second of two scripts',
      '<script>let a;</script><p>x</p><script>var rq = "20250901"</script>',
      { weeks: 0 },
    ],
    ['of another kind of variable', 'const zs = 18, rq = `20250901`;', { firstDay: '2025-09-01', weeks: 18 }],
    ['a number', 'let rq = 20250901;', { firstDay: '2025-09-01' }],
    ['without weeks', "var rq = '20250901'", { firstDay: '2025-09-01', weeks: 0 }],
    ['with odd weeks', 'var rq = "20250901"; var zs = "many";', { firstDay: '2025-09-01', weeks: 0 }],
  ])('may be %s', (_, page, expected) => {
    expect(parseCalendar(page)).toMatchObject(expected);
  });

  it.each([
    'var rq = "";',
    '<script>// var rq = "20250901";</script>',
    'var rq = "20250931";',
    'var rq = "2025-09-01";',
    'var rqx = "20250901";',
  ])('is unreadable as %j', (page) => {
    expect(failureOf(() => parseCalendar(page))).toMatchObject(unreadablePage);
  });
});
