import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { parseChanges, withChanges } from '../../../../../src/campus/products/emap/changes.ts';
import { parseTimetable } from '../../../../../src/campus/products/emap/parse-timetable.ts';
import { answer, outcomeOf, place, unreadable, untimed } from './fixtures.ts';

const table = (...rows: unknown[]) => parseTimetable(answer('cxxszhxqkb', rows));
const coursesOf = (...rows: unknown[]) => table(...rows).courses.map(({ course }) => course);
const mask = (...weeks: number[]): string =>
  Array.from({ length: 24 }, (_, at) => (weeks.includes(at + 1) ? '1' : '0')).join('');
const odd = mask(1, 3, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16);

describe('the table', () => {
  it('is read by course and class, with all places of it', () => {
    const other = { ...place, SKXQ: '3', KSJC: 3, JSJC: '4', JASMC: '310', JXLMC: '明理楼', SKJS: '许静；江澜' };
    expect(table(place, other)).toMatchObject({ dropped: 0, students: ['2023000001'] });
    expect(coursesOf(place, other, { ...place, KXH: '02' })).toMatchObject([
      {
        name: '微观经济学',
        code: 'ECO1201',
        sequence: '01',
        teachers: '周明 许静 江澜',
        nature: '',
        examType: '',
        credits: 3,
        places: [
          {
            ...{ weekday: 1, firstSession: 1, sessionCount: 2, weekMask: odd, weekDescription: '1-9周(单),10-16周' },
            ...{ campus: '东校区', building: '', room: '明理楼308' },
          },
          { weekday: 3, firstSession: 3, sessionCount: 2, building: '明理楼', room: '310' },
        ],
      },
      { sequence: '02' },
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['of the words where a mask begins with another week', { SKZC: '0110', ZCMC: '1-2周' }, mask(1, 2)],
    ['of the mask without words', { SKZC: '0110', ZCMC: null }, mask(2, 3)],
    ['of the mask beside words that say nothing', { SKZC: '0110', ZCMC: '另行通知' }, mask(2, 3)],
    ['of words in place of the mask', { SKZC: '1-4周', ZCMC: '' }, mask(1, 2, 3, 4)],
    ['of even weeks', { ZCMC: '2-6周(双)' }, mask(2, 4, 6)],
  ])('takes the weeks %s', (_, cells, weeks) => {
    expect(coursesOf({ ...place, ...cells })[0]?.places[0]?.weekMask).toBe(weeks);
  });

  it('counts weeks that a mask of 24 cannot hold', () => {
    const late = { ...place, SKZC: `${'0'.repeat(22)}1111`, ZCMC: '23-26周' };
    expect(table(late).dropped).toBe(1);
    expect(coursesOf(late)[0]?.places[0]?.weekMask).toBe(mask(23, 24));
    const { oddities } = collectOddities(() => table(late));
    expect(oddities).toContainEqual(expect.objectContaining({ kind: 'weeks-beyond' }));
  });

  it('has courses without a time, which are no loss', () => {
    const found = table(untimed, { ...untimed, KCH: null, KXH: null, KCM: '社会实践' });
    expect(found.dropped).toBe(0);
    expect(found.courses.map(({ course }) => [course.name, course.credits, course.places, course.teachers])).toEqual([
      ['体育(二)', 1, [], ''],
      ['社会实践', 1, [], ''],
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['on no day', { SKXQ: null }],
    ['on an eighth day', { SKXQ: 8 }],
    ['that ends before it begins', { KSJC: 5, JSJC: 4 }],
    ['in no week', { SKZC: '000', ZCMC: '' }],
    ['only after week 24', { SKZC: `${'0'.repeat(25)}11`, ZCMC: null }],
  ])('leaves out and counts a place %s, and is unreadable where there is no other', (_, cells) => {
    const found = table(place, { ...place, ...cells });
    expect([found.dropped, found.courses[0]?.course.places.length]).toEqual([1, 1]);
    expect(outcomeOf(() => table({ ...place, ...cells }))).toMatchObject(unreadable);
  });

  it('names the kind of a course where the school does', () => {
    expect(coursesOf({ ...place, KCXZDM_DISPLAY: '必修' })[0]?.nature).toBe('必修');
  });

  it('drops and counts a row without a course', () => {
    expect(table(place, place, { KCM: null, KCH: 'X' }).dropped).toBe(1);
  });
});

const change = {
  TKLXDM: '01',
  KBID: 'K1',
  KCH: 'ECO1201',
  KXH: '01',
  KCM: '微观经济学',
  SKZC: '000010000000000000',
  SKXQ: '1',
  KSJC: '1',
  JSJC: '2',
  XSKZC: '000001000000000000',
  XSKXQ: '3',
  XKSJC: '5',
  XJSJC: '6',
  XJASMC: '明理楼310',
  XSKJS: '周明',
};
/** The table after changes, the newest of which comes first. */
const outcome = (changes: unknown[], rows: unknown[] = [place, untimed]) =>
  withChanges(table(...rows).courses, parseChanges(answer('xsdkkc', changes)).rows);
const placesAfter = (changes: unknown[], rows?: unknown[]) =>
  outcome(changes, rows).courses[0]?.places.map(({ weekday, firstSession, weekMask, weekDescription, room }) => ({
    ...{ weekday, firstSession, weekMask, weekDescription, room },
  }));

const without5 = mask(1, 3, 7, 9, 10, 11, 12, 13, 14, 15, 16);
const left = {
  ...{ weekday: 1, firstSession: 1, weekMask: without5, weekDescription: '1,3,7,9-16周', room: '明理楼308' },
};
const moved = { weekday: 3, firstSession: 5, weekMask: mask(6), weekDescription: '6周', room: '明理楼310' };
const whole = { weekday: 1, firstSession: 1, weekMask: odd, weekDescription: '1-9周(单),10-16周', room: '明理楼308' };

describe('its changes', () => {
  it.each<[string, unknown, unknown]>([
    ['moved', change, [left, moved]],
    ['cancelled', { ...change, TKLXDM: '02' }, [left]],
    ['made up', { ...change, TKLXDM: '03' }, [whole, moved]],
    ['moved to a room that is not named', { ...change, XJASMC: null }, [left, { ...moved, room: '' }]],
  ])('a class is %s', (_, row, places) => {
    expect(placesAfter([row])).toEqual(places);
    expect(outcome([row])).toMatchObject({ unclear: 0, courses: [{ extras: { remark: null } }, {}] });
  });

  it('what was moved twice is where it was moved to last', () => {
    const again = { ...change, SKZC: '000001', SKXQ: '3', KSJC: '5', JSJC: '6', XSKZC: '0000001', XSKXQ: '5' };
    expect(placesAfter([again, change])).toEqual([
      left,
      { ...moved, weekday: 5, weekMask: mask(7), weekDescription: '7周' },
    ]);
  });

  it('a place without weeks goes', () => {
    expect(placesAfter([{ ...change, TKLXDM: '02', SKZC: '1' }], [{ ...place, SKZC: '1', ZCMC: '1周' }])).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['of another kind', { ...change, TKLXDM: '09' }],
    ['of no kind', { ...change, TKLXDM: null }],
    ['of a day on which there is no class', { ...change, SKXQ: '2' }],
    ['of other sessions', { ...change, JSJC: '3' }],
    ['of a week in which there is none', { ...change, SKZC: '0100' }],
    ['to no time', { ...change, XSKXQ: null }],
    ['from no week', { ...change, SKZC: null }],
    ['made up in no week', { ...change, TKLXDM: '03', XSKZC: '' }],
  ])('a change %s is told in a remark, counted, and changes no place', (_, row) => {
    expect(placesAfter([row])).toEqual([whole]);
    expect(outcome([row])).toMatchObject({
      unclear: 1,
      courses: [{ extras: { remark: expect.stringContaining('调课') } }, { extras: { remark: null } }],
    });
  });

  it('a change of a course that is not in the table is counted', () => {
    expect(outcome([{ ...change, KCH: 'X' }])).toMatchObject({ unclear: 1, courses: [{}, {}] });
  });

  it('takes weeks from the one of two places at the same time that has them', () => {
    const second = { ...place, SKZC: mask(2, 4), ZCMC: '2-4周(双)', JASMC: '210' };
    const found = placesAfter([{ ...change, TKLXDM: '02' }], [place, second]);
    expect(found?.map(({ weekMask, weekDescription }) => [weekMask, weekDescription])).toEqual([
      [without5, '1,3,7,9-16周'],
      [mask(2, 4), '2-4周(双)'],
    ]);
  });
});
