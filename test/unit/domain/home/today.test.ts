import { expect, it } from 'vitest';
import type { Schedule } from '../../../../src/domain/academics/ports.ts';
import type { StatedWeek } from '../../../../src/domain/academics/term-weeks.ts';
import { todayOf } from '../../../../src/domain/home/today.ts';
import { course, place, sections } from '../calendar/support.ts';

const at = (weekday: number, firstSession: number, weekMask = '1'.repeat(18).padEnd(24, '0')) =>
  place({ weekday, firstSession, weekMask });
const named = (name: string, ...places: ReturnType<typeof place>[]) => course(places, { name });
const schedule: Schedule = {
  totalCredits: 0,
  courses: [
    named('乙', at(1, 3)),
    named('甲', at(1, 3), at(2, 1)),
    named('单周', at(1, 1, '101010101010101010000000')),
    named('无时间'),
  ],
  sections: {
    ...sections,
    slots: sections.slots.slice(0, 3).map((slot) => (slot.session < 3 ? slot : { ...slot, endTime: '' })),
  },
};
// Monday of week 1.
const startAt = '2026-03-02';
const on = (
  date: string,
  week: number,
  adjustments = { daysOff: [] as string[], moved: [] as { from: string; to: string }[] },
) => {
  const term = { code: '2025-2026-2-1', startAt, stated: null, weeks: 18 };
  const { adjustment, classes, week_number } = todayOf(date, term, schedule, adjustments);
  expect(week_number).toBe(week);
  return [adjustment, ...classes.map((each) => `${each.course_name} ${each.start_time} ${each.end_time}`)];
};

it.each([
  ['a Monday of an odd week', on('2026-03-02', 1), [null, '单周 0800 0940', '乙 1010 null', '甲 1010 null']],
  ['a Monday of an even week', on('2026-03-09', 2), [null, '乙 1010 null', '甲 1010 null']],
  ['a day without classes', on('2026-03-04', 1), [null]],
  ['the day before the term', on('2026-03-01', 0), [null]],
  ['the Monday behind it', on('2026-07-06', 0), [null]],
  ['a day off', on('2026-03-02', 1, { daysOff: ['2026-03-02'], moved: [] }), ['今日停课']],
  [
    'a day that holds those of another beside its own',
    on('2026-03-10', 2, { daysOff: [], moved: [{ from: '2026-03-09', to: '2026-03-10' }] }),
    ['上 2026-03-09 的课', '甲 0800 0940', '乙 1010 null', '甲 1010 null'],
  ],
  [
    'a free Saturday that holds those of a day off',
    on('2026-03-07', 1, { daysOff: ['2026-03-02'], moved: [{ from: '2026-03-02', to: '2026-03-07' }] }),
    ['上 2026-03-02 的课', '单周 0800 0940', '乙 1010 null', '甲 1010 null'],
  ],
  [
    'the day whose classes are held elsewhere',
    on('2026-03-02', 1, { daysOff: [], moved: [{ from: '2026-03-02', to: '2026-03-07' }] }),
    ['今日停课'],
  ],
])('%s', (_, found, expected) => expect(found).toEqual(expected));

const semester = { totalWeeks: '18', weekDescription: '', totalSessions: '12', firstDay: '1' };
const shownOn = (date: string, startsAt: string, stated: StatedWeek | null) => {
  const term = { code: '2025-2026-2-1', startAt: startsAt, stated, weeks: 18 };
  const known = { ...schedule, sections: { ...schedule.sections, semester } };
  const { week_number, classes } = todayOf(date, term, known, { daysOff: [], moved: [] });
  return [week_number, classes.map(({ course_name }) => course_name)];
};

it('a first day within a week lies in week 1, as in feeds', () => {
  // A Thursday; weeks open on Monday.
  expect(shownOn('2026-03-09', '2026-03-05', null)).toEqual([2, ['乙', '甲']]);
  expect(shownOn('2026-03-02', '2026-03-05', null)).toEqual([1, ['单周', '乙', '甲']]);
});

it("the week that the student's page names today goes before the first day of all", () => {
  expect(shownOn('2026-03-09', startAt, { week: 1, on: '2026-03-09' })).toEqual([1, ['单周', '乙', '甲']]);
  expect(shownOn('2026-03-09', startAt, { week: 2, on: '2026-03-09' })).toEqual([2, ['乙', '甲']]);
  expect(shownOn('2026-07-06', startAt, { week: 18, on: '2026-07-06' })[0]).toBe(18);
});
