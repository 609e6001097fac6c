import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TicketEnvelope } from '../../../../src/campus/contract/ticket-application.ts';
import { collectOddities } from '../../../../src/campus/parsing/oddities.ts';
import { parseCategories, parseTotal } from '../../../../src/campus/products/aac/index.ts';
import { parseAwards } from '../../../../src/campus/products/competition/parse-awards.ts';
import { parsePaymentPage, parseUsagePage } from '../../../../src/campus/products/isim/parse-records.ts';
import * as lakeside from '../../../../src/campus/products/lakeside/parse.ts';
import * as ldjlb from '../../../../src/campus/products/ldjlb/parse-answers.ts';
import { parseClasses, parseMajors, parseOfferings } from '../../../../src/campus/products/urp/parse-offerings.ts';
import { recordItem, recordPage } from './isim/fixtures.ts';

const unreadable = expect.objectContaining({ kind: 'upstream-unreadable' });
const enveloped = (data: unknown, more: object = {}): TicketEnvelope => ({
  code: 0,
  message: '',
  data,
  body: { code: 0, data, ...more },
});

/** A list, a row that it reads, and rows that name nothing. */
const lists: ReadonlyArray<
  readonly [string, (rows: unknown[]) => { rows: readonly unknown[]; dropped: number }, object, object[]]
> = [
  ['score categories', (rows) => parseCategories(rows), { ID: '1', TypeName: '德育' }, [{ ID: '' }, { TotalScore: 5 }]],
  ['activities', (rows) => ldjlb.parseActivities(enveloped(rows)), { ID: '1' }, [{ ID: '', Title: ' ' }, { ID: null }]],
  ['sign-in items', (rows) => ldjlb.parseSignItems(enveloped(rows)), { ID: '1' }, [{ ID: '' }, { StartTime: null }]],
  ['clubs', (rows) => ldjlb.parseClubs(enveloped(rows)), { Name: '社' }, [{ ID: '' }, { Name: '' }]],
  [
    'the directory',
    (rows) => ldjlb.parseDirectory(enveloped(rows)),
    { ID: '1', Name: '社' },
    [{ ID: '1' }, { Name: '社' }],
  ],
  [
    'club applications',
    (rows) => ldjlb.parseApplications(enveloped(rows)),
    { ClubId: '1' },
    [{ ID: '' }, { IsAgree: true }],
  ],
  [
    'offerings',
    (rows) => {
      const answer = parseOfferings(JSON.stringify({ list: { records: rows } }));
      return answer.kind === 'rows' ? answer : { rows: [], dropped: 0 };
    },
    { kch: 'A', kcm: '甲' },
    [{ kch: 'A' }, { kcm: '甲' }, { kch: '', kcm: '' }],
  ],
  ['majors', (rows) => parseMajors(JSON.stringify(rows)), { subjectCode: '1' }, [{ subjectName: '甲' }]],
  [
    'classes',
    (rows) => parseClasses(JSON.stringify([{ records: rows }])),
    { id: { classNum: '1' } },
    [{ id: {} }, { className: '一班' }],
  ],
  [
    'scores of Lakeside',
    (rows) => lakeside.parseScores(JSON.stringify({ scores: rows })),
    { course: { code: 'A' } },
    [{ course: {} }, { course: null }],
  ],
  [
    'courses of Lakeside',
    (rows) => {
      const text = JSON.stringify({ courses: rows, periods: [{ no: 1 }] });
      const { table, dropped } = lakeside.parseTimetable(text, null);
      return { rows: table.courses, dropped };
    },
    { code: 'A' },
    [{ code: '', name: '' }],
  ],
  [
    'periods of Lakeside',
    (rows) => {
      const text = JSON.stringify({ courses: [], periods: rows });
      const { sections, dropped } = lakeside.parseTimetable(text, null);
      return { rows: sections.slots, dropped };
    },
    { no: 1 },
    [{ no: 'x' }, { no: null }],
  ],
  [
    'exams of Lakeside',
    (rows) => {
      const { exams, dropped } = lakeside.parseExams(JSON.stringify({ exams: rows }));
      return { rows: exams, dropped };
    },
    { name: '甲' },
    [{ name: '' }, { name: null }],
  ],
];

describe.each(lists)('%s', (_, read, good, empty) => {
  it('drop and count what names nothing, and are unreadable where most names nothing', () => {
    for (const none of empty) {
      expect(read([good, good, none])).toMatchObject({ rows: { length: 2 }, dropped: 1 });
      expect(() => read([none])).toThrow(unreadable);
      expect(() => read([good, none, none])).toThrow(unreadable);
    }
    expect(() => read([{}])).toThrow(unreadable);
    expect(read([])).toMatchObject({ rows: [], dropped: 0 });
  });
});

it('items of a category that name nothing are dropped and counted', () => {
  const read = (...children: unknown[]) => collectOddities(() => parseCategories([{ ID: '1', children }]));
  const { value, oddities } = read({ ID: 'a' }, { Score: 5 });
  expect(value.rows[0]?.children).toHaveLength(1);
  expect(oddities).toContainEqual({ kind: 'dropped', name: 'score items', count: 1 });
  expect(() => read({ Score: 5 })).toThrow(unreadable);
});

