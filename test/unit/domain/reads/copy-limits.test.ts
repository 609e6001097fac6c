import { expect, it } from 'vitest';
import { readRows, rowsByName } from '../../../../src/domain/all-reads.ts';
import { type MeasuredCopy, surplusCopies } from '../../../../src/domain/reads/copy-limits.ts';

const surplus = (copies: readonly MeasuredCopy[]) => surplusCopies(copies, rowsByName);

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
const terms = (count: number, more: Partial<MeasuredCopy> = {}) => copies('schedule', count, more);
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
  const clubs = copies('club-page', 20, {}, (at) => [`${at + 1}`, '20']);
  expect(names(surplus(clubs))).toEqual([
    'club-page ["2","20"]',
    'club-page ["3","20"]',
    'club-page ["4","20"]',
    'club-page ["5","20"]',
  ]);
});

it('64 stay in all: later pages go first, then the oldest', () => {
  const later = copies('club-activities', 5, { readAt: 9_000 }, (at) => ['c', `${at + 2}`, '20']);
  const reads = ['all-scores', 'score-components', 'activity-detail'].flatMap((read) => copies(read, 16));
  const rest = [...reads, ...terms(16)];
  expect(names(surplus([...rest, ...later])).toSorted()).toEqual(names(later).toSorted());
  const gone = surplus([...rest, one('terms', { readAt: 5_000 }), one('exams', { readAt: 1 }), ...later]);
  expect(names(gone).slice(5)).toEqual(['exams []', 'all-scores ["0"]']);
});

it('what a feed is made of goes last', () => {
  const used = [one('exams', { used: true }), one('schedule', { params: '["t"]', used: true })];
  const reads = ['all-scores', 'score-components', 'activity-detail', 'plan-completion'].flatMap((read) =>
    copies(read, 16),
  );
  const gone = names(surplus([...used, ...reads, ...terms(16)]));
  expect(gone).toHaveLength(18);
  expect(gone).not.toContain('exams []');
  expect(gone).not.toContain('schedule ["t"]');
  expect(gone[0]).toBe('schedule ["0"]');
});

it('together they have at most 4 MiB, and go in the same order', () => {
  const large = { characters: 1024 * 1024 };
  const later = one('club-page', { ...large, params: '["2","20"]', readAt: 9 });
  const used = one('exams', { ...large, used: true });
  const [old, young] = [one('terms', { ...large, readAt: 2 }), one('summary', { ...large, readAt: 3 })];
  const rest = [one('all-scores', large), one('competitions', { ...large, readAt: 1 })];
  expect(surplus([young, used, old, later])).toEqual([]);
  expect(surplus([young, used, old, ...rest, later])).toEqual([later, ...rest.slice(0, 1)]);
});

it('an empty page of a list is told from one with rows, and a refusal from an answer', () => {
  const [none, some] = [
    { records: [], data: [], code: 1 },
    { records: [{}], data: [{}], code: 0 },
  ] as unknown[];
  for (const row of [readRows.scorePage, readRows.clubActivities, readRows.clubPage]) {
    expect([row.pages?.isEmpty(none as never), row.pages?.isEmpty(some as never)], row.name).toEqual([true, false]);
  }
  for (const row of [readRows.signItems, readRows.activityDetail]) {
    expect([row.isComplete?.(none as never), row.isComplete?.(some as never)], row.name).toEqual([false, true]);
  }
});
