import { expect, it } from 'vitest';
import * as eams5Scores from '../../../../src/campus/products/eams5/parse-scores.ts';
import { parseTermStart, termCodeIn } from '../../../../src/campus/products/eams5/parse-terms.ts';
import * as emap from '../../../../src/campus/products/emap/parse-scores.ts';
import { parseSubmission } from '../../../../src/campus/products/urp/evaluation-client.ts';
import { parseEvaluationList } from '../../../../src/campus/products/urp/parse-evaluation.ts';

// The same fact in other encodings: booleans as numbers and words, lists as texts, shares as fractions.

const ofEams5 = (more: object) => {
  const row = { courseName: '微观', courseCode: 'E1', gaGrade: '95', published: true, ...more };
  return eams5Scores.parseScores(JSON.stringify({ semesterId2studentGrades: { '171': [row] } })).scores;
};

it.each([false, 0, 'false', '0'])('a mark that eams5 has not published (%j) is not shown', (published) => {
  expect(ofEams5({ published })).toEqual([]);
});

it.each([true, 1, 'true', null])('one that it has (%j) is', (published) => {
  expect(ofEams5({ published })).toHaveLength(1);
});

it.each([true, 1, 'true'])('weeks that begin on Sunday (%j) give no first day', (weekStartOnSunday) => {
  const text = JSON.stringify({ startDate: '2026-03-02', weekStartOnSunday });
  expect(() => parseTermStart(text)).toThrow(expect.objectContaining({ kind: 'upstream-unreadable' }));
});

it.each([
  '<span>平时成绩:90</span><span>期末成绩:97</span>',
  '平时成绩:90;期末成绩:97',
  '平时成绩：90，期末成绩：97',
  '平时成绩:90<br/>期末成绩:97',
  '平时成绩:90 期末成绩:97',
  '&lt;span&gt;平时成绩:90&lt;/span&gt;&lt;span&gt;期末成绩:97&lt;/span&gt;',
])('components of eams5 in one text are told apart: %s', (gradeDetail) => {
  expect(ofEams5({ gradeDetail })[0]?.components).toMatchObject([{ regular: '90', final: '97', remark: '' }]);
});

it.each(['２０２５-２０２６-1', '2025/2026-1', '2025—2026学年秋', '2025至2026学年第一学期'])('%s is a term', (text) => {
  expect(termCodeIn(text)).toBe('2025-2026-1-1');
});

const ofEmap = (more: object) => {
  const row = { KCH: 'E1', KCM: '微观', XNXQDM: '2025-2026-1', ZCJ: 55, PSCJ: '90', ...more };
  const datas = { xscjcx: { rows: [row], totalSize: 1 } };
  return emap.parseScores(JSON.stringify({ code: '0', datas })).rows[0];
};

it.each(['40', 40, '40%', '40％', 0.4, '0.4'])('a share of %j is two fifths', (PSCJXS) => {
  expect(ofEmap({ PSCJXS })?.components).toMatchObject([{ regular: '90', regular_weight: 0.4 }]);
});

it.each(['0', 0, false, '否'])('a reason stands beside a mark that has not passed (%j)', (SFJG) => {
  expect(ofEmap({ SFJG, TSYYDM_DISPLAY: '缺考' })?.row.not_passed_reason).toBe('缺考');
  expect(ofEmap({ SFJG: '1', TSYYDM_DISPLAY: '缺考' })?.row.not_passed_reason).toBeNull();
});

it.each([
  ['是', '是'],
  [true, '是'],
  [1, '是'],
  ['否', '否'],
  ['0', '否'],
  ['已评', '已评'],
])('a course that is evaluated by %j says %s', (isEvaluated, evaluated) => {
  const data = [{ evaluatedPeople: '周明', evaluationContent: '微观', isEvaluated }];
  expect(parseEvaluationList(JSON.stringify({ result: 'success', data })).list.courses).toMatchObject([{ evaluated }]);
});

it.each(['ok', true, 1, '0', '200'])('%j may mean that answers were taken, which only the list tells', (result) => {
  expect(parseSubmission(JSON.stringify({ result }))).toBe('unknown');
});
