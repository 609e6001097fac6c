import { expect, it } from 'vitest';
import type { CalendarText, TermStart } from '../../../../src/domain/academics/current-term.ts';
import { AcademicService } from '../../../../src/domain/academics/service.ts';
import { portsOf } from '../../../../src/domain/capabilities.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { programmable } from '../../../support/fake-services.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { testReads } from '../../../support/test-reads.ts';

const second = 1_000;
const student = { userid: '2023000001' };

/** Year and season as the start page words them, first day (a Monday), weeks. */
const terms = [
  ['2024-2025', '秋', '2024-09-02', 20],
  ['2024-2025', '春', '2025-02-17', 19],
] as const;

/** A campus whose pages say what its term is, as of `clock`, and never which week it is. */
const start = (clock: ManualClock, freshSeconds = 0) => {
  const termNow = () =>
    terms.findLast(([, , first]) => Date.parse(`${first}T00:00:00+08:00`) <= clock.now()) ?? terms[0];
  const termStart = programmable<[], TermStart>(() => {
    const [, , firstDay, weeks] = termNow();
    return Promise.resolve({ firstDay, weeks });
  });
  const calendarText = programmable<[], CalendarText>(() => {
    const [academicYear, season] = termNow();
    return Promise.resolve({ academicYear, season, week: null, speaksOfEnd: false });
  });
  const academics = new AcademicService({
    campus: portsOf([{ academics: { calendarText, termStart } }]).academics,
    reads: testReads(clock, { freshSeconds }),
    clock,
    timeZone: 'Asia/Shanghai',
  });
  return { termStart, calendarText, current: () => academics.currentTerm(student, callContext()) };
};

it('the first day of a new term is asked for at once, though that of the old one is still cached', async () => {
  const clock = new ManualClock(Date.parse('2025-02-16T23:59:59+08:00'));
  const { current, termStart } = start(clock);
  expect(await current()).toMatchObject({ season: '秋', startAt: '2024-09-02', week: 0, weekday: 6 });
  clock.advance(second);
  expect(await current()).toMatchObject({ season: '春', startAt: '2025-02-17', week: 1, weekday: 0 });
  expect(await current()).toMatchObject({ startAt: '2025-02-17' });
  expect(termStart.calls).toHaveLength(2);
});

it('a week that the campus stated counts for the day on which it was read, and is counted from the first day afterwards', async () => {
  const clock = new ManualClock(Date.parse('2025-02-23T23:59:59+08:00'));
  const { current, calendarText } = start(clock, 10);
  calendarText.returns({ academicYear: '2024-2025', season: '春', week: 9, speaksOfEnd: false });
  expect(await current()).toMatchObject({ week: 9, weekday: 6 });
  clock.advance(second);
  expect(await current()).toMatchObject({ week: 2, weekday: 0 });
  expect(calendarText.calls).toHaveLength(1);
});
