import { describe, expect, it } from 'vitest';
import { asRecorded, shownText, withMovedDays } from '../../../src/demo/jwc-terms.ts';
import { campusDayOf, presentAt, RECORDS_TERM, weekIn, weekOf } from '../../../src/demo/records/calendar.ts';
import { placeIn } from '../../../src/demo/records/timetable.ts';
import { dayNumber, dayText, weekdayOf } from '../../../src/lib/calendar-day.ts';

const dayMs = 24 * 60 * 60 * 1000;
const noon = (date: string): number => Date.parse(`${date}T12:00:00+08:00`);
const termOn = (date: string) => presentAt(noon(date), true).term;
const lastDayOf = ({ firstDay, weeks }: { firstDay: number; weeks: number }): number => firstDay + weeks * 7 - 1;

/** Every day of sixteen years, leap days among them. */
const days = Array.from(
  { length: campusDayOf(noon('2036-12-31')) - campusDayOf(noon('2021-01-01')) + 1 },
  (_, index) => noon('2021-01-01') + index * dayMs,
);

describe('the terms of the demo campus', () => {
  it('take in every day, one after the other, with weeks that a mask can hold', () => {
    let before = presentAt(noon('2020-12-31'), true).term;
    for (const moment of days) {
      const { term, today } = presentAt(moment, true);
      const week = weekOf(today, term);
      expect(week >= 1 && week <= term.weeks && term.weeks <= 24, dayText(today)).toBe(true);
      expect(weekdayOf(term.firstDay)).toBe(0);
      if (term.firstDay !== before.firstDay) {
        expect(term.firstDay).toBe(lastDayOf(before) + 1);
        expect([term.year, term.season]).toEqual(
          before.season === 3 ? [before.year + 1, 1] : [before.year, before.season + 1],
        );
      }
      before = term;
    }
  });

  it.each([
    ['2026-03-01', 2025, 1, 24, 'the last day of an autumn lies in the next year'],
    ['2026-03-02', 2025, 2, 1, 'the records were written in this spring'],
    ['2026-07-05', 2025, 2, 18, 'its last day'],
    ['2026-07-06', 2025, 3, 1, 'summer begins'],
    ['2026-09-13', 2025, 3, 10, 'and ends'],
    ['2026-09-14', 2026, 1, 1, 'autumn'],
    ['2026-12-31', 2026, 1, 16, 'the end of the year'],
    ['2027-01-01', 2026, 1, 16, 'changes nothing'],
    ['2028-02-29', 2027, 1, 24, 'a leap day'],
    ['2028-03-06', 2027, 2, 1, 'a spring behind a leap day'],
  ])('on %s it is %i, season %i, week %i: %s', (date, year, season, week) => {
    const { term, today } = presentAt(noon(date), true);
    expect([term.year, term.season, weekOf(today, term)]).toEqual([year, season, week]);
  });

  it('change at midnight of the campus', () => {
    const midnight = Date.parse('2026-07-06T00:00:00+08:00');
    expect(presentAt(midnight - 1, true).term.season).toBe(2);
    expect(presentAt(midnight, true).term.season).toBe(3);
  });

  it('stay that of the records for whoever wants them to', () => {
    expect(presentAt(noon('2031-10-10'), false).term).toEqual(RECORDS_TERM);
    expect(dayText(RECORDS_TERM.firstDay)).toBe('2026-03-02');
  });
});

describe('the exams', () => {
  it('lie in the term, and the last of them is never over', () => {
    for (const moment of days) {
      const { term, today, examsFrom } = presentAt(moment, true);
      expect(examsFrom + 1 > term.firstDay && examsFrom + 5 <= lastDayOf(term), dayText(today)).toBe(true);
      expect(examsFrom + 5 >= today, dayText(today)).toBe(true);
    }
  });

  it('keep their days for a week', () => {
    const from = (date: string): number => presentAt(noon(date), true).examsFrom;
    expect(from('2026-11-16')).toBe(from('2026-11-22'));
    expect(from('2026-11-23')).toBe(from('2026-11-22') + 7);
  });
});

describe('records shown in another term', () => {
  const record = '2025-2026-3-1 2025-2026-2-1 2025-2026-1-1 2024-2025-3-1 2024-2025-2-1 2024-2025-1-1 2023-2024-2-1';

  it.each([
    [
      '2026-11-22',
      '2026-2027-2-1 2026-2027-1-1 2025-2026-2-1 2025-2026-3-1 2025-2026-1-1 2024-2025-2-1 2024-2025-1-1',
      'in autumn the spring and the autumn before it',
    ],
    [
      '2026-08-01',
      '2026-2027-1-1 2025-2026-3-1 2025-2026-2-1 2024-2025-3-1 2025-2026-1-1 2024-2025-2-1 2024-2025-1-1',
      'in summer likewise',
    ],
    [
      '2030-05-01',
      '2029-2030-3-1 2029-2030-2-1 2029-2030-1-1 2028-2029-3-1 2028-2029-2-1 2028-2029-1-1 2027-2028-2-1',
      'in another spring the same years before',
    ],
  ])('on %s: %s', (date, shown) => {
    const term = termOn(date);
    expect(shownText(record, term)).toBe(shown);
    expect(asRecorded(new URLSearchParams({ terms: shown, other: 'x' }), term).toString()).toBe(
      new URLSearchParams({ terms: record, other: 'x' }).toString(),
    );
  });

  it('have other names too, in each spelling, and nothing else is changed', () => {
    const text = '2025-2026 春 / 2025-2026学年春 / 2024-2025&#23398;年秋 / 2023级 2025-12-02 / 2025-2026';
    expect(shownText(text, termOn('2026-11-22'))).toBe(
      '2026-2027 秋 / 2026-2027学年秋 / 2024-2025&#23398;年春 / 2023级 2025-12-02 / 2025-2026',
    );
  });

  it('have their days in the same part of the term, on the same weekday', () => {
    const body = '2026年6月5日 2026/6/9 2026-06-09 2026年1月3日 2025-2026-2-1 2026/2/31';
    const moved = (date: string) => withMovedDays({ status: 200, headers: {}, body }, termOn(date)).body;
    expect(moved('2026-05-01')).toBe(body);
    expect(moved('2026-11-22')).toBe('2027年1月22日 2027/1/26 2027-01-26 2026年9月19日 2025-2026-2-1 2026/2/31');
    for (const date of ['2026-11-22', '2026-08-01', '2028-02-29', '2031-04-01']) {
      const term = termOn(date);
      const [friday = '', tuesday = ''] = String(moved(date)).split(' ');
      const [first, second] = [friday, tuesday].map((text) =>
        dayNumber(
          text
            .match(/\d+/g)
            ?.map((part) => part.padStart(2, '0'))
            .join('-') ?? '',
        ),
      );
      expect([weekdayOf(first ?? 0), weekdayOf(second ?? 0)]).toEqual([4, 1]);
      expect((first ?? 0) > term.firstDay && (second ?? 0) <= lastDayOf(term)).toBe(true);
    }
  });

  it('have classes until the end of a longer term, and none behind that of a shorter one', () => {
    for (const weeks of [10, 11, 18, 24]) {
      expect(weekIn(weeks, 18)).toBe(weeks);
      expect(placeIn(weeks)(1, 1, 2, [1, 18], '明理楼-308').mask).toBe('1'.repeat(weeks).padEnd(24, '0'));
      const even = placeIn(weeks)(1, 1, 2, [2, 18, 2], '明理楼-308').mask ?? '';
      expect([...even].some((digit, index) => digit === '1' && index % 2 === 0)).toBe(false);
    }
  });
});
