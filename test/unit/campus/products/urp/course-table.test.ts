import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { parseCourseTable } from '../../../../../src/campus/products/urp/parse-schedule.ts';
import { failureOf, fieldInput, fixture, unreadablePage } from './fixtures.ts';

const tableOf = (text: string) => {
  const answer = parseCourseTable(text);
  if (answer.kind !== 'table') throw new Error('not a table');
  return answer;
};
const coursesOf = (body: unknown) => tableOf(JSON.stringify(body)).table.courses;
const course = (more: Record<string, unknown>) => ({
  id: { coureNumber: 'C1', coureSequenceNumber: '01' },
  courseName: '课',
  ...more,
});

const extras = { selection_status: null, study_mode: null, category: null, plan_name: null, remark: null };

describe('course table', () => {
  it('keeps of each extra the first word among the entries of a course, and looks up the plan where it is not named', () => {
    const one = course({ selectCourseStatusName: ' 选中 ', bz: null, programPlanName: ' ' });
    const other = course({ selectCourseStatusName: '置入', studyModeName: '重修', bz: '&amp;' });
    const dateList = [
      { programPlanName: '', selectCourseList: [one] },
      { programPlanName: '主修', selectCourseList: [7, one] },
      { programPlanName: '辅修', selectCourseList: [one] },
    ];
    expect(coursesOf({ xkxx: [{ a: one, b: other }], dateList }).map((each) => each.extras)).toEqual([
      { ...extras, selection_status: '选中', study_mode: '重修', plan_name: '主修', remark: '&' },
    ]);
  });

  it('finds nothing odd about places whose id is a text', () => {
    expect(collectOddities(() => tableOf(fixture('courses.json'))).oddities).toEqual([]);
  });

  it('survives null and mistyped cells, merges entries of one course and drops nameless ones', () => {
    const { table, dropped } = tableOf(fixture('courses-malformed.json'));
    expect(table.totalCredits).toBe(4.5);
    expect(table.courses.map((c) => [c.name, c.code, c.sequence, c.credits, c.places.length])).toEqual([
      ['第一门', 'A1', '1', 2.5, 3],
      ['另一班', 'A1', '02', 0, 0],
      ['没有代码一', '', '', 0, 0],
      ['没有代码二', '', '', 0, 0],
    ]);
    expect(table.courses[0]).toMatchObject({ teachers: '周明', nature: '', examType: '7' });
    expect(table.courses[0]?.places).toEqual([
      expect.objectContaining({ weekday: 2, firstSession: 3, sessionCount: 2, campus: '', building: '', room: '308' }),
      expect.objectContaining({ weekday: 7, firstSession: 0, sessionCount: 0, weekMask: '1'.repeat(24) }),
      expect.objectContaining({ weekday: 5, weekMask: '010101000000000000000000' }),
    ]);
    expect(table.courses[3]?.teachers).toBe('12');
    expect(dropped).toBe(7);
  });

  it('falls back to the courses by plan when the selection names none', () => {
    const dateList = [
      { selectCourseList: [course({}), null] },
      null,
      { selectCourseList: null },
      { selectCourseList: [course({ id: { coureNumber: 'C2' } })] },
    ];
    for (const xkxx of [undefined, null, [], [{}], [{ X: course({ courseName: '' }) }]]) {
      expect(coursesOf({ xkxx, dateList }).map((c) => c.code)).toEqual(['C1', 'C2']);
    }
  });

  it.each([
    { xkxx: [['C1']] },
    { xkxx: ['C1', {}], dateList: [] },
    { xkxx: [{ C1: 'course' }] },
    { xkxx: [{ C1: { name: '微观经济学' } }] },
    { xkxx: null, dateList: ['C1'] },
    { xkxx: null, dateList: [{ selectCourseList: [7] }] },
  ])('of courses that cannot be read is unreadable, and not empty: %j', (body) => {
    expect(failureOf(() => parseCourseTable(JSON.stringify(body)))).toMatchObject(unreadablePage);
  });

  it.each([
    { allUnits: 0, errorMessage: '', xkxx: [{}], dateList: [] },
    { xkxx: [], dateList: [] },
    { xkxx: null },
    { dateList: null },
    { xkxx: null, dateList: null, errorMessage: null },
    { xkxx: [], errorMessage: false },
  ])('of an empty term has no courses: %j', (body) => {
    expect(parseCourseTable(JSON.stringify(body))).toEqual({
      kind: 'table',
      table: { totalCredits: 0, courses: [] },
      terms: new Set(),
      dropped: 0,
    });
  });

  it('that refuses is stale and tells why in plain text', () => {
    expect(parseCourseTable(fixture('courses-stale.json'))).toEqual({
      kind: 'stale',
      message: '请求已失效 ，请重新进入 页面',
    });
    expect(parseCourseTable('{"errorMessage":"x","xkxx":[]}')).toEqual({ kind: 'stale', message: 'x' });
    expect(parseCourseTable('{"errorMessage":"<br>"}')).toEqual({ kind: 'stale', message: '' });
    expect(parseCourseTable('{"errorMessage":500}')).toEqual({ kind: 'stale', message: '500' });
  });

  it.each(['[]', '{"allUnits":3}', '{"errorMessage":""}', '{"xkxx":"x"}', '{"xkxx":[],"dateList":"x"}', '{"xkxx":['])(
    'is unreadable: %j',
    (text) => {
      expect(failureOf(() => parseCourseTable(text))).toMatchObject(unreadablePage);
    },
  );

  it('is unreadable with more courses or places than a response may have', () => {
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`k${i}`, course({})]));
    expect(failureOf(() => coursesOf({ xkxx: [many] }))).toMatchObject(unreadablePage);
    const places = new Array<null>(501).fill(null);
    expect(failureOf(() => coursesOf({ xkxx: [{ a: course({ timeAndPlaceList: places }) }] }))).toMatchObject(
      unreadablePage,
    );
  });
});

