import { describe, expect, it } from 'vitest';
import { parseAcademicSummary } from '../../../../src/campus/jwc/parse-academic-summary.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

const summary = (entry: unknown) => parseAcademicSummary(JSON.stringify([entry]));

describe('academic summary', () => {
  it('is read from the first element', () => {
    const expected = { coursesTaken: 38, coursesFailed: 1, coursesPending: 9, gpa: 3.42, currentTerm: '2025-2026-1-1' };
    const text = fixture('academic-summary.json');
    expect(parseAcademicSummary(text)).toEqual(expected);
    expect(parseAcademicSummary(text.replace(/\]\s*$/, ', {"courseNum": 1}, null]'))).toEqual(expected);
  });

  it('takes numeric text for numbers', () => {
    expect(summary({ courseNum: '38', coursePas: '1.0', gpa: '3.42', courseNum_bxqyxd: ' 9 ', zxjxjhh: 5 })).toEqual({
      coursesTaken: 38,
      coursesFailed: 1,
      coursesPending: 9,
      gpa: 3.42,
      currentTerm: '5',
    });
  });

  it.each([
    ['null', { courseNum: null, coursePas: null, gpa: null, courseNum_bxqyxd: null, zxjxjhh: null }],
    ['words', { courseNum: '很多', coursePas: {}, gpa: '优', courseNum_bxqyxd: [], zxjxjhh: ['2025-2026-1-1'] }],
    ['missing members', { courseNum: '' }],
  ])('turns %s into zeros and empty text, never into -1', (_, entry) => {
    expect(summary(entry)).toEqual({
      coursesTaken: 0,
      coursesFailed: 0,
      coursesPending: 0,
      gpa: 0,
      currentTerm: '',
    });
  });

  it('that is an empty list is empty, not zero', () => {
    expect(failureOf(() => parseAcademicSummary(' [ ] '))).toMatchObject({
      kind: 'upstream-empty',
      system: 'academics',
    });
  });

  it.each([
    '',
    '{}',
    'null',
    '[null]',
    '[[]]',
    '[3]',
    '[{}]',
    '[{"error":"x"}]',
    '{"courseNum":38}',
    '[{"courseNum":38',
  ])('is unreadable as %j', (text) => {
    expect(failureOf(() => parseAcademicSummary(text))).toMatchObject(unreadablePage);
  });

  it('is unreadable as a login page', () => {
    expect(failureOf(() => parseAcademicSummary(fixture('login-page.html')))).toMatchObject(unreadablePage);
  });
});
