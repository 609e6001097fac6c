import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classCalendarEvents, coursesWithoutTime } from '../../../../src/domain/calendar/classes.ts';
import { adjustDays, type CalendarEvent } from '../../../../src/domain/calendar/types.ts';
import { asPlanned, course, firstDay, mask, place, sections, timetable } from './support.ts';

const times = (events: readonly CalendarEvent[]) => events.map(({ start, end }) => [start, end]);
const only = (events: readonly CalendarEvent[]): CalendarEvent => {
  const [event, ...more] = events;
  if (event === undefined || more.length > 0) throw new Error(`${events.length} events`);
  return event;
};

/** A class whose sessions begin, and perhaps end, at such a time. */
const at = (startTime: string, endTime?: string) => {
  const courses = [course([place()])];
  const slots = sections.slots.map((slot) => ({ ...slot, startTime, endTime: endTime ?? slot.endTime }));
  return timetable(courses, { schedule: { courses, sections: { ...sections, slots } } });
};

describe('the weeks of a course', () => {
  const everyWeek = (weekDescription: string, weekMask: string) => course([place({ weekMask, weekDescription })]);
  const semester = { totalWeeks: '16', weekDescription: '', totalSessions: '12', firstDay: '1' };

  it.each([
    ['全周', '1'.repeat(24), 16],
    ['单周', '10'.repeat(12), 8],
    ['1-24周', '1'.repeat(24), 24],
  ])('that says %s end with the term where they have no number', (words, weekMask, count) => {
    const courses = [everyWeek(words, weekMask)];
    const schedule = { courses, sections: { ...sections, semester } };
    expect(classCalendarEvents(timetable(courses, { schedule }), asPlanned)).toHaveLength(count);
  });

  it('end with the last week of another course where the term says none', () => {
    const courses = [everyWeek('全周', '1'.repeat(24)), course([place({ weekday: 2, weekMask: mask(1, 9) })])];
    expect(classCalendarEvents(timetable(courses), asPlanned)).toHaveLength(9 + 2);
  });

  it('are counted from the day on which the week opens in which the first day lies', () => {
    const courses = [course([place({ weekday: 1 }), place({ weekday: 5, firstSession: 3 })])];
    const schedule = { courses, sections: { ...sections, semester } };
    // A Thursday.
    const days = times(classCalendarEvents(timetable(courses, { firstDay: '2026-03-05', schedule }), asPlanned)).map(
      ([start]) => start?.slice(0, 10),
    );
    expect(days).toEqual(['2026-03-02', '2026-03-06']);
  });

  it('have the hours of sessions that are stated with seconds', () => {
    expect(times(classCalendarEvents(at('08:00:00', '09:40:00'), asPlanned))[0]?.[0]).toContain('T08:00:00');
  });
});

