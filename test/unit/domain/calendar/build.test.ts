import { describe, expect, it } from 'vitest';
import { buildCalendar, type Versions } from '../../../../src/domain/calendar/build.ts';
import type { FeedSources } from '../../../../src/domain/calendar/kinds.ts';
import { activity, asPlanned, course, exam, feed, noSources, place, timetable } from './support.ts';

const now = Date.UTC(2026, 2, 18, 2);
const day = 86_400_000;
const source = <V>(value: V) => ({ value, term: '2025-2026-2-1', readAt: now, emptySince: null });
const sources: FeedSources = {
  ...noSources,
  classes: source(timetable([course([place()])])),
  exams: source([exam(), exam({ courseName: '口语测试', date: '' })]),
  activities: source([activity()]),
};
const build = (from: FeedSources, before: Versions | null = null, at = now, of = feed) =>
  buildCalendar(of, from, before, { timeZone: 'Asia/Shanghai', heldOn: asPlanned, now: at });

describe('the calendar of a feed', () => {
  it('holds classes, exams and activities, and says how old each is and what is not in it', () => {
    const { calendar } = build({
      ...sources,
      classes: source(timetable([course([place()]), course([], { code: 'y' })])),
    });
    expect(calendar.events.map(({ title }) => title)).toEqual([
      '考试：高等数学（下）',
      '劳动：图书馆书架整理',
      '报名截止：图书馆书架整理',
      '编译原理',
    ]);
    expect(calendar.description.split('\n')).toEqual([
      '课表更新于 2026-03-18',
      '考试更新于 2026-03-18',
      '劳动活动更新于 2026-03-18',
      '没有上课时间的课程：编译原理',
      '日期未定的考试：口语测试',
    ]);
  });

  it('without data is empty and says why', () => {
    const { calendar } = build(noSources);
    expect(calendar.events).toEqual([]);
    expect(calendar.description).toContain('尚无课表');
    expect(build(noSources, null, now, { ...feed, parts: ['exams'] }).calendar.description).toBe(
      '尚无考试安排：请在应用中打开一次考试安排。',
    );
  });

  it('says that an empty reading waits for a second one that agrees', () => {
    const doubted = { ...sources, classes: { ...source(timetable([course([place()])])), emptySince: now } };
    expect(build(doubted).calendar.description).toContain('课表最近一次读取为空（2026-03-18），暂时保留此前的内容');
  });

  it('names ends where there are too many events, and says so', () => {
    const many = Array.from({ length: 4_000 }, (_, index) => exam({ courseName: `课${index}` }));
    const { calendar } = build({ ...noSources, exams: source(many) });
    expect(calendar.events).toHaveLength(3_000);
    expect(calendar.description).toContain('日程过多，只列出其中3000项');
    const undated = Array.from({ length: 30 }, (_, index) => exam({ courseName: `课${index}`, date: '' }));
    expect(build({ ...noSources, exams: source(undated) }).calendar.description).toMatch(/课19 等30项$/);
  });
});

describe('events', () => {
  it('keep uid and stamp while they do not change', () => {
    const first = build(sources);
    const later = build(sources, first.versions, now + day);
    expect(later.calendar).toEqual(first.calendar);
    expect(later.versions).toEqual(first.versions);
  });

  it('that change keep their uid and get the next number and a new stamp; the others do not', () => {
    const first = build(sources);
    const moved = { ...sources, classes: source(timetable([course([place({ room: '致知楼-201' })])])) };
    const later = build(moved, first.versions, now + day);
    const [a, b] = [first, later].map(({ calendar }) => calendar.events.find(({ category }) => category === '课程'));
    expect(b).toMatchObject({ uid: a?.uid, sequence: 1, changedAt: now + day, place: '东校区 明理楼 致知楼-201' });
    expect(later.calendar.changedAt).toBe(now + day);
    const others = later.calendar.events.filter(({ category }) => category !== '课程');
    expect(others.every(({ changedAt, sequence }) => changedAt === now && sequence === 0)).toBe(true);
  });

  it('that are cancelled leave, and the calendar gets a new stamp', () => {
    const first = build(sources);
    const later = build({ ...sources, classes: source(timetable([])) }, first.versions, now + day);
    expect(later.calendar.events.some(({ category }) => category === '课程')).toBe(false);
    expect(later.calendar.changedAt).toBe(now + day);
    expect(
      build({ ...sources, classes: source(timetable([])) }, later.versions, now + 2 * day).calendar.changedAt,
    ).toBe(now + day);
  });

  it('of two feeds have different uids, which tell nothing of the student', () => {
    const uids = (of = feed) => build(sources, null, now, of).calendar.events.map(({ uid }) => uid);
    const other = new Set(uids({ ...feed, id: '0000000000000000' }));
    expect(uids().every((uid) => /^[0-9a-f]{32}$/.test(uid) && !other.has(uid))).toBe(true);
  });
});
