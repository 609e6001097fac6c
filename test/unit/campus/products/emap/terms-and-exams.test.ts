import { describe, expect, it } from 'vitest';
import { parseExams } from '../../../../../src/campus/products/emap/parse-exams.ts';
import {
  firstDayOf,
  ownTermOf,
  parseCurrentTerm,
  parseTermList,
  parseTermStarts,
} from '../../../../../src/campus/products/emap/parse-terms.ts';
import { answer, outcomeOf, unreadable } from './fixtures.ts';

describe('terms', () => {
  it('are those whose code names years and number; others are dropped and counted', () => {
    const rows = [
      { DM: '2025-2026-3', MC: '2025-2026学年第三学期' },
      { DM: '2025-2026-2', MC: null },
      { DM: '20261', MC: '研究生' },
    ];
    expect(parseTermList(answer('xnxqcx', rows))).toMatchObject({
      rows: [
        { term_code: '2025-2026-3-1', term_name: '2025-2026学年第三学期' },
        { term_code: '2025-2026-2-1', term_name: '2025-2026-2' },
      ],
      dropped: 1,
    });
    expect(['2025-2026-2-1', '2025-2026-1-2', ''].map(ownTermOf)).toEqual(['2025-2026-2', '2025-2026-1-2', '']);
  });

  it.each([
    ['no row', []],
    ['a code of graduates', [{ DM: '20261' }]],
  ])('%s is no current term', (_, rows) => {
    expect(outcomeOf(() => parseCurrentTerm(answer('dqxnxq', rows)))).toMatchObject(unreadable);
  });

  it('two that are both current are none', () => {
    const rows = [{ DM: '2025-2026-2' }, { DM: '2025-2026-1' }];
    expect(outcomeOf(() => parseCurrentTerm(answer('dqxnxq', rows)))).toMatchObject(unreadable);
    expect(parseCurrentTerm(answer('dqxnxq', [rows[0], rows[0]]))).toMatchObject({ code: '2025-2026-2-1' });
  });

  const start = (...rows: object[]) =>
    outcomeOf(() => firstDayOf(parseTermStarts(answer('cxjcs', rows)).rows, '2025-2026-2'));

  it('begin on a stated day', () => {
    expect(start({ XQKSRQ: '2026-03-02 00:00:00' })).toBe('2026-03-02');
    expect([start({ XQKSRQ: null }), start({ XQKSRQ: '九月' }), start()]).toMatchObject(Array(3).fill(unreadable));
  });

  it('begin on a moment that only the clock of the campus makes a day', () => {
    const stated = ['2026-03-01T16:00:00.000Z', '1772380800000'];
    expect(stated.map((XQKSRQ) => start({ XQKSRQ }))).toEqual(stated);
  });

  it('begin on none of the days of other terms', () => {
    const [spring, autumn] = [
      { XN: '2025-2026', XQ: '2', XQKSRQ: '2026-03-02' },
      { XN: '2025-2026', XQ: '1', XQKSRQ: '2025-09-01' },
    ];
    const [older, other] = [
      { XN: '2024-2025', XQ: '2', XQKSRQ: null },
      { XN: '2024-2025', XQ: '1' },
    ];
    expect(start(spring, older, other)).toBe('2026-03-02');
    expect(start({ ...spring, XQKSRQ: null }, autumn)).toMatchObject(unreadable);
    expect([start(autumn, spring), start(spring)]).toEqual(['2026-03-02', '2026-03-02']);
    expect(start(autumn)).toMatchObject(unreadable);
    expect(start({ XQKSRQ: '2026-03-02' }, { XQKSRQ: '2025-09-01' })).toMatchObject(unreadable);
    expect(start({ XN: '2025', XQ: '春', XQKSRQ: '2026-03-02' })).toBe('2026-03-02');
  });
});

const exam = {
  KCH: 'ECO1201',
  KXH: '01',
  KCM: '微观经济学',
  KSRQ: '2026-01-10',
  KSSJMS: '2026-01-10 09：00-11:00(星期六)',
  XXXQMC: '东校区',
  JXLMC: '明理楼',
  JASMC: '308',
  ZWH: '12',
  KSMC: '期末考试',
};
const examsOf = (...rows: unknown[]) => parseExams(answer('wdksap', rows)).rows;

describe('exams', () => {
  it('are read with place and seat', () => {
    expect(examsOf(exam, { KCM: '体育(二)', KSSJMS: null, JASMC: null, ZWH: null, KSMC: '期末考试' })).toMatchObject([
      {
        ...{ courseName: '微观经济学', date: '2026-01-10', time: '09:00-11:00', location: '东校区 明理楼 308' },
        ...{ kind: 'university', note: '座位号: 12' },
        extras: { course_code: 'ECO1201', course_sequence: '01', exam_name: '期末考试' },
      },
      { courseName: '体育(二)', date: '', time: '', location: '', note: '', extras: { course_code: null } },
    ]);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['wide points', { KSSJMS: '2026-01-10 09．00~11．00' }, { time: '09:00-11:00' }],
    ['points and two colons', { KSSJMS: '2026-01-10 9.00::11.00' }, { time: '09:00-11:00' }],
    ['points in the date as well', { KSSJMS: '2026.01.12 14.30-16.30' }, { date: '2026-01-12', time: '14:30-16:30' }],
    ['a word that moves the hours', { KSSJMS: '2026-01-10 下午2:00-4:00' }, { time: '14:00-16:00' }],
    ['a begin alone', { KSSJMS: '2026-01-10 09:00' }, { time: '09:00' }],
    ['a day without hours', { KSSJMS: '2026-01-10' }, { date: '2026-01-10', time: '' }],
    ['hours without a day', { KSSJMS: '09:00-11:00' }, { date: '2026-01-10', time: '09:00-11:00' }],
    ['no text, but a day', { KSSJMS: null, KSRQ: '2026-01-11 00:00:00' }, { date: '2026-01-11', time: '' }],
    ['neither', { KSSJMS: '另行通知', KSRQ: null }, { date: '', time: '另行通知' }],
    ['two days', { KSSJMS: '2026-01-10~2026-01-11' }, { date: '2026-01-10', time: '2026-01-10~2026-01-11' }],
    ['the building in the room', { JASMC: '明理楼308' }, { location: '东校区 明理楼308' }],
    ['a seat as number', { ZWH: 7 }, { note: '座位号: 7' }],
  ])('are read with %s', (_, cells, found) => {
    expect(examsOf({ ...exam, ...cells })[0]).toMatchObject(found);
  });
});