it('places of Lakeside that cannot be read are dropped and counted, and most of them are no timetable', () => {
  const read = (...places: unknown[]) =>
    lakeside.parseTimetable(JSON.stringify({ courses: [{ code: 'A', places }], periods: [{ no: 1 }] }), null);
  const good = { day: 1, from: 1, to: 2, weeks: '1-16' };
  expect(read(good, { day: 9, from: 1, to: 2 })).toMatchObject({
    dropped: 1,
    table: { courses: [{ places: { length: 1 } }] },
  });
  for (const bad of [{ day: 9 }, { day: 1, from: 'x' }, { day: 1, from: 3, to: 2 }])
    expect(() => read(bad)).toThrow(unreadable);
});

it('hours of Lakeside that are none stay empty, and never midnight', () => {
  const read = (from: unknown, to: unknown) =>
    lakeside.parseTimetable(JSON.stringify({ courses: [], periods: [{ no: 1, from, to }] }), null).sections.slots[0];
  expect(read('8:00', '08:45')).toMatchObject({ startTime: '0800', endTime: '0845', length: '45' });
  expect(read('', null)).toMatchObject({ startTime: '', endTime: '', length: '' });
  expect(read('x', '25:00')).toMatchObject({ startTime: '', endTime: '' });
});

const activity = (more: object) => ldjlb.parseDetail(enveloped({ ID: '1', ...more }));
const paged = (pageInfo: object) => ldjlb.parseActivities(enveloped([{ ID: '1' }], { pageInfo }));
const term = (more: object) =>
  lakeside.parseTerms(JSON.stringify({ terms: [{ code: '2025-2', current: true, ...more }] }));
const course = (credits: unknown) =>
  lakeside.parseTimetable(JSON.stringify({ courses: [{ code: 'A', credits }], periods: [{ no: 1 }] }), null);

describe('a number that is there and is none', () => {
  it.each<[string, (value: unknown) => unknown]>([
    ['the total of the activity score', (TotalScore) => parseTotal({ TotalScore })],
    ['members of an activity', (MemberNum) => activity({ MemberNum })],
    ['the count of a list', (TotalItemCount) => paged({ TotalItemCount })],
    ['the page of a list', (CurrentPageIndex) => paged({ CurrentPageIndex })],
    ['finished activities', (Progress) => ldjlb.parseFinishedCount({ Progress })],
    ['weeks of a term', (weeks) => term({ weeks })],
    ['credits of a course', course],
  ])('as %s is unreadable; an absent one is its default', (_, read) => {
    for (const odd of ['NaN', 'x', [], {}]) expect(() => read(odd), JSON.stringify(odd)).toThrow(unreadable);
    for (const given of [3, '3', null, '']) expect(() => read(given)).not.toThrow();
  });

  it('where the record allows it is null', () => {
    const answer = parseOfferings(
      JSON.stringify({ list: { records: [{ kch: 'A', kcm: '甲', xf: 'x', bkskyl: 'NaN' }] } }),
    );
    expect(answer).toMatchObject({ rows: [{ course: { unit: null, places_left: null } }] });
  });
});

it('a first day of Lakeside that is no day is unreadable', () => {
  expect(() => term({ firstDay: '2026-02-30' })).toThrow(unreadable);
  expect(term({ firstDay: '2026-03-02' })).toMatchObject([{ firstDay: '2026-03-02' }]);
});

describe('the electricity pages', () => {
  const day = '2026-03-18 00:04:58';
  it('leave out sums, and drop days that are not named', () => {
    const page = recordPage({
      records: recordItem(day, '1度').repeat(2) + recordItem('合计', '2度') + recordItem('', '5度'),
    });
    const { value, oddities } = collectOddities(() => parseUsagePage(page));
    expect([value.usage.length, value.dropped]).toEqual([2, 1]);
    expect(oddities).toContainEqual({ kind: 'notice', name: '', count: 1 });
    expect(() => parseUsagePage(recordPage({ records: recordItem('', '5度') }))).toThrow(unreadable);
    expect(() => parsePaymentPage(recordPage({ records: recordItem('', '5元') }))).toThrow(unreadable);
  });
});

describe('the award page', () => {
  const page = readFileSync(new URL('../../../fixtures/competition/awards.html', import.meta.url), 'utf8');
  it('drops an award without a name, and is none in another order of columns', () => {
    const all = parseAwards(page);
    expect(parseAwards(page.replace('大学生数学建模竞赛', ''))).toMatchObject({
      awards: { length: all.awards.length - 1 },
      dropped: all.dropped + 1,
    });
    const swapped = page.replace('<th>级别</th><th>等级</th>', '<th>等级</th><th>级别</th>');
    expect(() => parseAwards(swapped)).toThrow(unreadable);
  });
});
