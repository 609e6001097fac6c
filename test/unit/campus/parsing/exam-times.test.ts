import { describe, expect, it } from 'vitest';
import { inHours, seatNote, whenIn, whenInOne } from '../../../../src/campus/parsing/exam-times.ts';
import * as eams5 from '../../../../src/campus/products/eams5/parse-exams.ts';
import * as emap from '../../../../src/campus/products/emap/parse-exams.ts';
import * as jwglxt from '../../../../src/campus/products/jwglxt/parse-student.ts';
import { parseOtherExams } from '../../../../src/campus/products/urp/parse-exams.ts';
import { atCampus, type Exam } from '../../../../src/domain/academics/exams.ts';

const row = (when: string): string =>
  `<table id="exams"><tbody><tr><td><div class="time">${when}</div></td><td><div><span>微观</span></div></td>` +
  '<td></td><td></td></tr></tbody></table>';

/** The one exam that each product reads from a cell with day and hours. */
const products: ReadonlyArray<readonly [string, (when: string) => readonly Exam[]]> = [
  ['jwglxt', (kssj) => jwglxt.parseExams(JSON.stringify({ items: [{ kcmc: '微观', kssj }] })).rows],
  ['eams5', (when) => eams5.parseExams(row(when)).exams],
  [
    'emap',
    (KSSJMS) => {
      const wdksap = { rows: [{ KCM: '微观', KSSJMS }], totalSize: 1 };
      return emap.parseExams(JSON.stringify({ code: '0', datas: { wdksap } })).rows;
    },
  ],
  ['urp', (KSRQ) => parseOtherExams(JSON.stringify({ records: [{ KCM: '微观', KSRQ, KSSJ: null }] })).rows],
];

describe.each(products)('an exam of %s', (_, read) => {
  it.each([
    ['2026-01-10 09:00-11:00', '2026-01-10', '09:00-11:00'],
    ['2026-01-10 09:00:00-11:00:00', '2026-01-10', '09:00-11:00'],
    ['2026-01-10 下午2:00-4:00', '2026-01-10', '14:00-16:00'],
    ['2026-01-10（09：00～11：00）', '2026-01-10', '09:00-11:00'],
    ['２０２６年１月１０日 ０９：００－１１：００', '2026-01-10', '09:00-11:00'],
    ['2026-01-10 09:00', '2026-01-10', '09:00'],
    ['2026-01-10 00:00:00', '2026-01-10', ''],
    ['2026-01-10 星期六', '2026-01-10', ''],
    ['2026-01-10~2026-01-11', '2026-01-10', '2026-01-10~2026-01-11'],
    ['2026年1月10-11日', '2026-01-10', '2026年1月10-11日'],
    ['2026-01-10 第3-4节', '2026-01-10', '第3-4节'],
    ['2026-01-09T16:30:00.000Z', '2026-01-10', '00:30'],
    ['1768006800000', '2026-01-10', '09:00'],
  ])('at %s', (stated, date, time) => {
    const exams = read(stated).map((exam) => atCampus(exam, 'Asia/Shanghai'));
    expect(exams).toMatchObject([{ date }]);
    // Some show the words of the campus.
    expect(exams.map(inHours)).toMatchObject([{ time }]);
  });
});

it.each([
  [['', '2026年12月3日 14:00-15:30'], { date: '2026-12-03', time: '14:00-15:30' }],
  [['2026-12-03', '14:00～15:30'], { date: '2026-12-03', time: '14:00～15:30' }],
  [['2026-12-03 上午', ''], { date: '2026-12-03', time: '上午' }],
  [['待定', '待定'], { date: '待定', time: '待定' }],
] as const)('two cells %j say day and hours between them', ([stated, hours], when) => {
  expect(whenIn(stated, hours)).toEqual(when);
});

it.each([
  ['未安排', ''],
  ['第20周周六(09:00-11:00)', '09:00-11:00'],
])('one cell without a day (%s) has none', (text, time) => {
  expect(whenInOne(text)).toEqual({ date: '', time });
});

it.each(['', 'null', '无', '--', '待定', '未安排'])('%j is no seat', (cell) => {
  expect(seatNote(cell)).toBe('');
});

it('a seat ends before the sign that ends its cell', () => {
  expect(seatNote('第3排；')).toBe('座位号: 第3排');
});
