import { describe, expect, it } from 'vitest';
import { parseAcademicSummary } from '../../../../../src/campus/products/urp/parse-student.ts';
import { failureOf, fixture, unreadablePage } from './fixtures.ts';

const summary = (entry: unknown) => parseAcademicSummary(JSON.stringify([entry]));

describe('academic summary', () => {
  it('is read from the first element', () => {
    const text = fixture('academic-summary.json').replace(/\]\s*$/, ', {"courseNum": 1}, null]');
    expect(parseAcademicSummary(text)).toMatchObject({ coursesTaken: 38, coursesFailed: 1, gpa: 3.42 });
  });

  it.each([{ gpa: 'NaN' }, { gpa: '3.x' }, { courseNum: '很多' }, { courseNum_bxqyxd: [] }, { courseNum: {} }])(
    'with %j where a number belongs is unreadable, not 0',
    (member) => {
      expect(failureOf(() => summary({ courseNum: 38, ...member }))).toMatchObject(unreadablePage);
    },
  );

  it('has zeros and empty text for what is absent, but never invents that none failed', () => {
    expect(summary({ courseNum: null, coursePas: {}, gpa: ' ', zxjxjhh: null })).toEqual({
      coursesTaken: 0,
      coursesFailed: null,
      coursesPending: 0,
      gpa: 0,
      currentTerm: '',
      averageScore: null,
      rank: null,
      rankTotal: null,
    });
  });

  it.each([
    ['numbers as text', { sspjf_jd: ' 85.37 ', sspjf_pm: '21', sspjf_rs: '118.0' }, [85.37, 21, 118]],
    ['a rank alone', { sspjf_pm: 3 }, [null, 3, null]],
    ['a rank above the number of students', { sspjf_jd: 60, sspjf_pm: 9, sspjf_rs: 3 }, [60, 9, 3]],
    ['words', { sspjf_jd: '无', sspjf_pm: '第3', sspjf_rs: {} }, [null, null, null]],
    ['zeros', { sspjf_jd: 0, sspjf_pm: '0', sspjf_rs: '0.0' }, [null, null, null]],
    ['less than zero', { sspjf_jd: -1, sspjf_pm: -1, sspjf_rs: '-3' }, [null, null, null]],
  ])('has average, rank and cohort each by itself: %s', (_, members, expected) => {
    const { averageScore, rank, rankTotal } = summary({ courseNum: 38, ...members });
    expect([averageScore, rank, rankTotal]).toEqual(expected);
  });

  it('is not made readable by average, rank and cohort alone', () => {
    expect(failureOf(() => summary({ sspjf_jd: 85.37, sspjf_pm: 21, sspjf_rs: 118 }))).toMatchObject(unreadablePage);
  });

  it('of an empty list is a failure, not a row of zeros', () => {
    expect(failureOf(() => parseAcademicSummary(' [ ] '))).toMatchObject({
      kind: 'upstream-empty',
      system: 'academics',
    });
  });

  it.each(['[null]', '[[]]', '[3]', '[{}]', '{"courseNum":38}', '[{"courseNum":38'])('is unreadable as %j', (text) => {
    expect(failureOf(() => parseAcademicSummary(text))).toMatchObject(unreadablePage);
  });
});
