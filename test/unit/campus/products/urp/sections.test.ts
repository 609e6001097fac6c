import { describe, expect, it } from 'vitest';
import { parseSections } from '../../../../../src/campus/products/urp/parse-schedule.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

const read = (body: unknown) => parseSections(JSON.stringify(body));
const plain: { firstday: number; section: unknown; sectionTime: unknown } = JSON.parse(fixture('sections.json'));

const expected = {
  dropped: 0,
  sections: {
    slots: [
      { session: 1, name: '第一节', startTime: '0800', endTime: '0845', length: '45', block: 1 },
      { session: 2, name: '第二节', startTime: '0855', endTime: '0940', length: '45', block: 1 },
      { session: 3, name: '', startTime: '1010', endTime: '1055', length: '45', block: 0 },
      { session: 0, name: '第四节', startTime: '1105', endTime: '1150', length: '45', block: 0 },
    ],
    semester: { totalWeeks: '18', weekDescription: '第1周-第18周', totalSessions: '11', firstDay: '1' },
  },
};

describe('section times', () => {
  it('are read in upstream order', () => {
    expect(read(plain)).toEqual(expected);
  });

  it.each([
    ['wrapped', { status: 200, msg: 'OK', data: plain }],
    ['wrapped as text', { data: JSON.stringify(plain) }],
    [
      'with inner values as text',
      { ...plain, section: JSON.stringify(plain.section), sectionTime: JSON.stringify(plain.sectionTime) },
    ],
  ])('are the same when they come %s', (_, body) => {
    expect(read(body)).toEqual(expected);
  });

  it.each([undefined, {}, ' ', []])('have no semester when the block is %j', (section) => {
    expect(read({ ...plain, section }).sections.semester).toBeNull();
  });

  it('state the semester as text, with defaults for odd cells', () => {
    const section = { zs: '20', zcsm: null, tjc: 'x' };
    expect(read({ section, sectionTime: [], firstday: '7' }).sections.semester).toEqual({
      totalWeeks: '20',
      weekDescription: '',
      totalSessions: '0',
      firstDay: '7',
    });
    expect(read({ section, sectionTime: [] }).sections.semester?.firstDay).toBe('1');
  });

  it('drop and count rows that are no sessions', () => {
    const { sections, dropped } = read({ sectionTime: [null, 3, { id: { session: 1 } }] });
    expect(sections.slots).toEqual([{ session: 1, name: '', startTime: '', endTime: '', length: '', block: 0 }]);
    expect(dropped).toBe(1);
  });

  it('may be empty', () => {
    expect(read({ sectionTime: null }).sections.slots).toEqual([]);
  });

  it.each([
    '[]',
    '{"data":null}',
    '{"data":{}}',
    '{"data":"{"}',
    '{"section":{"zs":18}}',
    '{"sectionTime":"{}"}',
    '{"sectionTime":"x"}',
    '{"sectionTime":[],"section":"x"}',
    '{"sectionTime":[',
  ])('are unreadable as %j', (text) => {
    expect(failureOf(() => parseSections(text))).toMatchObject(unreadablePage);
  });

  it('are unreadable where there are more than a response may have', () => {
    expect(failureOf(() => read({ sectionTime: new Array<number>(201).fill(7) }))).toMatchObject(unreadablePage);
  });

  it('are unreadable when no row is a session, because an empty list would say that there are none', () => {
    expect(() => read({ sectionTime: ['08:00', null] })).toThrow(/sessions of another shape/);
  });
});
