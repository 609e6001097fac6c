import { describe, expect, it } from 'vitest';
import type { RecordRow } from '../../../../src/domain/academics/records.ts';
import { RecordRow as Row } from '../../../../src/domain/academics/records.ts';
import { sumTerms } from '../../../../src/domain/academics/term-sums.ts';
import { exampleOf, unsaidOf } from '../../../../src/domain/record.ts';

const blank = {
  ...exampleOf(Row),
  ...unsaidOf(Row),
};
const row = (given: Partial<RecordRow>): RecordRow => ({
  ...blank,
  term_id: '2024-2025-2-1',
  course_code: 'A1',
  course_name_cn: '示例',
  course_name_en: '',
  course_class: '01',
  credits: '2',
  score: '80',
  ...given,
});
const sums = (...rows: Partial<RecordRow>[]) => sumTerms({ records: rows.map(row) }).terms;

describe('the sums of a term', () => {
  it('weigh marks and grade points by credits, each beside the credits it rests on', () => {
    expect(
      sums(
        { course_code: 'A', credits: '3', score: '90', grade_point: 4 },
        { course_code: 'B', credits: '1', score: '70', score_number: 70 },
        { course_code: 'C', credits: '.5', score: '优秀', grade_point: 3.7 },
      ),
    ).toEqual([
      {
        term_id: '2024-2025-2-1',
        courses: 3,
        credits: 4.5,
        mean: 85,
        mean_credits: 4,
        grade_point_average: 3.957,
        grade_point_credits: 3.5,
        unclear: 0,
      },
    ]);
  });

  it('have no mean where all marks are words, and no credits where one is no number', () => {
    expect(sums({ score: '优秀' }, { course_code: 'B', score: '合格', credits: '' })).toMatchObject([
      { courses: 2, credits: null, mean: null, mean_credits: 0, grade_point_average: null, grade_point_credits: 0 },
    ]);
  });

  it('count a course of two plans once', () => {
    expect(sums({ group_index: 0 }, { group_index: 1 })).toMatchObject([
      { courses: 1, credits: 2, mean: 80, mean_credits: 2, unclear: 0 },
    ]);
  });

  it.each([
    ['a make-up mark', [{ makeup_score: '61', score: '45' }]],
    ['a retake', [{ retake_score: '70', score: '45' }]],
    ['two rows that contradict each other', [{ score: '45' }, { score: '63' }]],
    ['a number beside a word', [{ score: '45' }, { score: '缺考' }]],
  ])('leave %s out of both means, and say so', (_, rows) => {
    expect(sums(...rows, { course_code: 'B', score: '90', grade_point: 4 })).toMatchObject([
      { courses: 2, mean: 90, mean_credits: 2, grade_point_average: 4, grade_point_credits: 2, unclear: 1 },
    ]);
  });

  it('count what was not passed as the campus states it', () => {
    expect(sums({ score: '40', grade_point: 0 }, { course_code: 'B', score: '80', grade_point: 3 })).toMatchObject([
      { mean: 60, grade_point_average: 1.5 },
    ]);
  });

  it('tell courses without a code by their names', () => {
    const unnamed = { course_code: '', course_class: '' };
    expect(sums({ ...unnamed, course_name_cn: '甲' }, { ...unnamed, course_name_cn: '乙' })).toMatchObject([
      { courses: 2 },
    ]);
  });

  it('are listed by term, the latest first; rows without a term are counted apart', () => {
    const { terms, rows_without_term } = sumTerms({
      records: [row({ term_id: '2023-2024-1-1' }), row({ term_id: null }), row({})],
    });
    expect(terms.map(({ term_id }) => term_id)).toEqual(['2024-2025-2-1', '2023-2024-1-1']);
    expect(rows_without_term).toBe(1);
  });
});
