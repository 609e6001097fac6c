import { expect, it } from 'vitest';
import { allReads, rowsByName } from '../../../../src/domain/all-reads.ts';
import { type MeasuredCopy, surplusCopies } from '../../../../src/domain/reads/copy-limits.ts';

/** In the spring term. */
const now = Date.UTC(2026, 5, 10);
const term = '2025-2026-2-1';
const surplus = (copies: readonly MeasuredCopy[], at = now) => surplusCopies(copies, rowsByName, at);

const copies = (
  read: string,
  count: number,
  more: Partial<MeasuredCopy> = {},
  params = (at: number) => [`${at}`],
): MeasuredCopy[] =>
  Array.from({ length: count }, (_, at) => ({
    read,
    params: JSON.stringify(params(at)),
    characters: 100,
    readAt: 1_000 + at,
    used: false,
    ...more,
  }));
const one = (read: string, more: Partial<MeasuredCopy> = {}): MeasuredCopy => ({
  read,
  params: '[]',
  characters: 100,
  readAt: 0,
  used: false,
  ...more,
});
const names = (gone: readonly MeasuredCopy[]) => gone.map(({ read, params }) => `${read} ${params}`);
const needed = [one('terms'), one('exams'), one('schedule', { params: '["t"]' })];

it('within the limits nothing is deleted', () => {
  expect(surplus([])).toEqual([]);
  expect(surplus([...needed, ...copies('club-activities', 16, {}, (at) => [`${at}`, '1', '20'])])).toEqual([]);
});

it('the latest 16 of one read stay, and other reads are left alone however old they are', () => {
  const clubs = copies('club-activities', 75, {}, (at) => [`${at}`, '1', '20']);
  expect(surplus([...needed, ...clubs])).toEqual(clubs.slice(0, 59));
});

it('later pages of a read go before first pages, even if they are newer', () => {
  const pages = copies('score-page', 16, { readAt: 9_000 }, (at) => ['t', `${at + 2}`, '10', '', '']);
  const firsts = copies('score-page', 3, {}, (at) => [`${at}`, '1', '10', '', '']);
  expect(surplus([...pages, ...firsts])).toEqual(pages.slice(0, 3));
  const activities = copies('club-activities', 16, { readAt: 9_000 }, (at) => ['c', `${at + 2}`, '10']);
  const firstOnes = copies('club-activities', 3, {}, (at) => [`${at}`, '1', '10']);
  expect(surplus([...activities, ...firstOnes])).toEqual(activities.slice(0, 3));
  const clubs = copies('club-page', 20, {}, (at) => [`${at + 1}`, '20']);
  expect(names(surplus(clubs))).toEqual([
    'club-page ["2","20"]',
    'club-page ["3","20"]',
    'club-page ["4","20"]',
    'club-page ["5","20"]',
  ]);
});

const past = (at: number) => [`${1990 + at}-${1991 + at}-1-1`];

it('128 stay in all: details and later pages go first, then past terms, then the oldest', () => {
  const details = ['activity-detail', 'sign-items', 'score-components', 'club-page', 'all-clubs', 'club-activities'];
  const later = copies('score-page', 5, { readAt: 9_000 }, (at) => [term, `${at + 2}`, '10', '', '']);
  const first = [...later, ...details.map((read) => one(read, { readAt: 8_000 }))];
  const terms = ['schedule', 'all-scores'].flatMap((read) => copies(read, 16, { readAt: 7_000 }, past));
  const usual = Array.from({ length: 7 }, (_, at) => copies(`usual-${at}`, 16)).flat();
  const all = [...usual, ...first, ...terms];
  const gone = surplus(all);
  expect(gone).toHaveLength(all.length - 128);
  expect(new Set(gone.slice(0, first.length))).toEqual(new Set(first));
  expect(new Set(gone.slice(first.length))).toEqual(new Set(terms.slice(0, gone.length - first.length)));
});

it('what an app starts with goes last, however old it is: terms, this term, exams and summary', () => {
  const needed = [
    ...['terms', 'current-term', 'exams', 'summary', 'current-scores'].map((read) => one(read)),
    ...['schedule', 'all-scores'].map((read) => one(read, { params: JSON.stringify([term]) })),
    one('score-page', { params: JSON.stringify([term, '1', '10', '', '']) }),
  ];
  const usual = Array.from({ length: 10 }, (_, at) => copies(`usual-${at}`, 16)).flat();
  const gone = surplus([...needed, ...usual]);
  expect(gone.filter((copy) => needed.includes(copy))).toEqual([]);
  expect(gone).toHaveLength(needed.length + usual.length - 128);
});

it.each([
  ['2026-02-28', ['2024-2025-3-1', '2025-2026-1-1'], ['2025-2026-1-1']],
  ['2026-03-01', ['2025-2026-1-1', '2025-2026-2-1'], ['2025-2026-2-1']],
  ['2026-08-31', ['2025-2026-1-1', '2025-2026-3-1', '2026-2027-1-1'], ['2025-2026-3-1', '2026-2027-1-1']],
  ['2026-09-01', ['2025-2026-2-1', '2025-2026-3-1', '2026-2027-1-1'], ['2026-2027-1-1']],
])('on %s the timetables of %j go last only for %j', (day, codes, last) => {
  const timetables = codes.map((code) => one('schedule', { params: JSON.stringify([code]), readAt: 9_000 }));
  const usual = Array.from({ length: 8 }, (_, at) => copies(`usual-${at}`, 16)).flat();
  const gone = surplus([...timetables, ...usual], Date.parse(day));
  const kept = timetables.filter((copy) => !gone.includes(copy)).map(({ params }) => JSON.parse(params)[0]);
  expect(kept).toEqual(last);
});

it('of a read over its 16 the timetable of this term is not the one that goes', () => {
  const olds = copies('schedule', 16, { readAt: 9_000 }, past);
  expect(surplus([one('schedule', { params: JSON.stringify([term]) }), ...olds])).toEqual(olds.slice(0, 1));
});

it('what a feed is made of goes after everything', () => {
  const used = [one('exams', { used: true }), one('activity-detail', { used: true })];
  const rest = Array.from({ length: 8 }, (_, at) => copies(`usual-${at}`, 16)).flat();
  const gone = names(surplus([...used, ...rest]));
  expect(gone).toEqual(['usual-0 ["0"]', 'usual-1 ["0"]']);
});

it('together they have at most 4 MiB, and go in the same order', () => {
  const large = { characters: 1024 * 1024 };
  const later = one('club-page', { ...large, params: '["2","20"]', readAt: 9 });
  const used = one('exams', { ...large, used: true });
  const [old, young] = [one('terms', { ...large, readAt: 2 }), one('summary', { ...large, readAt: 3 })];
  const rest = [one('student-file', large), one('competitions', { ...large, readAt: 1 })];
  expect(surplus([young, used, old, later])).toEqual([]);
  expect(surplus([young, used, old, ...rest, later])).toEqual([later, ...rest.slice(0, 1)]);
});

it('an empty page of a list is told from one with rows, and a refusal from an answer', () => {
  const [none, some] = [
    { records: [], data: [], code: 1 },
    { records: [{}], data: [{}], code: 0 },
  ] as unknown[];
  for (const row of [allReads.scorePage, allReads.clubActivities, allReads.directoryPage]) {
    expect([row.pages?.isEmpty(none as never), row.pages?.isEmpty(some as never)], row.name).toEqual([true, false]);
  }
  for (const row of [allReads.signItems, allReads.activityDetail]) {
    expect([row.isComplete?.(none as never), row.isComplete?.(some as never)], row.name).toEqual([false, true]);
  }
});