describe('a class', () => {
  it('stands on its day and hours, with place, teacher and weeks', () => {
    const event = only(classCalendarEvents(timetable([course([place({ weekMask: mask(3), weekday: 3 })])]), asPlanned));
    expect(event).toMatchObject({
      category: '课程',
      title: '编译原理',
      start: '2026-03-18T08:00:00',
      end: '2026-03-18T09:40:00',
      place: '东校区 明理楼-308',
      description: '教师：周明 许静\n周次：第3周（1周）\n节次：第1-2节\n课程号：KJ3202001-02',
    });
  });

  it('of one course and place in consecutive or overlapping sessions is one event', () => {
    const places = [place(), place({ firstSession: 3, sessionCount: 1 }), place({ firstSession: 2, sessionCount: 2 })];
    expect(times(classCalendarEvents(timetable([course(places)]), asPlanned))).toEqual([
      ['2026-03-02T08:00:00', '2026-03-02T10:55:00'],
    ]);
    const entries = [place(), place({ firstSession: 3 })];
    expect(times(classCalendarEvents(timetable([course(entries)]), asPlanned))).toEqual([
      ['2026-03-02T08:00:00', '2026-03-02T11:50:00'],
    ]);
  });

  it.each([
    ['a session lies between', [place(), place({ firstSession: 4, sessionCount: 1 })]],
    ['the rooms differ', [place(), place({ firstSession: 3, room: '致知楼-201', building: '致知楼' })]],
    ['the weekdays differ', [place(), place({ weekday: 2, firstSession: 3 })]],
    ['the weeks differ', [place(), place({ weekMask: mask(2), firstSession: 3 })]],
  ])('is two events where %s', (_, places) => {
    expect(classCalendarEvents(timetable([course(places)]), asPlanned)).toHaveLength(2);
  });

  it('keeps its key when room, teacher or weeks text change, and has another one at another hour', () => {
    const keyOf = (more: Parameters<typeof place>[0], teachers = '周明'): string =>
      only(classCalendarEvents(timetable([course([place(more)], { teachers })]), asPlanned)).key;
    expect(keyOf({ room: '致知楼-201', weekDescription: '单周' }, '陈立')).toBe(keyOf({}));
    expect(keyOf({ firstSession: 3 })).not.toBe(keyOf({}));
    expect(keyOf({ weekday: 2 })).not.toBe(keyOf({}));
  });

  it('never shares its key, not even with one at the same hour in another room', () => {
    const places = [place(), place({ room: '致知楼-201' }), place({ room: '致知楼-202' })];
    const events = classCalendarEvents(timetable([course(places)]), asPlanned);
    expect(new Set(events.map(({ key }) => key)).size).toBe(3);
  });

  it('whose sessions have no times takes the whole day and says which sessions', () => {
    const event = only(classCalendarEvents(at('八点'), asPlanned));
    expect(event).toMatchObject({ start: '2026-03-02', end: null, title: '编译原理（第1-2节）' });
    const late = only(
      classCalendarEvents(timetable([course([place({ firstSession: 12, sessionCount: 2 })])]), asPlanned),
    );
    expect(late).toMatchObject({ start: '2026-03-02', end: null, title: '编译原理（第12-13节）' });
  });

  it.each([
    ['0800', '0940', '2026-03-02T08:00:00'],
    ['8:00', '23:59', '2026-03-02T08:00:00'],
    ['0860', '0940', '2026-03-02'],
    ['0800', '2400', '2026-03-02'],
    ['0800', '0960', '2026-03-02'],
    ['0800', '0800', '2026-03-02'],
    ['0940', '0800', '2026-03-02'],
  ])('from %s to %s starts at %s: what is no time of day, or ends before it begins, is no hour', (from, to, start) => {
    expect(only(classCalendarEvents(at(from, to), asPlanned)).start).toBe(start);
  });

  it('has no day where the first day of the term is none', () => {
    expect(classCalendarEvents(timetable([course([place()])], { firstDay: '' }), asPlanned)).toEqual([]);
  });

  it('stops counting courses beyond what a student can have', () => {
    const all = Array.from({ length: 100 }, (_, index) => course([place()], { code: `K${index}` }));
    expect(classCalendarEvents(timetable(all), asPlanned, 10)).toHaveLength(11);
  });

  it('of a course without a time is none, and the course is named', () => {
    const one = timetable([course([]), course([place()], { code: 'x' })]);
    expect(classCalendarEvents(one, asPlanned)).toHaveLength(1);
    expect(coursesWithoutTime(one.schedule)).toEqual(['编译原理']);
  });
});

describe('days that differ from the timetable', () => {
  const monday = timetable([course([place({ weekMask: mask(1, 2) })])]);
  const days = (...adjustments: Parameters<typeof adjustDays>) =>
    classCalendarEvents(monday, adjustDays(...adjustments)).map(({ start }) => start.slice(0, 10));

  it('are without classes when they are off', () => {
    expect(days({ daysOff: ['2026-03-02'], moved: [] })).toEqual(['2026-03-09']);
  });

  it('give their classes to another day, which is said, under the same key', () => {
    const moved = classCalendarEvents(
      monday,
      adjustDays({ daysOff: [], moved: [{ from: '2026-03-02', to: '2026-03-07' }] }),
    );
    expect(moved[0]).toMatchObject({
      start: '2026-03-07T08:00:00',
      key: classCalendarEvents(monday, asPlanned)[0]?.key,
    });
    expect(moved[0]?.description).toContain('调课：原定 2026-03-02');
  });

  it('are swapped by two moves, and a day off may be moved', () => {
    const swap = [
      { from: '2026-03-02', to: '2026-03-03' },
      { from: '2026-03-03', to: '2026-03-02' },
    ];
    const both = timetable([course([place(), place({ weekday: 2, firstSession: 5 })])]);
    expect(times(classCalendarEvents(both, adjustDays({ daysOff: [], moved: swap })))).toEqual([
      ['2026-03-03T08:00:00', '2026-03-03T09:40:00'],
      ['2026-03-02T14:00:00', '2026-03-02T15:40:00'],
    ]);
    expect(days({ daysOff: ['2026-03-02'], moved: [{ from: '2026-03-02', to: '2026-03-08' }] })[0]).toBe('2026-03-08');
  });
});

