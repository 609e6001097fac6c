import { describe, expect, it } from 'vitest';
import { agreedFirstDay, type StatedWeek, weekOne, withStated } from '../../../../src/domain/academics/term-weeks.ts';
import { dayText } from '../../../../src/lib/time.ts';

const opening = (firstDay: string) => ({
  semester: { totalWeeks: '18', weekDescription: '', totalSessions: '12', firstDay },
});
const unknown = { semester: null };

it.each([
  ['2026-03-02', opening('1'), '2026-03-02'],
  ['2026-03-05', opening('1'), '2026-03-02'],
  ['2026-03-05', opening('7'), '2026-03-01'],
  ['2026-03-05', opening('4'), '2026-03-05'],
  ['2026-03-01', opening('1'), '2026-02-23'],
  ['2026-03-05', unknown, '2026-03-02'],
  ['2026-03-01', unknown, '2026-03-01'],
  ['2026-03-05', opening('0'), '2026-03-02'],
])('week 1 with %s, where weeks open %j, begins on %s', (firstDay, sections, begin) => {
  expect(dayText(weekOne(firstDay, sections) ?? 0)).toBe(begin);
});

it('without a first day has no week 1', () => {
  expect(weekOne('')).toBeNull();
});

describe('a first day that the page contradicts', () => {
  const said = (...weeks: Array<readonly [on: string, week: number]>): StatedWeek[] =>
    weeks.reduce<StatedWeek[]>((before, [on, week]) => withStated(before, { on, week }), []);
  it.each([
    ['nothing', said(), '2026-03-02'],
    ['the same', said(['2026-03-09', 2], ['2026-03-10', 2]), '2026-03-02'],
    ['another on one day', said(['2026-03-09', 1]), '2026-03-02'],
    ['another twice on one day', said(['2026-03-09', 1], ['2026-03-09', 1]), '2026-03-02'],
    ['another on two days', said(['2026-03-09', 1], ['2026-03-16', 2]), '2026-03-09'],
    ['others on two days', said(['2026-03-09', 1], ['2026-03-16', 5]), '2026-03-02'],
    ['a third one for one day', said(['2026-03-09', 1], ['2026-03-16', 2], ['2026-03-17', 3]), '2026-03-09'],
    ['the first one again', said(['2026-03-09', 1], ['2026-03-16', 3], ['2026-03-17', 3]), '2026-03-02'],
  ])('by %s', (_, stated, expected) => {
    expect(agreedFirstDay('2026-03-02', stated, opening('1'))).toBe(expected);
  });

  it('keeps its weekday', () => {
    expect(agreedFirstDay('2026-03-05', said(['2026-03-09', 1], ['2026-03-16', 2]), opening('1'))).toBe('2026-03-12');
  });
});
