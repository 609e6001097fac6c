import { describe, expect, it } from 'vitest';
import {
  classIndexAlive,
  offeringsIndexAlive,
  parseClasses,
  parseClassFilters,
  parseClassSchedule,
  parseMajors,
  parseOfferings,
  parseOfferingTerms,
} from '../../../../../src/campus/products/urp/parse-offerings.ts';
import { failureOf, unreadablePage } from './fixtures.ts';

const row = {
  zxjxjhh: '2025-2026-2-1',
  kch: 'MAT1102004',
  kxh: '05',
  kcm: '线性代数(B)',
  xf: 2.5,
  xs: 40,
  kkxsjc: '数学学院',
  kslxmc: '考试',
  skjs: '许静* ',
  bkskrl: 60,
  bkskyl: -2,
  xkmssm: '直选',
  xkxzsm: ';',
  kkxqm: '东校区',
  skzc: '111111111111111100000000',
  skxq: 1,
  skjc: 1,
  cxjc: 2,
  zcsm: '1-16周',
  kclbmc: '专业必修课',
  xkbz: null,
  xqm: '东校区',
  jxlm: '明理楼',
  jasm: '明理楼-101',
  mxbj: '会计231',
  xss: 48,
};
const body = (records: unknown, more: object = { pfcx: 0 }) =>
  JSON.stringify({ list: { records, pageContext: { totalCount: 1 } }, ...more });
const rowsOf = (...changes: object[]) => {
  const answer = parseOfferings(body(changes.map((change) => ({ ...row, ...change }))));
  if (answer.kind !== 'rows') throw new Error('busy');
  return answer;
};

describe('offerings', () => {
  it.each([
    ['text for numbers', { xf: '.5', bkskyl: '-3', skxq: '2' }, { unit: 0.5, places_left: -3 }],
    ['junk for numbers', { xf: '?', xs: null, bkskrl: '', xss: {} }, { unit: null, hours: null, capacity: null }],
    ['a restriction', { xkxzsm: '限会计;' }, { restriction: '限会计;' }],
    ['no restriction, and a remark', { xkxzsm: ';', xkbz: '双语' }, { restriction: null, remark: '双语' }],
    ['escapes', { kkxsjc: '&quot;数学&quot;学院' }, { department: '"数学"学院' }],
  ])('%s', (_, change, course) => {
    expect(rowsOf(change).rows[0]?.course).toMatchObject(course);
  });

  it.each([
    ['weeks in place of the mask', { skzc: '1-3', zcsm: null }, '111000000000000000000000'],
    ['weeks in place of the mask, and words for them', { skzc: '1-18', zcsm: '2-4周双周' }, '010100000000000000000000'],
    ['a short mask', { skzc: '101' }, '101000000000000000000000'],
  ])('%s', (_, change, mask) => {
    expect(rowsOf(change).rows[0]?.place?.weekMask).toBe(mask);
  });

  it('a row without a weekday has no place, one without a code or a name is dropped', () => {
    const { rows, received, dropped } = rowsOf({ skxq: null }, { skxq: 8 }, { kch: ' ' }, { kcm: null });
    expect([rows.map(({ place }) => place), received, dropped]).toEqual([[null, null], 4, 2]);
  });

  it.each([1, '1', true])('asked too often: pfcx %j without a list', (pfcx) => {
    expect(parseOfferings(JSON.stringify({ pfcx }))).toEqual({ kind: 'busy' });
    expect(parseOfferings(JSON.stringify({ list: null, pfcx }))).toEqual({ kind: 'busy' });
    expect(parseOfferings(body([row], { pfcx })).kind).toBe('rows');
  });

  it.each(['{"list":null,"pfcx":0}', '{"list":{"records":null}}', '{"list":{}}'])('no rows: %s', (text) => {
    expect(parseOfferings(text)).toMatchObject({ kind: 'rows', rows: [], received: 0, total: null });
  });

  it.each([
    '{"pfcx":0}',
    '[]',
    '{"list":[1]}',
    '{"list":"x","pfcx":0}',
    body('x'),
    body([{ a: 1 }]),
    body(Array.from({ length: 201 }, () => row)),
  ])('unreadable: %s', (text) => {
    expect(failureOf(() => parseOfferings(text))).toMatchObject(unreadablePage);
  });

  const terms = (selector: string) =>
    `<select ${selector}><option value="">全部</option><option value="2026-2027-1-1">2026-2027学年秋</option>` +
    '<option value="2025-2026-2-1" selected>2025-2026学年春（当前）</option></select>';
  it.each(['id="zxjxjhh"', 'name="zxjxjhh"'])('terms of select %s', (selector) => {
    expect(offeringsIndexAlive(terms(selector))).toBe(true);
    expect(parseOfferingTerms(`<select id="other"></select>${terms(selector)}`)).toEqual([
      { term_code: '2026-2027-1-1', term_name: '2026-2027学年上', is_default: false },
      { term_code: '2025-2026-2-1', term_name: '2025-2026学年下', is_default: true },
    ]);
  });

  it('a page without the selector, or half of it, has no terms', () => {
    for (const page of ['<select id="a"></select>', terms('id="zxjxjhh"').slice(0, -9)]) {
      expect(offeringsIndexAlive(page)).toBe(false);
      expect(failureOf(() => parseOfferingTerms(page))).toMatchObject(unreadablePage);
    }
  });
});

