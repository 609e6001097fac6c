import { describe, expect, it } from 'vitest';
import type { Exam } from '../../../../src/domain/academics/exams.ts';
import { activitiesFeed } from '../../../../src/domain/calendar/activities.ts';
import { classesFeed } from '../../../../src/domain/calendar/classes.ts';
import { examsFeed } from '../../../../src/domain/calendar/exams.ts';
import type { FeedReading, FeedSource } from '../../../../src/domain/calendar/sources.ts';
import { activity, course, exam, place, sections, timetable } from './support.ts';

const HOUR = 3_600_000;
const ZONE = 'Asia/Shanghai';
const nextClasses = (...of: [Parameters<typeof classesFeed.next>[0], Parameters<typeof classesFeed.next>[1]]) =>
  classesFeed.next(...of, ZONE);
/** 10:00 at the campus. */
const start = Date.UTC(2026, 2, 18, 2);
const at = <V>(hours: number, value: V, term = '2025-2026-2-1'): FeedReading<V> => ({
  value,
  term,
  readAt: start + hours * HOUR,
});

describe('a timetable that is suddenly empty', () => {
  const full = timetable([course([place()])]);
  const empty = timetable([]);
  const known = nextClasses(null, at(0, full));

  it('does not replace the known one on one bad night', () => {
    const night = nextClasses(known, at(8, empty));
    expect(night).toMatchObject({ value: full, readAt: start, emptySince: start + 8 * HOUR });
    expect(nextClasses(night, at(19.9, empty))?.value).toBe(full);
  });

  it('replaces it when a second reading at least twelve hours later agrees', () => {
    const night = nextClasses(known, at(8, empty));
    expect(nextClasses(night, at(20, empty))).toMatchObject({ value: empty, emptySince: null });
  });

  it('is forgotten when the next reading has classes again', () => {
    const night = nextClasses(known, at(8, empty));
    const day = nextClasses(night, at(9, full));
    expect(day?.emptySince).toBeNull();
    expect(nextClasses(day, at(21, empty))?.value).toBe(full);
  });

  it('counts at once in another term, and when nothing was known', () => {
    const next = timetable([], { term: '2026-2027-1-1' });
    expect(nextClasses(known, at(8, next, '2026-2027-1-1'))?.value).toBe(next);
    expect(nextClasses(null, at(8, empty))?.value).toBe(empty);
  });

  it('is one without places too: courses that lose all their times', () => {
    expect(nextClasses(known, at(8, timetable([course([])])))?.value).toBe(full);
  });

  it.each([
    ['cannot be dated', timetable([course([place({ weekday: 2 })])], { firstDay: '' })],
    [
      'has lost its hours',
      timetable([course([place()])], {
        schedule: { courses: [course([place()])], sections: { ...sections, slots: [] } },
      }),
    ],
  ])('nor is one put in its place that %s', (_, broken) => {
    expect(nextClasses(known, at(8, broken))).toBe(known);
  });

  it('nothing read, or something older, changes nothing; fewer classes do at once', () => {
    expect(nextClasses(known, null)).toBe(known);
    expect(nextClasses(known, at(-1, timetable([course([place({ weekday: 2 })])])))).toBe(known);
    const two = nextClasses(null, at(0, timetable([course([place()]), course([place()], { code: 'x' })])));
    expect(nextClasses(two, at(1, full))?.value).toBe(full);
  });
});

describe('exams', () => {
  const nextOf = (known: FeedSource<readonly Exam[]> | null, read: FeedReading<readonly Exam[]> | null) =>
    examsFeed.next(known, read, ZONE);
  const first = exam({ courseName: '线性代数', date: '2026-03-18' });
  const second = exam({ date: '2026-03-20' });
  const known = nextOf(null, at(0, [first, second]));

  it('that are over stay, though the campus lists only what lies ahead', () => {
    const next = nextOf(known, at(24, [second]));
    expect(next?.value).toEqual([first, second]);
    expect(nextOf(next, at(72, []))?.value).toEqual([first, second]);
  });

  it('that lie ahead do not vanish in one bad night, and leave when a second reading agrees', () => {
    const night = nextOf(known, at(24, []));
    expect(night?.value).toEqual([first, second]);
    expect(nextOf(night, at(30, []))?.value).toEqual([first, second]);
    expect(nextOf(night, at(36, []))?.value).toEqual([first]);
  });

  it('one of several that is called off leaves at once', () => {
    expect(nextOf(known, at(1, [first]))?.value).toEqual([first]);
  });

  it('of another term take nothing over; a term that is not known at the moment is the known one', () => {
    expect(nextOf(known, at(24, [second], '2026-2027-1-1'))?.value).toEqual([second]);
    expect(nextOf(known, at(24, [second], ''))).toMatchObject({ value: [first, second], term: '2025-2026-2-1' });
    expect(nextOf(known, at(24, [], ''))?.value).toEqual([first, second]);
  });
});

it('joined activities do not vanish in one bad night', () => {
  const known = activitiesFeed.next(null, at(0, [activity()], ''), ZONE);
  const night = activitiesFeed.next(known, at(8, [], ''), ZONE);
  expect(night?.value).toHaveLength(1);
  expect(activitiesFeed.next(night, at(20, [], ''), ZONE)?.value).toEqual([]);
});
