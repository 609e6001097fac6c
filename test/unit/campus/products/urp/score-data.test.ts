import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { parseScoreData } from '../../../../../src/campus/products/urp/parse-scores.ts';
import { ScoreRecord } from '../../../../../src/domain/academics/records.ts';
import { unsaidOf } from '../../../../../src/domain/record.ts';
import { failureOf, fieldInput, fixture, unreadablePage } from './fixtures.ts';

const read = (body: unknown) => parseScoreData(JSON.stringify(body));
const pageOf = (text: string) => {
  const answer = parseScoreData(text);
  if (answer.kind !== 'page') throw new Error('not a page');
  return answer;
};
const row = (sequence: number): unknown[] => [sequence, '2025-2026-1-1', ...Array(11).fill('x')];

describe('score rows', () => {
  it('stay when a cell is null or of another type', () => {
    const { page, received, dropped } = pageOf(fixture('scores-malformed.json'));
    expect(page).toMatchObject({ page_num: 1, page_size: 50, total_count: 9 });
    expect(page.records).toEqual([
      expect.objectContaining({ course_name_cn: '十一格', score: '87', retake_score: null, makeup_score: null }),
      expect.objectContaining({ course_name_cn: '十二格', score: '', retake_score: '61', makeup_score: null }),
      expect.objectContaining({ term_id: '', course_code: '1201007', hours: 0, score: '0', retake_score: '60' }),
      expect.objectContaining({ course_code: 'ECO1201008', course_name_cn: '十四格', hours: -1 }),
    ]);
    expect({ received, dropped }).toEqual({ received: 9, dropped: 4 });
  });

  it('without a course are dropped and counted', () => {
    const without = row(2).map((cell, at) => (at === 2 || at === 4 ? null : cell));
    const { page, received, dropped } = pageOf(JSON.stringify({ list: { records: [row(1), without] } }));
    expect([page.records.length, received, dropped]).toEqual([1, 2, 1]);
  });

  it('are not merged when they are equal', () => {
    expect(pageOf(JSON.stringify({ list: { records: [row(1), row(1)] } })).page.records).toHaveLength(2);
  });
});

describe('the order of columns', () => {
  it('is said by the row: the cell that holds a term code', () => {
    expect(pageOf(fieldInput('f01-allterm-other-order.json')).page.records).toEqual([
      {
        sequence: 1,
        term_id: '2018-2019-2-1',
        course_code: '104241030',
        course_class: '01',
        course_name_cn: '文学理论2',
        course_name_en: expect.stringMatching(/^Literary\sTheory\s2$/),
        credits: '3',
        hours: 48,
        course_type: '任选',
        exam_type: '考试',
        score: '88',
        ...unsaidOf(ScoreRecord),
      },
    ]);
  });

  const usual = [
    '1',
    '2025-2026-1-1',
    'MAT11020',
    '05',
    '线性代数',
    'Algebra',
    '3',
    48,
    '必修',
    '考试',
    '88',
    null,
    null,
  ];
  const swapped = (one: number, other: number): unknown[] =>
    usual.map((_, at) => usual[at === one ? other : at === other ? one : at]);
  it.each([
    ['code and name', 2, 4],
    ['class and name', 3, 4],
    ['credits and mark', 6, 10],
    ['credits and hours', 6, 7],
    ['name and mark', 4, 10],
    ['kind and examination', 8, 9],
    ['examination and mark', 9, 10],
    ['kind and mark', 8, 10],
    ['kind and name', 8, 2],
    ['hours and kind', 7, 8],
  ])('is refused where %s have changed places beside a term in its own', (_, one, other) => {
    expect(pageOf(JSON.stringify({ list: { records: [usual] } })).page.records).toHaveLength(1);
    const body = { list: { records: [swapped(one, other)] } };
    expect(failureOf(() => read(body))).toMatchObject(unreadablePage);
  });

  it.each([
    ['code and class', 2, 3],
    ['both names', 4, 5],
    ['mark and retake', 10, 11],
  ])('is refused where three rows show that %s have', (_, one, other) => {
    const body = (times: number) => ({ list: { records: Array(times).fill(swapped(one, other)) } });
    expect(failureOf(() => read(body(3)))).toMatchObject(unreadablePage);
    expect(pageOf(JSON.stringify(body(2))).page.records).toHaveLength(2);
  });

  it('is that of all other rows where a term is missing', () => {
    const records = [row(1), [2, null, ...row(2).slice(2)]];
    expect(pageOf(JSON.stringify({ list: { records } })).page.records.map((each) => each.sequence)).toEqual([1, 2]);
  });

  it.each([
    ['another column', [['x', 'y', '2025-2026-1-1', ...Array(10).fill('z')]]],
    ['two columns', [['2025-2026-1-1', '2025-2026-1-1', ...Array(11).fill('z')]]],
    ['none', [[1, null, ...Array(11).fill('z')]]],
    [
      'none, where others say two orders',
      [row(1), ['2025-2026-1-1', ...Array(18).fill('z')], [1, '', ...Array(11).fill('z')]],
    ],
  ])('is never guessed: %s', (_, records) => {
    expect(failureOf(() => read({ list: { records } }))).toMatchObject(unreadablePage);
  });
});

