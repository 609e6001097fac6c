import { describe, expect, it } from 'vitest';
import { datesIn, isoDateOr, startTimesIn } from '../../../../src/lib/moments.ts';

describe('dates of the campus', () => {
  it.each([
    ['2026年1月3日', '2026-01-03'],
    ['2026-01-09', '2026-01-09'],
    ['2026/1/9', '2026-01-09'],
    ['2026.12.09', '2026-12-09'],
    ['20260109', '2026-01-09'],
    ['2026年01月09日 星期五', '2026-01-09'],
    ['2026 年 1 月 9 日', '2026-01-09'],
    ['待定', '待定'],
    ['2026年2月30日', '2026年2月30日'],
    ['202601091', '202601091'],
    ['', ''],
  ])('%j is read as %j', (text, date) => {
    expect(isoDateOr(text)).toBe(date);
  });

  it('are found all of them', () => {
    const text = '第18周 2026-01-09 星期五 8:30-10：30，补考 2026年3月1日 14:00';
    expect(datesIn(text)).toEqual(['2026-01-09', '2026-03-01']);
  });
});

describe('beginnings', () => {
  it.each([
    ['8:30-10：30，补考 14:00', ['08:30', '14:00']],
    ['08:30 ~ 10:30', ['08:30']],
    ['08:30至10:30', ['08:30']],
    ['8:00-9:30', ['08:00']],
    ['08:30--10:30 10:40-12:00', ['08:30', '10:40']],
    ['座位 8:3，128:30', []],
  ])('of %j are %j: where a span ends, nothing begins', (text, times) => {
    expect(startTimesIn(text)).toEqual(times);
  });
});
