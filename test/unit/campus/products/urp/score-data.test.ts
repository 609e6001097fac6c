import { describe, expect, it } from 'vitest';
import { parseScoreData } from '../../../../../src/campus/products/urp/parse-scores.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

const read = (body: unknown) => parseScoreData(JSON.stringify(body));
const pageOf = (text: string) => {
  const answer = parseScoreData(text);
  if (answer.kind !== 'page') throw new Error('not a page');
  return answer;
};
const row = (sequence: number): unknown[] => [sequence, 't', ...Array(11).fill('x')];

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
    expect({ received, dropped }).toEqual({ received: 9, dropped: 5 });
  });

  it('are not merged when they are equal', () => {
    expect(pageOf(JSON.stringify({ list: { records: [row(1), row(1)] } })).page.records).toHaveLength(2);
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
    '[]',
    '{"list":[]}',
    '{"list":"x"}',
    '{"list":{"records":"x"}}',
    '{"list":{"records":[',
    '{"list":{"records":[{"courseName":"x"}]}}',
    '{"list":{"records":[null]}}',
    '{"list":{"records":[[1,2],[1,2]]}}',
  ])('is unreadable: %j', (text) => {
    expect(failureOf(() => parseScoreData(text))).toMatchObject(unreadablePage);
  });

  it('is unreadable with more rows than any page holds', () => {
    const records = new Array<number>(5001).fill(0);
    expect(failureOf(() => read({ list: { records } }))).toMatchObject(unreadablePage);
  });
});
