import { describe, expect, it } from 'vitest';
import { campusDayOf, FIXED_TERM, presentAt, weekIn, weekOf } from '../../../src/demo/records/calendar.ts';
import { placeIn } from '../../../src/demo/records/timetable.ts';
import { dayText, weekdayOf } from '../../../src/lib/time.ts';

const dayMs = 24 * 60 * 60 * 1000;
const noon = (date: string): number => Date.parse(`${date}T12:00:00+08:00`);
const lastDayOf = ({ firstDay, weeks }: { firstDay: number; weeks: number }): number => firstDay + weeks * 7 - 1;

/** Every day of sixteen years, leap days among them. */
const days = Array.from(
  { length: campusDayOf(noon('2036-12-31')) - campusDayOf(noon('2021-01-01')) + 1 },
  (_, index) => noon('2021-01-01') + index * dayMs,
);

describe('the terms of the demo campus', () => {
  it('have twenty weeks each, four in summer, and a vacation behind them that keeps the term before it', () => {
    let before = presentAt(noon('2020-12-31'), true).term;
    for (const moment of days) {
      const { term, today } = presentAt(moment, true);
      expect(weekOf(today, term) >= 1, dayText(today)).toBe(true);
      expect(weekdayOf(term.firstDay)).toBe(0);
      expect(term.weeks).toBe(term.season === 3 ? 4 : 20);
      if (term.firstDay !== before.firstDay) {
        const vacation = (term.firstDay - lastDayOf(before) - 1) / 7;
        const [least, most] = before.season === 1 ? [6, 7] : before.season === 2 ? [0, 0] : [1, 2];
        expect(vacation >= least && vacation <= most, `${vacation} weeks before ${dayText(term.firstDay)}`).toBe(true);
        expect([term.year, term.season]).toEqual(
          before.season === 3 ? [before.year + 1, 1] : [before.year, before.season + 1],
        );
      }
      before = term;
    }
  });

  it('leave the Spring Festival free', () => {
    const festivals =
      '2021-02-12 2022-02-01 2023-01-22 2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2031-01-23';
    for (const festival of festivals.split(' ')) {
      const { term, today } = presentAt(noon(festival), true);
      // Its eve, and the week that follows, too.
      expect(today - 1 > lastDayOf(term), festival).toBe(true);
      expect(presentAt(noon(festival) + 7 * dayMs, true).term).toEqual(term);
    }
  });

  it('change at midnight of the campus', () => {
    const midnight = Date.parse('2026-07-20T00:00:00+08:00');
    expect(presentAt(midnight - 1, true).term.season).toBe(2);
    expect(presentAt(midnight, true).term.season).toBe(3);
  });

  it('stay in one spring for a campus whose dates do not move', () => {
    expect(presentAt(noon('2031-10-10'), false).term).toEqual(FIXED_TERM);
    expect(dayText(FIXED_TERM.firstDay)).toBe('2026-03-02');
  });
});

describe('weeks of a table', () => {
  it('have classes in its first eighteen weeks, and none behind the end of a shorter term', () => {
    for (const weeks of [4, 10, 11, 18, 20]) {
      const last = Math.min(weeks, 18);
      expect(weekIn(weeks, 18)).toBe(last);
      expect(placeIn(weeks)(1, 1, 2, [1, 18], '明理楼-308').mask).toBe('1'.repeat(last).padEnd(24, '0'));
      const even = placeIn(weeks)(1, 1, 2, [2, 18, 2], '明理楼-308').mask ?? '';
      expect([...even].some((digit, index) => digit === '1' && index % 2 === 0)).toBe(false);
    }
  });
});