describe('classes', () => {
  const term = '<select name="executiveEducationPlanNum"><option value="a" selected>春</option></select>';
  const departments =
    '<select name="departmentNum"><option value="">-</option><option value="08">经济学院</option></select>';
  const grades = '<select name="yearNum"><option value="">全部</option><option value="2023">2023级</option></select>';

  it('filters, with and without grades', () => {
    const filters = {
      terms: [{ term_code: 'a', term_name: '下', is_default: true }],
      departments: [{ department_code: '08', department_name: '经济学院' }],
    };
    expect(parseClassFilters(term + departments + grades)).toEqual({ ...filters, grades: ['2023'] });
    expect(parseClassFilters(term + departments.replace('name', 'id'))).toEqual({ ...filters, grades: [] });
    expect(classIndexAlive(departments)).toBe(true);
  });

  it.each([term, departments, `${term}<select id="departmentNum"><option value="">-</option></select>`])(
    'the page with only %s is unreadable',
    (page) => {
      expect(failureOf(() => parseClassFilters(page))).toMatchObject(unreadablePage);
    },
  );

  it('majors, those without a code left out', () => {
    const text = '[{"subjectCode":"0801","subjectName":"会计学"},{"subjectName":"x"}]';
    expect(parseMajors(text)).toMatchObject({ rows: [{ major_code: '0801', major_name: '会计学' }], dropped: 1 });
    expect(parseMajors('[]').rows).toEqual([]);
    expect(failureOf(() => parseMajors('[{"a":1}]'))).toMatchObject(unreadablePage);
  });

  it('a page of classes, those without a number left out', () => {
    const records = [{ id: { classNum: 230714 }, className: '会计231', departmentName: '经济学院', subjectName: null }];
    const text = JSON.stringify([{ records: [...records, { id: null }], pageContext: { totalCount: '503' } }]);
    expect(parseClasses(text)).toEqual({
      rows: [{ class_code: '230714', class_name: '会计231', department_name: '经济学院', major_name: '' }],
      received: 2,
      dropped: 1,
      total: 503,
    });
    for (const none of ['[]', '[{"records":null}]']) expect(parseClasses(none).rows).toEqual([]);
    for (const other of ['[{}]', '[1]', '{"records":[]}', '[{"records":{}}]'])
      expect(failureOf(() => parseClasses(other))).toMatchObject(unreadablePage);
  });

  const lesson = {
    id: { kch: 'ECO1', kxh: '02', skzc: '111', skxq: 3, skjc: 5 },
    kcm: '微观经济学',
    xf: '3',
    kslxmc: '考试',
    jsm: '周明* 王五*',
    cxjc: 2,
    zcsm: '1-3周',
    xqm: '东校区',
    jxlm: '明理楼',
    jasm: '明理楼-308',
  };
  const { id, ...rest } = lesson;
  it.each([
    ['below kbInfo', { data: { kbInfo: [[lesson]] } }],
    ['as lists', [[lesson]]],
    ['with members at the row itself', [[{ ...rest, ...id }]]],
    ['in several lists, a place twice', [[lesson], null, [lesson]]],
  ])('a timetable %s', (_, value) => {
    expect(parseClassSchedule(JSON.stringify(value)).courses).toMatchObject([
      { code: 'ECO1', sequence: '02', teachers: '周明 王五', places: [{ weekday: 3, firstSession: 5 }] },
    ]);
  });

  it.each(['{"data":{"kbInfo":null}}', '{"data":{"kbInfo":[]}}', '{"data":{"kbInfo":[[]]}}', '[]', '[[]]'])(
    'no courses: %s',
    (text) => {
      expect(parseClassSchedule(text).courses).toEqual([]);
    },
  );

  it.each([
    '{"data":{"kbInfo":"x"}}',
    '{"data":{}}',
    '{"code":1,"msg":"系统繁忙","data":null}',
    '[[1]]',
    '[[{"id":{},"kcm":""}]]',
  ])('unreadable: %s', (text) => {
    expect(failureOf(() => parseClassSchedule(text))).toMatchObject(unreadablePage);
  });
});
