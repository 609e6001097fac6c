import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { parseSchemeScores } from '../../../../../src/campus/products/urp/parse-scheme-scores.ts';
import { failureOf, fieldInput, unreadablePage } from './fixtures.ts';

const recordOf = (text: string) => {
  const answer = parseSchemeScores(text);
  if (answer.kind !== 'record') throw new Error('not a record');
  return answer;
};

describe('a row of the scheme', () => {
  it('may have its mark and its names inside its id', () => {
    const [row] = recordOf(fieldInput('f08-scheme-mark-inside-id.json')).records;
    expect(row).toMatchObject({
      term_id: '2025-2026-1-1',
      course_code: '201080030',
      course_name_cn: '高等数学B',
      score: '92',
      score_number: 92,
      grade_point: 4,
    });
  });

  it('shows no mark and no point that is negative', () => {
    const { value, oddities } = collectOddities(() => recordOf(fieldInput('f09-scheme-negative-mark.json')));
    expect(value.records[0]).toMatchObject({ score: '', score_number: null, grade_point: null });
    expect(oddities).toContainEqual(expect.objectContaining({ kind: 'unpublished', name: 'cj' }));
  });

  it('that is none is counted; most of them make the page unreadable, nulls do not', () => {
    const body = (...cjList: unknown[]) => JSON.stringify([{ cjlx: 'x', cjList }]);
    const good = { id: { courseNumber: 'A' } };
    expect(recordOf(body(good, 7, null))).toMatchObject({ dropped: 1 });
    expect(recordOf(body(null, null))).toMatchObject({ records: [], dropped: 0 });
    expect(failureOf(() => parseSchemeScores(body(good, 7, 'x')))).toMatchObject(unreadablePage);
  });

  it('without a course is dropped and counted; where none has one, the page is unreadable', () => {
    const body = (...cjList: unknown[]) => JSON.stringify([{ cjlx: 'x', cjList }]);
    const good = { id: { courseNumber: 'A' }, cj: '90' };
    const named = { courseName: '体育', cj: '80' };
    for (const without of [{}, { cj: '90' }, { id: { courseNumber: ' ' }, courseName: '' }]) {
      const { records, dropped } = recordOf(body(good, without, named));
      expect(records.map((row) => [row.course_code, row.course_name_cn])).toEqual([
        ['A', ''],
        ['', '体育'],
      ]);
      expect(dropped).toBe(1);
      expect(failureOf(() => parseSchemeScores(body(without)))).toMatchObject(unreadablePage);
    }
  });
});

describe('members in other places', () => {
  const read = (cjList: unknown) => parseSchemeScores(JSON.stringify([{ cjlx: '必修', cjList }]));

  it.each([
    [{ id: { courseNumber: 'E1', courseName: '微观', credit: '3', gradeName: '优', termName: '秋' } }],
    [{ courseNumber: 'E1', courseName: '微观', credit: '3学分', gradeName: '优', termName: '秋' }],
    [{ id: 'text', courseNumber: 'E1', courseName: '微观', credit: 3, gradeName: '优', termName: '秋' }],
  ])('are read in the row and in its id: %j', (row) => {
    const record = { course_code: 'E1', course_name_cn: '微观', credits: '3', grade_name: '优', term_name: '秋' };
    expect(read([row])).toMatchObject({ records: [record] });
  });

  it.each([[{ '0': { id: {} } }], ['服务器错误']])(
    'rows in another form than a list are no empty group: %j',
    (rows) => {
      expect(() => read(rows)).toThrow(expect.objectContaining({ kind: 'upstream-unreadable' }));
    },
  );
});