const semester = { totalWeeks: '', weekDescription: '', totalSessions: '12', firstDay: '' };

describe('for any timetable', () => {
  const anyPlace = fc.record({
    weekday: fc.integer({ min: 1, max: 7 }),
    firstSession: fc.integer({ min: 1, max: 12 }),
    sessionCount: fc.integer({ min: 1, max: 4 }),
    weekMask: fc.array(fc.constantFrom('0', '1'), { minLength: 24, maxLength: 24 }).map((marks) => marks.join('')),
    room: fc.constantFrom('明理楼-308', '致知楼-201'),
  });
  const anyCourses = fc.array(fc.array(anyPlace, { maxLength: 4 }), { minLength: 1, maxLength: 4 });
  const coursesOf = (lists: ReadonlyArray<ReadonlyArray<Parameters<typeof place>[0]>>) =>
    lists.map((places, at) =>
      course(
        places.map((each) => place(each)),
        { code: `K${at}` },
      ),
    );
  const fiveYears = 5 * 366;

  it('the events are exactly its weeks, weekdays and sessions, over five years of first days', () => {
    // Session n begins at n o'clock and ends a minute before the next one.
    const clock = Array.from({ length: 16 }, (_, index) => ({
      session: index + 1,
      name: '',
      startTime: `${String(index + 1).padStart(2, '0')}00`,
      endTime: `${String(index + 1).padStart(2, '0')}59`,
      length: '59',
      block: 1,
    }));
    fc.assert(
      fc.property(anyCourses, fc.integer({ min: 0, max: fiveYears }), (lists, shift) => {
        const begins = new Date(Date.UTC(2024, 0, 1) + shift * 86_400_000);
        const courses = coursesOf(lists);
        const opening = { ...semester, firstDay: String(begins.getUTCDay() || 7) };
        const one = timetable(courses, {
          firstDay: begins.toISOString().slice(0, 10),
          schedule: { courses, sections: { slots: clock, semester: opening } },
        });
        const wanted = new Set<string>();
        lists.forEach((places, index) => {
          for (const { weekday, firstSession, sessionCount, weekMask, room } of places) {
            for (let session = firstSession; session < firstSession + sessionCount; session += 1) {
              [...weekMask].forEach((mark, week) => {
                if (mark === '1') wanted.add(`K${index} ${week + 1} ${weekday} ${session} ${room}`);
              });
            }
          }
        });
        const shown: string[] = [];
        for (const event of classCalendarEvents(one, asPlanned)) {
          const [, , code] = JSON.parse(event.key.replace(/ \d+$/, ''));
          const day = new Date(`${event.start.slice(0, 10)}T00:00:00Z`);
          const week = Math.floor((day.getTime() - begins.getTime()) / (7 * 86_400_000)) + 1;
          const weekday = day.getUTCDay() === 0 ? 7 : day.getUTCDay();
          const last = Number(event.end?.slice(11, 13));
          for (let session = Number(event.start.slice(11, 13)); session <= last; session += 1) {
            shown.push(`${code} ${week} ${weekday} ${session} ${event.place.split(' ').at(-1)}`);
          }
        }
        expect(shown.toSorted()).toEqual([...wanted].toSorted());
      }),
      { numRuns: 200, seed: 16 },
    );
  });

  it('no two events share a key, and no key changes with the first day', () => {
    fc.assert(
      fc.property(anyCourses, fc.integer({ min: 0, max: fiveYears }), (lists, shift) => {
        const courses = coursesOf(lists);
        const keys = (begins: string) =>
          classCalendarEvents(timetable(courses, { firstDay: begins }), asPlanned).map(({ key }) => key);
        const own = keys(firstDay);
        expect(new Set(own).size).toBe(own.length);
        const other = keys(new Date(Date.UTC(2024, 0, 1) + shift * 86_400_000).toISOString().slice(0, 10));
        expect(other).toEqual(own);
      }),
      { numRuns: 100, seed: 16 },
    );
  });
});
