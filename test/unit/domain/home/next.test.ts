import { expect, it } from 'vitest';
import type { Exam } from '../../../../src/domain/academics/exams.ts';
import type { Schedule } from '../../../../src/domain/academics/ports.ts';
import { nextOf } from '../../../../src/domain/home/next.ts';
import { course, place, sections } from '../calendar/support.ts';

const everyWeek = '1'.repeat(18).padEnd(24, '0');
const at = (weekday: number, firstSession: number, weekMask = everyWeek, sessionCount = 1) =>
  place({ weekday, firstSession, weekMask, sessionCount });
const named = (name: string, ...places: ReturnType<typeof place>[]) => course(places, { name });
const schedule: Schedule = {
  totalCredits: 0,
  courses: [named('周一早', at(1, 1)), named('周一又', at(1, 1)), named('周三', at(3, 3)), named('无钟点', at(2, 9))],
  sections: { ...sections, slots: sections.slots.filter(({ session }) => session < 9) },
};
const exam = (courseName: string, date: string, time: string): Exam => ({
  courseName,
  date,
  time,
  location: '一教',
  kind: 'university',
  note: '',
});

// Monday of week 1.
const term = { startAt: '2026-03-02', stated: null, weeks: 18 };
const none = { daysOff: [] as string[], moved: [] as { from: string; to: string }[] };
const ask = (now: string, given: Partial<Parameters<typeof nextOf>[0]> = {}) =>
  nextOf({ now, term, schedule, adjustments: none, exams: [], ...given });
const names = (classes: ReadonlyArray<{ course_name: string }>) => classes.map(({ course_name }) => course_name);

it('has all classes that begin at the same moment, and is good until they begin', () => {
  const { now, next_class, valid_until } = ask('2026-03-02 07:00:00');
  expect(now).toEqual([]);
  expect(names(next_class)).toEqual(['周一又', '周一早']);
  expect(next_class[0]).toMatchObject({ date: '2026-03-02', begin: '2026-03-02 08:00:00' });
  expect(valid_until).toBe('2026-03-02 08:00:00');
});

it('has a class from its begin until its end, and what comes behind it', () => {
  const begun = ask('2026-03-02 08:00:00');
  expect(names(begun.now)).toEqual(['周一又', '周一早']);
  // Tuesday has one without hours, which comes before Wednesday's.
  expect(begun.next_class).toMatchObject([{ course_name: '无钟点', date: '2026-03-03', begin: null, end: null }]);
  const over = ask(begun.now[0]?.end ?? '');
  expect(over.now).toEqual([]);
  expect(over.valid_until).toBe('2026-03-03 00:00:00');
});

it('counts the classes of today that have no time', () => {
  const tuesday = ask('2026-03-03 10:00:00');
  expect(tuesday.untimed_today).toBe(1);
  expect(names(tuesday.next_class)).toEqual(['周三']);
});

it('looks through days off and swapped days', () => {
  const adjustments = { daysOff: ['2026-03-04'], moved: [{ from: '2026-03-04', to: '2026-03-07' }] };
  expect(ask('2026-03-03 12:00:00', { adjustments }).next_class).toMatchObject([
    { course_name: '周三', date: '2026-03-07' },
  ]);
});

it('ends with the term, and looks sixty days ahead at most', () => {
  expect(ask('2026-07-05 12:00:00').next_class).toEqual([]);
  const late = [named('末周', at(1, 1, '1'.padStart(17, '0').padEnd(24, '0')))];
  expect(ask('2026-03-02 12:00:00', { schedule: { ...schedule, courses: late } }).next_class).toEqual([]);
  expect(names(ask('2026-05-25 12:00:00', { schedule: { ...schedule, courses: late } }).next_class)).toEqual(['末周']);
});

it.each([
  ['before it', '2026-06-20 08:00:00', '甲', '2026-06-20 14:00:00'],
  ['during it', '2026-06-20 15:00:00', '甲', '2026-06-20 16:00:00'],
  ['when it is over', '2026-06-20 16:00:00', '乙', '2026-06-21 00:00:00'],
  ['on the day of one without hours', '2026-06-22 23:00:00', '乙', '2026-06-23 00:00:00'],
  ['the day after', '2026-06-23 00:00:00', undefined, '2026-06-24 00:00:00'],
])('the next exam %s', (_, now, name, until) => {
  const exams = [exam('乙', '2026-06-22', ''), exam('甲', '2026-06-20', '14:00-16:00'), exam('丙', '', '未安排')];
  const none = { ...schedule, courses: [] };
  const found = ask(now, { exams, schedule: none });
  expect(found.next_exam?.course_name).toBe(name);
  expect(found.valid_until).toBe(until);
  expect(found.exam_left_out).toBeNull();
});

it('says why exams were left out, which is not that there are none', () => {
  expect(ask('2026-06-20 08:00:00', { exams: 'failed' })).toMatchObject({ next_exam: null, exam_left_out: 'failed' });
});

it('is an error where nobody knows when the term began', () => {
  expect(() => ask('2026-03-02 08:00:00', { term: { ...term, startAt: '' } })).toThrow('upstream-unreadable');
});