describe('teacher names', () => {
  it.each([
    ['周明* ', '周明'],
    ['周明*', '周明'],
    ['周明* 许静 ', '周明 许静'],
    ['周明* 许静* ', '周明 许静'],
    ['周明*许静＊', '周明 许静'],
    ['周明   许静', '周明 许静'],
    ['*', ''],
  ])('of %j are %j', (attendClassTeacher, teachers) => {
    expect(coursesOf({ xkxx: [{ a: course({ attendClassTeacher }) }] })[0]?.teachers).toBe(teachers);
  });
});

describe('places', () => {
  const places = (...timeAndPlaceList: unknown[]) =>
    coursesOf({ xkxx: [{ a: course({ timeAndPlaceList }) }] })[0]?.places;

  it.each([
    ['f05-schedule-other-places.json', { weekday: 4, firstSession: 9, sessionCount: 2, room: '东校区文津楼E206' }, 18],
    ['f06-schedule-week-text-in-mask.json', { weekday: 1, campus: '江安', building: '一教A座', room: 'A101' }, 16],
  ])('of %s are read', (name, place, weeks) => {
    const { courses } = tableOf(fieldInput(name)).table;
    expect(courses[0]?.places).toEqual([expect.objectContaining(place)]);
    expect(courses[0]?.places[0]?.weekMask).toBe('1'.repeat(weeks).padEnd(24, '0'));
  });

  it('have the names of other releases, and days in words', () => {
    const place = { skxq: '星期三', skjc: 3, cxjc: 2, skzc: '11', xqm: '东校区', jxlm: '文津楼', jasm: 'E206' };
    expect(places(place)).toEqual([
      expect.objectContaining({ weekday: 3, firstSession: 3, campus: '东校区', building: '文津楼', room: 'E206' }),
    ]);
  });

  it('give their course the code of its key where it states none', () => {
    const { courses } = tableOf(fieldInput('f05-schedule-other-places.json')).table;
    expect(courses[0]).toMatchObject({ code: '21031003', sequence: '01' });
  });

  it('that cannot be read are counted; a table of them is unreadable, and one without a day is none', () => {
    const body = (...timeAndPlaceList: unknown[]) => JSON.stringify({ xkxx: [{ a: course({ timeAndPlaceList }) }] });
    const good = { classDay: 1 };
    expect(tableOf(body(good, { classDay: 8 })).dropped).toBe(1);
    for (const bad of [{ classDay: 8 }, { classDay: '?' }, { day: 1 }, 5]) {
      expect(failureOf(() => parseCourseTable(body(bad)))).toMatchObject(unreadablePage);
      expect(failureOf(() => parseCourseTable(body(good, bad, bad)))).toMatchObject(unreadablePage);
    }
    for (const none of [{ classDay: null }, { classDay: '' }, { classDay: 0 }]) {
      expect(tableOf(body(none, none))).toMatchObject({ dropped: 0, table: { courses: [{ places: [] }] } });
    }
  });

  it.each([
    ['3-4', 3, 2],
    ['第3节', 3, 1],
    ['第3-4节', 3, 2],
    ['3,4', 3, 2],
    [3, 3, 1],
  ])('have their sessions from %j', (skjc, firstSession, sessionCount) => {
    const given = places({ skxq: 3, skjc, cxjc: '1', skzc: '1-16' });
    expect(given).toMatchObject([{ firstSession, sessionCount }]);
  });

  it.each([[[{ classDay: 1, classSessions: '?' }]], ['周一1-2节'], [{ classDay: 1 }]])(
    'that state no session or are no list (%j) cannot be read',
    (timeAndPlaceList) => {
      const text = JSON.stringify({ xkxx: [{ a: course({ timeAndPlaceList }) }] });
      expect(failureOf(() => parseCourseTable(text))).toMatchObject(unreadablePage);
    },
  );

  it('are dropped without a weekday', () => {
    const days = places(...[0, 1, 7, 8, null, '3'].map((classDay) => ({ classDay })));
    expect(days?.map(({ weekday }) => weekday)).toEqual([1, 7, 3]);
  });

  it('of one course are in one entry, each once', () => {
    const monday = { classDay: 1, classSessions: 1, continuingSession: 2, classWeek: '11' };
    const friday = { ...monday, classDay: 5 };
    const xkxx = [{ a: course({ timeAndPlaceList: [monday] }) }, { b: course({ timeAndPlaceList: [monday, friday] }) }];
    expect(coursesOf({ xkxx })).toHaveLength(1);
    expect(coursesOf({ xkxx })[0]?.places.map((place) => place.weekday)).toEqual([1, 5]);
  });
});
