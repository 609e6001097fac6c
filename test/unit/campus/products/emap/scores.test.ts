import { expect, it } from 'vitest';
import { parseScores } from '../../../../../src/campus/products/emap/parse-scores.ts';
import { answer } from './fixtures.ts';

const full = {
  XNXQDM: '2025-2026-1',
  KCH: 'ECO1201',
  KXH: '01',
  KCM: '微观经济学',
  XSKCM: '微观经济学',
  XF: 3,
  XS: 48,
  ZCJ: 88,
  XFJD: 3.8,
  PSCJ: '90',
  PSCJXS: '40',
  QZCJ: null,
  QMCJ: '87',
  QMCJXS: '60',
  SYCJ: -701,
  KCXZDM_DISPLAY: '必修',
  KSLXDM_DISPLAY: '考试',
  CXCKDM_DISPLAY: '初修',
  SFJG: '1',
  TSYYDM_DISPLAY: null,
};
const words = {
  XNXQDM: '2024-2025-2',
  KCH: 'PED1001',
  KXH: '07',
  XSKCM: '体育(一)',
  XF: '1',
  ZCJ: '优秀',
  XFJD: null,
  PSCJ: -702,
  CXCKDM_DISPLAY: '重修',
  TSYYDM_DISPLAY: '缺考',
  SFJG: '0',
};
const scoresOf = (...rows: unknown[]) => parseScores(answer('xscjcx', rows)).rows;
const one = (cells: Record<string, unknown>) => scoresOf({ ...full, ...cells })[0];

it('reads a score with everything that the school states of it', () => {
  expect(scoresOf(full, words)).toMatchObject([
    {
      key: '',
      row: {
        term_id: '2025-2026-1-1',
        course_code: 'ECO1201',
        course_class: '01',
        course_name_cn: '微观经济学',
        credits: '3',
        hours: 48,
        course_type: '必修',
        exam_type: '考试',
        score: '88',
        score_number: 88,
        grade_point: 3.8,
        not_passed_reason: null,
        retake_score: null,
      },
      components: [
        {
          ...{ score_type_code: '', regular: '90', midterm: null, final: '87', total: '88', remark: '' },
          ...{ regular_weight: 0.4, midterm_weight: null, final_weight: 0.6, weight: null },
        },
      ],
    },
    {
      row: {
        ...{ term_id: '2024-2025-2-1', course_name_cn: '体育(一)', score: '优秀', score_number: null },
        ...{ grade_point: null, hours: null, exam_type: null, not_passed_reason: '缺考' },
      },
      components: [],
    },
  ]);
});

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['a mark as text', { ZCJ: '88.5' }, { score: '88.5', score_number: 88.5 }],
  ['no mark', { ZCJ: null }, { score: '', score_number: null }],
  ['a code in place of a mark', { ZCJ: -701 }, { score: '', score_number: null }],
  ['a negative point', { XFJD: -1 }, { grade_point: null }],
  ['a point of 0', { XFJD: '0' }, { grade_point: 0 }],
  ['a third term', { XNXQDM: '2025-2026-3' }, { term_id: '2025-2026-3-1' }],
  ['a term of graduates', { XNXQDM: '20261' }, { term_id: null }],
  ['a name of the list alone', { XSKCM: null }, { course_name_cn: '微观经济学' }],
  ['a reason beside a passed course', { TSYYDM_DISPLAY: '缓考' }, { not_passed_reason: null }],
  ['a reason, and 0 as a number', { TSYYDM_DISPLAY: '缺考', SFJG: 0 }, { not_passed_reason: '缺考' }],
])('reads %s', (_, cells, row) => {
  expect(one(cells)?.row).toMatchObject(row);
});

it('names a score by the key of its class', () => {
  expect(one({ JXBID: 'J1' })?.key).toBe('J1');
});

it.each<[string, Record<string, unknown>, unknown]>([
  ['negative parts are none', { PSCJ: -701, QMCJ: '-702' }, []],
  ['so are those with other minus signs', { PSCJ: '－701', QMCJ: '−702' }, []],
  ['an experiment stands in the remark', { SYCJ: '85' }, [{ remark: '实验 85' }]],
  ['a part is never the total', { PSCJ: null, ZCJ: 88 }, [{ regular: null, total: '88' }]],
])('%s', (_, cells, components) => {
  expect(one(cells)?.components).toMatchObject(components as object[]);
});

it('drops and counts a row without a course', () => {
  expect(parseScores(answer('xscjcx', [full, words, { XSKCM: null, KCH: '', ZCJ: 90 }])).dropped).toBe(1);
});
