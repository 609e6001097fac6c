import { describe, expect, it } from 'vitest';
import { activityCalendarEvents, feedActivities } from '../../../../src/domain/calendar/activities.ts';
import { examCalendarEvents, examsWithoutDay } from '../../../../src/domain/calendar/exams.ts';
import { exampleLaborActivities } from '../../../support/labor-examples.ts';
import { activity, exam } from './support.ts';

const zone = 'Asia/Shanghai';

describe('an exam', () => {
  it.each([
    ['下午2:00-4:00', '2026-06-26T14:00:00', '2026-06-26T16:00:00'],
    ['14:00:00-15:30:00', '2026-06-26T14:00:00', '2026-06-26T15:30:00'],
    ['早上8:00-10:00', '2026-06-26', null],
    ['晚上11:00-1:00', '2026-06-26', null],
  ])('at %s begins and ends then, or takes the day', (time, start, end) => {
    const [event] = examCalendarEvents([exam({ date: '2026-06-26', time })]);
    expect(event).toMatchObject({ start, end });
    if (end === null) expect(event?.description).toContain(time);
  });

  it('stands on its day and hours, with seat and type', () => {
    expect(examCalendarEvents([exam()])).toEqual([
      {
        key: '["exam","university","高等数学（下）",0]',
        category: '考试',
        start: '2026-06-20T08:30:00',
        end: '2026-06-20T10:30:00',
        title: '考试：高等数学（下）',
        place: '东校区 明理楼-308',
        description: '类型：校统考\n座位号: 18',
      },
    ]);
  });

  it.each([
    ['第7-8节', '2026-06-20', null, '类型：其他考试\n时间：第7-8节\n备注：开卷'],
    ['9：00～10：30', '2026-06-20T09:00:00', '2026-06-20T10:30:00', '类型：其他考试\n备注：开卷'],
    ['14:00 开始', '2026-06-20T14:00:00', null, '类型：其他考试\n时间：14:00 开始\n备注：开卷'],
    ['23:30-08:30', '2026-06-20', null, '类型：其他考试\n时间：23:30-08:30\n备注：开卷'],
    ['25:00-26:00', '2026-06-20', null, '类型：其他考试\n时间：25:00-26:00\n备注：开卷'],
    ['', '2026-06-20', null, '类型：其他考试\n备注：开卷'],
  ])('with the time %j makes up no hour', (time, start, end, description) => {
    const [event] = examCalendarEvents([exam({ kind: 'other', note: '开卷', time })]);
    expect([event?.start, event?.end, event?.description]).toEqual([start, end, description]);
  });

  it('without a day is no event, and is named', () => {
    const exams = [exam({ date: '' }), exam({ date: '待定', courseName: '口语测试' }), exam({ date: '2026-02-30' })];
    expect(examCalendarEvents(exams)).toEqual([]);
    expect(examsWithoutDay(exams)).toEqual(['高等数学（下）', '口语测试', '高等数学（下）']);
  });

  it('keeps its key when it is put off; a resit of the same name has another one', () => {
    const [first, resit] = examCalendarEvents([exam(), exam({ date: '2026-08-20' })]);
    expect(first?.key).not.toBe(resit?.key);
    expect(examCalendarEvents([exam({ date: '2026-06-27', time: '14:00-16:00' })])[0]?.key).toBe(first?.key);
  });
});

describe('a joined activity', () => {
  it('is an event, and the end of its sign-up a second one', () => {
    expect(activityCalendarEvents([activity()], zone)).toMatchObject([
      {
        key: '["activity","a1"]',
        start: '2026-03-20T14:00:00',
        end: '2026-03-20T16:00:00',
        title: '劳动：图书馆书架整理',
        description: '俱乐部：图书馆劳动俱乐部\n负责人：张伟',
      },
      { key: '["sign-up","a1"]', start: '2026-03-19T12:00:00', end: null, title: '报名截止：图书馆书架整理' },
    ]);
  });

  it.each([
    [{ startsAt: '' }, [['2026-03-19T12:00:00', null]]],
    [{ signUpUntil: '待定' }, [['2026-03-20T14:00:00', '2026-03-20T16:00:00']]],
    [{ signUpUntil: '', endsAt: '2026-03-20 13:00:00' }, [['2026-03-20T14:00:00', null]]],
    [{ signUpUntil: '', endsAt: '2026-03-20 14:00:00' }, [['2026-03-20T14:00:00', null]]],
    [{ signUpUntil: '2026-02-30 10:00:00', endsAt: '' }, [['2026-03-20T14:00:00', null]]],
  ])('with %j shows what is known', (more, times) => {
    expect(activityCalendarEvents([activity(more)], zone).map(({ start, end }) => [start, end])).toEqual(times);
  });

  it.each(['2026-03-20T06:00:00Z', '1773986400000', '1773986400', '2026/3/20 14:00'])('begins at %s', (startsAt) => {
    const [event] = activityCalendarEvents([activity({ startsAt, endsAt: '', signUpUntil: '' })], zone);
    expect(event?.start).toBe('2026-03-20T14:00:00');
  });

  it('that is listed twice is shown once', () => {
    expect(activityCalendarEvents([activity(), activity()], zone)).toHaveLength(2);
  });

  it('is stored with the members that a feed uses, the newest of very many', () => {
    const [one] = exampleLaborActivities.data;
    if (one === undefined) throw new Error('no example');
    const [kept] = feedActivities([one]);
    expect(Object.keys(kept ?? {}).toSorted()).toEqual(Object.keys(activity()).toSorted());
    const many = Array.from({ length: 600 }, (_, index) => ({
      ...one,
      ID: String(index),
      StartTime: `2026-03-20 14:00:${String(index % 60).padStart(2, '0')}`,
    }));
    expect(feedActivities(many)).toHaveLength(500);
    expect(feedActivities(many)[0]?.startsAt).toBe('2026-03-20 14:00:59');
  });
});
