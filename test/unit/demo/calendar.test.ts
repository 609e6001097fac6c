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

  it('change at midnight of the campus', () => {
    const midnight = Date.parse('2026-07-06T00:00:00+08:00');
    expect(presentAt(midnight - 1, true).term.season).toBe(2);
    expect(presentAt(midnight, true).term.season).toBe(3);
  });

  it('stay in one spring for a campus whose dates do not move', () => {
    expect(presentAt(noon('2031-10-10'), false).term).toEqual(FIXED_TERM);
    expect(dayText(FIXED_TERM.firstDay)).toBe('2026-03-02');
  });
});

describe('weeks of a table', () => {
  it('have classes until the end of a longer term, and none behind that of a shorter one', () => {
    for (const weeks of [10, 11, 18, 24]) {
      expect(weekIn(weeks, 18)).toBe(weeks);
      expect(placeIn(weeks)(1, 1, 2, [1, 18], '明理楼-308').mask).toBe('1'.repeat(weeks).padEnd(24, '0'));
      const even = placeIn(weeks)(1, 1, 2, [2, 18, 2], '明理楼-308').mask ?? '';
      expect([...even].some((digit, index) => digit === '1' && index % 2 === 0)).toBe(false);
    }
  });
});
