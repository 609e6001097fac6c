import { describe, expect, it } from 'vitest';
import {
  type CalendarText,
  currentTermOf,
  type TermStart,
  termDisplayName,
} from '../../../../src/domain/academics/current-term.ts';
import { campusDate } from '../../../../src/lib/time.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const hour = 3_600_000;
const text: CalendarText = { academicYear: '2025-2026', season: '秋', week: null, speaksOfEnd: false };

/** Two academic years: first day of each term (a Monday) and weeks. */
const terms: TermStart[] = [
  { firstDay: '2024-09-02', weeks: 20 },
  { firstDay: '2025-02-17', weeks: 19 },
  { firstDay: '2025-09-01', weeks: 20 },
  { firstDay: '2026-03-02', weeks: 18 },
];
const termOn = (date: string): TermStart =>
  terms.findLast(({ firstDay }) => firstDay <= date) ?? { firstDay: '2024-09-02', weeks: 20 };

describe('every day of two academic years', () => {
  it('has the right week, weekday and end, from midnight to midnight at the campus', () => {
    // 2024-08-26 00:00 in UTC+8, one hour at a time.
    const clock = new ManualClock(Date.UTC(2024, 7, 25, 16));
    let previous = '';
    let day = -1;
    const days = 730;
    while (day < days) {
      const date = campusDate(clock.now(), 'Asia/Shanghai');
      if (date !== previous) {
        previous = date;
        day += 1;
        // A new day begins at the campus's midnight, not at the host's.
        expect(new Date(clock.now()).getUTCHours()).toBe(16);
      }
      const start = termOn(date);
      const term = currentTermOf(text, start, date);
      // Counted day by day, without the arithmetic under test. 2024-08-26 was a Monday.
      const sinceStart = Math.round((Date.parse(date) - Date.parse(start.firstDay)) / (24 * hour));
      let week = 0;
      for (let n = 1; n <= start.weeks; n += 1) if (sinceStart >= (n - 1) * 7 && sinceStart < n * 7) week = n;
      expect([date, term.weekday, term.week, term.startAt]).toEqual([date, day % 7, week, start.firstDay]);
      expect(term.isEnding).toBe(week >= 16);
      clock.advance(hour);
    }
  });
});

describe('the current term', () => {
  const start: TermStart = { firstDay: '2026-03-02', weeks: 18 };
  const on = (change: Partial<CalendarText>, date = '2026-03-18', calendar = start) =>
    currentTermOf({ ...text, ...change }, calendar, date);

  it('takes the week that the campus states, also against the calendar', () => {
    for (const week of [0, 5, 25]) expect(on({ week }).week).toBe(week);
  });

  it('has no week outside the calendar, nor where the calendar names no weeks', () => {
    for (const day of ['2026-03-01', '2026-02-20', '2025-12-01']) expect(on({}, day).week).toBe(0);
    expect(on({}, '2026-07-06').week).toBe(0);
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
