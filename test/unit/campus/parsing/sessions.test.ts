import { describe, expect, it } from 'vitest';
import {
  clockTimeOf,
  sessionOf,
  sessionParts,
  sessionsIn,
  weekdayIn,
} from '../../../../src/campus/parsing/sessions.ts';
import * as eams5 from '../../../../src/campus/products/eams5/parse-timetable.ts';
import * as emap from '../../../../src/campus/products/emap/parse-timetable.ts';
import * as jwglxt from '../../../../src/campus/products/jwglxt/parse-timetable.ts';
import { placeIn } from '../../../../src/campus/products/urp/places.ts';

it.each([
  [3, 3],
  ['3', 3],
  ['０３', 3],
  ['三', 3],
  ['星期三', 3],
  ['周日', 7],
  ['礼拜天', 7],
  [0, 0],
  [8, 0],
  ['Mon', 0],
  [null, 0],
])('%j is weekday %i', (value, day) => {
  expect(weekdayIn(value)).toBe(day);
});

it.each([
  ['3', { first: 3, count: null }],
  ['第三节', { first: 3, count: null }],
  ['1-2节', { first: 1, count: 2 }],
  ['第１～２节', { first: 1, count: 2 }],
  ['0102', { first: 1, count: 2 }],
  ['091011', { first: 9, count: 3 }],
  ['1、2、3', { first: 1, count: 3 }],
  ['第一、二节', { first: 1, count: 2 }],
  [null, { first: 0, count: null }],
  // Two pieces are no span, and no day has so many.
  ['1,5', null],
  ['0105', null],
  ['2-1', null],
  [102, null],
  ['第三大节', null],
])('%j are the sessions %j', (value, sessions) => {
  expect(sessionsIn(value)).toEqual(sessions);
});

it('several pieces are told one by one', () => {
  expect(sessionParts('1-2,5-6节')).toEqual([
    { first: 1, last: 2 },
    { first: 5, last: 6 },
  ]);
  expect(sessionParts('1-2,x')).toBeNull();
  expect([sessionOf('第一节'), sessionOf('1-2')]).toEqual([1, 0]);
});

it.each([
  ['0800', '0800'],
  [800, '0800'],
  ['8：00', '0800'],
  ['08:00:00', '0800'],
  ['1970-01-01 08:00:00', '0800'],
  ['下午2:00', '1400'],
  ['', ''],
  ['晨读', ''],
])('%j is the time %j', (value, time) => {
  expect(clockTimeOf(value)).toBe(time);
});

describe('every product reads a Wednesday, sessions 3 and 4, in words', () => {
  const place = { weekday: 3, firstSession: 3, sessionCount: 2 };

  it('urp', () => {
    expect(placeIn({ classDay: '星期三', classSessions: '0304', classWeek: '1111' })).toMatchObject(place);
    expect(placeIn({ classDay: 3, classSessions: 102, continuingSession: 2, classWeek: '1' })).toBe('unreadable');
  });

  it('urp, whose mask may be a list of weeks', () => {
    const mask = '101'.padEnd(24, '0');
    expect(placeIn({ classDay: 3, classSessions: 3, classWeek: [1, 3] })).toMatchObject({ weekMask: mask });
    expect(placeIn({ classDay: 3, classSessions: 3, classWeek: [...mask] })).toMatchObject({ weekMask: mask });
  });

  it.each([
    { xqj: '星期三', jcs: '3-4节' },
    { xqjmc: '星期三', jc: '第3-4节' },
    { xqj: '3', jcs: '0304' },
  ])('jwglxt %j', (cells) => {
    const kbList = [{ kcmc: '微观', zcd: '1-4周', ...cells }];
    const found = jwglxt.parseTimetable(JSON.stringify({ xsxx: {}, kbList }));
    expect(found?.table.courses[0]?.places).toMatchObject([place]);
  });

  it('jwglxt, and the times of its sessions', () => {
    const rows = [{ jcmc: '第一节', qssj: '8：00', jssj: '08:45:00' }];
    const { slots } = jwglxt.parseSections(JSON.stringify(rows));
    expect(slots).toMatchObject([{ session: 1, startTime: '0800', endTime: '0845', length: '45' }]);
  });

  it('emap', () => {
    const rows = [{ KCM: '微观', KCH: 'E1', SKXQ: '星期三', KSJC: '第3节', JSJC: '第4节', SKZC: '1111' }];
    const datas = { cxxszhxqkb: { rows, totalSize: 1 } };
    const { courses } = emap.parseTimetable(JSON.stringify({ code: '0', datas }));
    expect(courses[0]?.course.places).toMatchObject([place]);
  });

  const ofEams5 = (cells: object, layout: readonly object[] = []) => {
    const activity = {
      courseName: '微观',
      lessonCode: 'E1.01',
      weekday: 3,
      startUnit: 3,
      endUnit: 4,
      weekIndexes: [1],
    };
    const vm = { activities: [{ ...activity, ...cells }], timeTableLayout: { courseUnitList: layout } };
    return eams5.parseTimetable(JSON.stringify({ studentTableVms: [vm] }));
  };

  it('eams5, whose weeks may be a text, and its names objects', () => {
    const words = {
      weekday: '星期三',
      startUnit: '第3节',
      endUnit: '第4节',
      weekIndexes: '1,3',
      room: { nameZh: '308' },
    };
    const [course] = ofEams5({ ...words, teachers: '周明,许静' }).table.courses;
    expect(course).toMatchObject({ teachers: '周明 许静' });
    expect(course?.places).toMatchObject([{ ...place, weekMask: '101'.padEnd(24, '0'), room: '308' }]);
  });

  it('eams5, where no place can be read', () => {
    expect(() => ofEams5({ weekIndexes: '待定', weekday: '待定' })).toThrow(
      expect.objectContaining({ kind: 'upstream-unreadable' }),
    );
  });

  it('eams5, whose times may have seconds', () => {
    const { slots } = ofEams5({}, [{ indexNo: '第1节', startTime: '08:00:00', endTime: '08:45:00' }]).sections;
    expect(slots).toMatchObject([{ session: 1, startTime: '0800', endTime: '0845', length: '45' }]);
  });
});
