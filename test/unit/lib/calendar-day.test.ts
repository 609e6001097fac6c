import { describe, expect, it } from 'vitest';
import { dayNumber, dayText, weekdayOf } from '../../../src/lib/time.ts';

describe('a calendar day', () => {
  it('is a number and a text again, over leap days and ends of years', () => {
    for (const text of ['1970-01-01', '2024-02-29', '2025-12-31', '2026-01-01', '2099-12-31', '1969-12-31']) {
      const day = dayNumber(text);
      expect(day === null ? null : dayText(day)).toBe(text);
    }
    expect((dayNumber('2026-03-01') ?? 0) - (dayNumber('2026-02-28') ?? 0)).toBe(1);
  });

  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-1-1', '20260101', '', '2026-01-01 '])(
    'is not %j',
    (text) => {
      expect(dayNumber(text)).toBeNull();
    },
  );

  it.each([
    ['2026-03-02', 0],
    ['2026-03-18', 2],
    ['2026-03-08', 6],
    ['1969-12-28', 6],
  ])('%s has weekday %i', (text, weekday) => {
    expect(weekdayOf(dayNumber(text) ?? 0)).toBe(weekday);
  });
});