describe('marks', () => {
  it.each([-999, '-999', '-999.999', '-60', -61])('of %j are none', (cell) => {
    const records = [[...row(1).slice(0, 10), cell, cell, cell]];
    const { value, oddities } = collectOddities(() => pageOf(JSON.stringify({ list: { records } })));
    expect(value.page.records[0]).toMatchObject({ score: '', retake_score: null, makeup_score: null });
    expect(oddities).toContainEqual(expect.objectContaining({ kind: 'unpublished', name: 'column 10' }));
  });

  it('of zero, and words, are marks', () => {
    const records = [[...row(1).slice(0, 10), 0, '缓考', '0.0']];
    expect(pageOf(JSON.stringify({ list: { records } })).page.records[0]).toMatchObject({
      score: '0',
      retake_score: '缓考',
      makeup_score: '0.0',
    });
  });
});

describe('score paging', () => {
  it('echoes what the upstream says', () => {
    const list = { pageSize: 20, pageNum: '3', pageContext: { totalCount: 41 }, records: [row(41)] };
    const { page, totalStated } = pageOf(JSON.stringify({ list }));
    expect(page).toMatchObject({ page_num: 3, page_size: 20, total_count: 41 });
    expect(totalStated).toBe(true);
  });

  it.each([undefined, {}, { totalCount: 'x' }])('counts the rows when the total is %j', (pageContext) => {
    const { page, totalStated } = pageOf(JSON.stringify({ list: { pageContext, records: [row(1), [1]] } }));
    expect(page.total_count).toBe(2);
    expect(totalStated).toBe(false);
  });
});

describe('a term without scores', () => {
  it.each([
    { list: { pageSize: 50, pageNum: 1, pageContext: { totalCount: 0 }, records: null } },
    { list: {} },
    { list: null },
    { other: 1 },
    { result: 'success' },
    { status: 200, msg: 'OK' },
  ])('is empty: %j', (body) => {
    expect(read(body)).toEqual({
      kind: 'page',
      page: { page_num: 1, page_size: 50, total_count: 0, records: [] },
      totalStated: JSON.stringify(body).includes('totalCount'),
      received: 0,
      dropped: 0,
    });
  });
});

describe('a score answer that refuses', () => {
  it.each([
    [{ result: 'error', msg: '<b>请求失效</b>' }, '请求失效'],
    [{ result: 'ERROR', list: { records: [row(1)] } }, ''],
    [{ result: 'fail', msg: '失败' }, '失败'],
    [{ list: null, errorMessage: '失败' }, '失败'],
    [{ success: false }, ''],
    [{ status: 500, error: 'Internal Server Error', path: '/x' }, ''],
    [{ error: 'x' }, ''],
  ])('is stale, never an empty term: %j', (body, message) => {
    expect(read(body)).toEqual({ kind: 'stale', message });
  });
});

describe('a score answer of another shape', () => {
  it.each([
    '{}',
    '[]',
    '{"list":[]}',
    '{"list":"x"}',
    '{"list":{"records":"x"}}',
    '{"list":{"records":[',
    '{"list":{"records":[{"courseName":"x"}]}}',
    '{"list":{"records":[[1,2],[1,2]]}}',
    '{"list":{"records":[[1,2]]}}',
    JSON.stringify({ list: { records: [[1, 't', '', '01', ' ', '', '3', 48, '必修', '考试', '87']] } }),
  ])('is unreadable: %j', (text) => {
    expect(failureOf(() => parseScoreData(text))).toMatchObject(unreadablePage);
  });

  it('is unreadable with more rows than any page holds', () => {
    const records = new Array<number>(5001).fill(0);
    expect(failureOf(() => read({ list: { records } }))).toMatchObject(unreadablePage);
  });
});
