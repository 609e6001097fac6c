import { describe, expect, it } from 'vitest';
import type { TermStart } from '../../../../src/domain/academics/current-term.ts';
import { TermCalendar } from '../../../../src/domain/academics/service.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { programmable } from '../../../support/fake-services.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testReads } from '../../../support/test-reads.ts';

const second = 1_000;
const day = 86_400 * second;
const student = { userid: '2023000001' };

/** Year and season as the start page words them, first day (a Monday), weeks; two academic years without a gap. */
const terms = [
  ['2024-2025', '秋', '2024-09-02', 20],
  ['2024-2025', '春', '2025-02-17', 19],
  ['2025-2026', '秋', '2025-09-01', 20],
  ['2025-2026', '春', '2026-03-02', 18],
] as const;

/** A campus whose pages say what its term is, as of `clock`, and never which week it is. */
const start = (clock: ManualClock) => {
  const termNow = () =>
    terms.findLast(([, , first]) => Date.parse(`${first}T00:00:00+08:00`) <= clock.now()) ?? terms[0];
  const termStart = programmable<[], TermStart>(() => {
    const [, , firstDay, weeks] = termNow();
    return Promise.resolve({ firstDay, weeks });
  });
  const calendarText = programmable(() => {
    const [academicYear, season] = termNow();
    return Promise.resolve({ academicYear, season, week: null, speaksOfEnd: false });
  });
  const calendar = new TermCalendar({
    campus: { calendarText, termStart },
    reads: testReads(clock),
    clock,
    timeZone: 'Asia/Shanghai',
  });
  return { termStart, calendarText, current: () => calendar.current(student, callContext()) };
};

describe('the current term over two academic years', () => {
  it('changes its weekday at midnight of the campus and its week behind Sunday, on every single day', async () => {
    const clock = new ManualClock(Date.parse('2024-09-02T00:00:00+08:00'));
    const { current, termStart } = start(clock);
    let index = 0;
    let started = 0;
    for (let days = 0; days < 2 * 365; days += 1) {
      const today = new Date(clock.now() + 8 * 3_600 * second).toISOString().slice(0, 10);
      const next = terms[index + 1];
      if (next !== undefined && next[2] === today) {
        index += 1;
        started = days;
      }
      const [academicYear, season, startAt, weeks] = terms[index] ?? terms[0];
      const whole = Math.floor((days - started) / 7) + 1;
      const week = whole <= weeks ? whole : 0;
      const expected = { academicYear, season, week, startAt, isEnding: week >= 16, weekday: days % 7 };
      expect(await current(), today).toMatchObject(expected);
      clock.advance(day - second);
      expect(await current(), `end of ${today}`).toMatchObject(expected);
      clock.advance(second);
    }
    expect(index).toBe(terms.length - 1);
    // Once a day at most, whatever is asked.
    expect(termStart.calls.length).toBeLessThanOrEqual(2 * 365);
  });

  it('asks for the first day of a new term at once, though the old one is still kept', async () => {
    const clock = new ManualClock(Date.parse('2025-02-16T23:59:59+08:00'));
    const { current, termStart } = start(clock);
    expect(await current()).toMatchObject({ season: '秋', startAt: '2024-09-02', week: 0, weekday: 6 });
    clock.advance(second);
    expect(await current()).toMatchObject({ season: '春', startAt: '2025-02-17', week: 1, weekday: 0 });
    expect(await current()).toMatchObject({ startAt: '2025-02-17' });
    expect(termStart.calls).toHaveLength(2);
  });
});
