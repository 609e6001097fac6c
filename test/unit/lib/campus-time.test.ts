import { describe, expect, it } from 'vitest';
import { campusDate, campusDateTime, campusTimestamp, createTimestamper } from '../../../src/lib/time.ts';

const zone = 'Asia/Shanghai';

describe('campus time', () => {
  it('is the wall clock of the campus in any zone of the host', () => {
    expect(campusTimestamp(Date.UTC(2026, 2, 18, 2, 3, 4), zone)).toBe('2026-03-18 10:03:04');
    expect(campusTimestamp(Date.UTC(2025, 11, 31, 16, 0, 0), zone)).toBe('2026-01-01 00:00:00');
    expect(campusDate(Date.UTC(2025, 11, 31, 15, 59, 59), zone)).toBe('2025-12-31');
  });

  it.each([
    ['Asia/Shanghai', '2026-03-18T10:03:04+08:00'],
    ['Asia/Kolkata', '2026-03-18T07:33:04+05:30'],
    ['America/St_Johns', '2026-03-17T23:33:04-02:30'],
    ['UTC', '2026-03-18T02:03:04+00:00'],
  ])('in %s says how far it is from UTC', (timeZone, text) => {
    expect(campusDateTime(Date.UTC(2026, 2, 18, 2, 3, 4, 999), timeZone)).toBe(text);
  });

  it('kept for a second is never a second late', () => {
    const stamp = createTimestamper(zone);
    const start = Date.UTC(2026, 2, 18, 2, 0, 59, 500);
    expect([stamp(start), stamp(start + 499), stamp(start + 500), stamp(start)]).toEqual([
      '2026-03-18 10:00:59',
      '2026-03-18 10:00:59',
      '2026-03-18 10:01:00',
      '2026-03-18 10:00:59',
    ]);
  });
});
