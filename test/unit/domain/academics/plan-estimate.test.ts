import { describe, expect, it } from 'vitest';
import type { PlanCategory, PlanCompletion, PlanCourse } from '../../../../src/domain/academics/plans.ts';
import type { ScoreRecord } from '../../../../src/domain/academics/records.ts';
import { courseMarksOf, estimatePlan, scoreVerdictOf } from '../../../../src/domain/academics/score-marks.ts';
import { exampleCompletion, exampleScore } from '../../../support/fake-services.ts';

const row = (courseCode: string, score: string, more: Partial<ScoreRecord> = {}): ScoreRecord => ({
  ...exampleScore,
  course_code: courseCode,
  score,
  ...more,
});
const history = (...terms: ReadonlyArray<readonly ScoreRecord[]>) =>
  terms.map((scores, at) => ({ code: `term${at}`, scores }));
const course = (code: string, credits: number | null = 2, state: PlanCourse['state'] = 'unread'): PlanCourse => ({
  flagId: `f-${code}`,
  flagType: 'kch',
  code,
  name: code,
  state,
  credits,
  score: null,
  examDate: null,
  type: '',
  parentId: 'p',
  level: 2,
});
const category = (flagId: string, courses: PlanCourse[], ...subcategories: PlanCategory[]): PlanCategory => ({
  flagId,
  name: flagId,
  minCredits: 0,
  completedCredits: 0,
  totalCourses: 0,
  passedCourses: 0,
  failedCourses: 0,
  missingRequiredCourses: 0,
  subcategories,
  courses,
});
const planOf = (totalCourses: number, ...categories: PlanCategory[]): PlanCompletion => ({
  ...exampleCompletion,
  categories,
  totalCourses,
  passedCourses: 0,
});
const markOf = (...rows: ScoreRecord[]) => courseMarksOf(history(rows)).get('A');

describe('a mark', () => {
  it.each(['60', ' 87.5 ', '+61', '优秀', '良好', '中等', '合格', '通过', '合格(补)', 'A', 'B+', 'C-', 'D'])(
    '%j passes',
    (text) => {
      expect(scoreVerdictOf(text)?.passes).toBe(true);
    },
  );

  it.each([
    '59.9',
    '59.99',
    '0',
    '.5',
    '不及格',
    '不合格',
    '未通过',
    '不通过',
    '补考不及格',
    'F',
    'Fail',
    '未及格',
    '没有通过',
    '非合格',
    'not passed',
    'failed',
    '成绩未能合格',
  ])('%j fails', (text) => {
    expect(scoreVerdictOf(text)?.passes).toBe(false);
  });

  it.each([
    '-1',
    '-60',
    '-999.999',
    '  ',
    '缓考',
    '缺考',
    '免修',
    'a',
    'fail',
    'E',
    'AB',
    'Absent',
    'A++',
    '1e2',
    '87分',
    '九十',
  ])('%j decides nothing', (text) => {
    expect(scoreVerdictOf(text)).toBeNull();
  });
});

describe('of several marks of a course', () => {
  it.each([
    ['the higher number', [row('A', '45', { retake_score: '58', makeup_score: '61' })], '61', 'makeup_score'],
    ['a first try better than its retake', [row('A', '70', { retake_score: '55' })], '70', 'score'],
    ['a passing one, number or word', [row('A', '59'), row('A', '及格')], '及格', 'score'],
    ['a passing number rather than a failing word', [row('A', '不及格', { makeup_score: '60' })], '60', 'makeup_score'],
    ['the first met, where both pass', [row('A', '优秀'), row('A', '99')], '优秀', 'score'],
    ['the first met, where both fail', [row('A', '不及格'), row('A', '3')], '不及格', 'score'],
    ['the retake of two equal ones', [row('A', '70', { retake_score: '70' })], '70', 'retake_score'],
    ['the one that says something', [row('A', '缓考'), row('A', '', { retake_score: '52' })], '52', 'retake_score'],
  ] as const)('%s counts', (_, rows, text, from) => {
    expect(markOf(...rows)).toMatchObject({ text, from });
  });

  it('none counts that says nothing, and codes are the same only to the letter', () => {
    expect(markOf(row('A', '缺考', { retake_score: '' }), row('a', '90'), row('A ', '90'))).toBeUndefined();
  });

  it('the term of the row counts, else the one that was asked for; credits only as a number', () => {
    const marks = courseMarksOf(
      history(
        [row('A', '1', { term_id: '2024-2025-1-1', credits: '3' })],
        [row('B', '1', { term_id: '', credits: '三' })],
      ),
    );
    expect(marks.get('A')).toMatchObject({ termCode: '2024-2025-1-1', credits: 3 });
    expect(marks.get('B')).toMatchObject({ termCode: 'term1', credits: null });
  });
});

describe('the estimate of a plan', () => {
  it('counts nodes, sums credits of categories from below, and each code once in the total', () => {
    const plan = planOf(
      7,
      category(
        '1',
        [course('A'), course('F', 4)],
        category('11', [course('B', null), course('C')], category('111', [course('A', 5)])),
      ),
      category('2', [course('X'), course('D', 1, 'failed')]),
    );
    const scores = history(
      [row('A', '80'), row('B', '及格', { credits: '0.1' })],
      [row('C', '不及格'), row('F', '59'), row('Z', '99')],
    );
    const estimate = estimatePlan(plan, scores);
    expect(estimate).toMatchObject({
      passed_courses: 3,
      failed_courses: 3,
      unread_courses: 1,
      completed_credits: 2.1,
      matched_courses: 4,
      score_records: 5,
      terms_read: 2,
      categories: [
        { category_id: '1', passed_courses: 3, failed_courses: 2, completed_credits: 7.1 },
        { category_id: '11', passed_courses: 2, failed_courses: 1, completed_credits: 5.1 },
        { category_id: '111', passed_courses: 1, failed_courses: 0, completed_credits: 5 },
        { category_id: '2', passed_courses: 0, failed_courses: 1, completed_credits: 0 },
      ],
    });
    expect(
      estimate?.courses.map(({ course_code, is_passed, credits, credits_source }) => [
        course_code,
        is_passed,
        credits,
        credits_source,
      ]),
    ).toEqual([
      ['A', true, 2, 'plan'],
      ['F', false, 4, 'plan'],
      ['B', true, 0.1, 'score'],
      ['C', false, 2, 'plan'],
      ['A', true, 5, 'plan'],
    ]);
  });

  it('has no credits where neither plan nor score states them', () => {
    const estimate = estimatePlan(
      planOf(1, category('1', [course('A', null)])),
      history([row('A', '80', { credits: '' })]),
    );
    expect(estimate).toMatchObject({ completed_credits: 0, courses: [{ credits: null, credits_source: null }] });
  });

  it('is none where no course has a mark; a node without a code never has one', () => {
    const plan = planOf(2, category('1', [course(''), course('A')]));
    expect(estimatePlan(plan, history([row('', '90'), row('A', '缓考')]))).toBeNull();
    expect(estimatePlan(plan, history())).toBeNull();
  });

  it('of a plan 2,000 parts deep is made without recursion', () => {
    let tree = category('0', [course('A')]);
    for (let depth = 1; depth < 2_000; depth += 1) tree = category(String(depth), [], tree);
    const estimate = estimatePlan(planOf(1, tree), history([row('A', '60')]));
    expect(estimate?.categories.map(({ completed_credits }) => completed_credits)).toEqual(Array(2_000).fill(2));
  });
});
