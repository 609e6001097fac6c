import { describe, expect, it } from 'vitest';
import {
  type CalendarText,
  currentTermOf,
  findTermCode,
  startAtCampus,
  type TermStart,
  termDisplayName,
} from '../../../../src/domain/academics/current-term.ts';

const text: CalendarText = { academicYear: '2025-2026', season: '秋', week: null, speaksOfEnd: false };

describe('the current term', () => {
  const start: TermStart = { firstDay: '2026-03-02', weeks: 18 };
  const on = (change: Partial<CalendarText>, date = '2026-03-18', calendar = start) =>
    currentTermOf(
      { text: { ...text, ...change }, code: '2025-2026-2-1', start: calendar, stated: [], readOn: date },
      date,
    );

  it('takes the week that the campus states, also against the calendar', () => {
    for (const week of [0, 5, 25]) expect(on({ week }).week).toBe(week);
  });

  it.each([
    ['2026-02-20', 0, 4],
    ['2026-03-01', 0, 6],
    ['2026-03-02', 1, 0],
    ['2026-03-08', 1, 6],
    ['2026-03-09', 2, 0],
    ['2026-06-14', 15, 6],
    ['2026-06-15', 16, 0],
    ['2026-07-05', 18, 6],
    ['2026-07-06', 0, 0],
  ])('on %s has the week %i and the weekday %i', (date, week, weekday) => {
    expect(on({}, date)).toMatchObject({ week, weekday, isEnding: week >= 16 });
  });

  it('has no week where the calendar names no weeks', () => {
    expect(on({}, '2026-03-18', { ...start, weeks: 0 }).week).toBe(0);
  });

  it('is ending from week 16 on, and when the campus says so', () => {
    expect([15, 16, 17].map((week) => on({ week }).isEnding)).toEqual([false, true, true]);
    expect(on({ week: 2, speaksOfEnd: true }).isEnding).toBe(true);
  });

  it('may begin on a Sunday', () => {
    const sunday = { firstDay: '2026-03-01', weeks: 18 };
    expect(on({}, '2026-03-01', sunday)).toMatchObject({ week: 1, weekday: 6 });
    expect(on({}, '2026-03-07', sunday)).toMatchObject({ week: 1, weekday: 5 });
    expect(on({}, '2026-03-08', sunday)).toMatchObject({ week: 2, weekday: 6 });
  });
});

describe('first day and weeks at the campus', () => {
  it.each([
    ['2026-03-01T16:00:00.000Z', '2026-07-11T16:00:00.000Z', '2026-03-02', 19],
    ['2026-03-02T00:00:00+08:00', '2026-07-12', '2026-03-02', 19],
    ['1772380800000', '1783785600000', '2026-03-02', 19],
    ['/Date(1772380800000)/', '', '2026-03-02', 0],
    ['2026-03-02', '2026-07-11T16:00:00Z', '2026-03-02', 19],
    ['2026-03-02', '2026-01-01T00:00:00Z', '2026-03-02', 0],
    ['2026-03-07', '2026-07-06', '2026-03-07', 19],
    ['2026-03-01', '2026-07-04', '2026-03-01', 18],
    ['2026-03-01', '2026-07-05', '2026-03-01', 19],
  ])('of a term from %s to %s', (firstDay, lastDay, day, weeks) => {
    expect(startAtCampus({ firstDay, lastDay, weeks: 0 }, 'Asia/Shanghai')).toEqual({ firstDay: day, weeks });
  });

  it('are as they are stated where no zone is named', () => {
    const stated = { firstDay: '2026-03-02', weeks: 18 };
    expect(startAtCampus(stated, 'Asia/Shanghai')).toEqual(stated);
  });
});

describe('display name of a term', () => {
  it.each([
    ['2025-2026-1-1', '2025-2026秋季学期'],
    ['2025-2026-2-1', '2025-2026春季学期'],
    ['2025-2026-1', '2025-2026秋季学期'],
    ['2025-2026-2-2', '2025-2026春季学期'],
    ['2025-2026-3-1', '2025-2026-3-1'],
    ['2025-2026-11-1', '2025-2026-11-1'],
    ['2025-2026', '2025-2026'],
    ['2025', '2025'],
    ['', ''],
  ])('of %j is %j', (code, name) => {
    expect(termDisplayName(code)).toBe(name);
  });
});

describe('the term that the calendar text speaks of', () => {
  const term = (term_code: string, is_current = false, term_name = '') => ({ term_code, term_name, is_current });
  const all = [term('2025-2026-2-1'), term('2025-2026-1-1'), term('2024-2025-3-1')];
  const spring = { academicYear: '2025-2026', season: '春' };
  it.each([
    [spring, all, '2025-2026-2-1'],
    [{ ...spring, season: '秋' }, all, '2025-2026-1-1'],
    [spring, [term('2025-2026-2-2', true)], '2025-2026-2-2'],
    [spring, [term('2025-2026-2-1'), term('2025-2026-2-2', true)], '2025-2026-2-2'],
    [spring, [term('2025-2026-3-1', true, '2025-2026学年下(三学期)')], '2025-2026-3-1'],
    [spring, [term('2025-2026-1-1', true, '2025-2026学年上')], null],
    [spring, [term('2026-2027-1-1', true, '2026-2027学年下')], null],
    [{ ...spring, season: '' }, all, null],
    [{ ...spring, season: '夏' }, [term('2025-2026-3-1', true)], '2025-2026-3-1'],
    [{ ...spring, season: '' }, [term('2025-2026-2-1', true)], null],
    [{ ...spring, academicYear: '' }, all, null],
  ])('%j among %j is %s', (text, known, code) => {
    expect(findTermCode(text, known)).toBe(code);
  });
});
