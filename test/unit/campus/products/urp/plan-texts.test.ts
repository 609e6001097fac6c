import { describe, expect, it } from 'vitest';
import { collectOddities } from '../../../../../src/campus/parsing/oddities.ts';
import { categoryText, courseText, plainCourseText } from '../../../../../src/campus/products/urp/plan-texts.ts';
import { failureOf, unreadablePage } from './fixtures.ts';

const statistics = '最低修读学分:68,通过学分:34.4,已修课程门数:26,已及格课程门数:25,未及格课程门数:1,必修课缺修门数:12';
const none = {
  minCredits: 0,
  completedCredits: 0,
  totalCourses: 0,
  passedCourses: 0,
  failedCourses: 0,
  missingRequiredCourses: 0,
};

describe('the text of a category', () => {
  it.each([
    ['通识通修', `通识通修(${statistics})`],
    ['通识教育(限选)', `通识教育(限选)(${statistics})`],
    ['通识教育（限选）', `通识教育（限选）（${statistics.replaceAll(':', '：').replaceAll(',', '，')}）`],
    ['通识', `<i class='fa'></i>&nbsp;通识 (${statistics})`],
  ])('%s with its statistics', (name, text) => {
    expect(categoryText(text)).toEqual({
      name,
      minCredits: 68,
      completedCredits: 34.4,
      totalCourses: 26,
      passedCourses: 25,
      failedCourses: 1,
      missingRequiredCourses: 12,
    });
  });

  it('is the whole name when it has no statistics', () => {
    expect(categoryText('专业教育(必修)')).toEqual({ ...none, name: '专业教育(必修)' });
    expect(categoryText('')).toEqual({ ...none, name: '' });
  });

  it('has 0 for numbers that are missing or malformed', () => {
    expect(categoryText('甲(最低修读学分:,通过学分:x,已修课程门数:3)')).toEqual({
      ...none,
      name: '甲',
      totalCourses: 3,
    });
    expect(categoryText('甲(最低修读学分:.5)')).toMatchObject({ name: '甲', minCredits: 0.5 });
  });
});

describe('a count that a category does not state', () => {
  const oddOf = (text: string) =>
    collectOddities(() => categoryText(text)).oddities.map(({ kind, name }) => [kind, name]);

  it('is told to the operator by its label, because clients are told 0', () => {
    expect(oddOf('公共课(最低修读学分:25,通过学分:10,已修课程门数:4,已及格课程门数:3,未及格课程门数:1)')).toEqual([
      ['default', '必修课缺修门数'],
    ]);
    expect(oddOf('专业教育(必修)')).toHaveLength(6);
    expect([`通识(${statistics})`, ''].map(oddOf)).toEqual([[], []]);
  });
});

describe('labels that are not ours', () => {
  it('are other words for ours, or make the plan unreadable: 0 would be told for a count that we do not find', () => {
    expect(categoryText('公共课(最低修读学分:25,已及格课程门数:17,必修课未修读:3)')).toEqual({
      ...none,
      name: '公共课',
      minCredits: 25,
      passedCourses: 17,
      missingRequiredCourses: 3,
    });
    for (const text of ['公共课(要求学分:25,已获学分:22)', '公共课(最低修读学分:25,还差门数:3)']) {
      expect(failureOf(() => categoryText(text))).toMatchObject(unreadablePage);
    }
    expect(categoryText(`通识(${statistics},还差门数:3)`)).toMatchObject({
      minCredits: 68,
      missingRequiredCourses: 12,
    });
  });
});

describe('the text of a course', () => {
  const parts = (text: string) => {
    const { code, name, credits, type, score, examDate } = courseText(text);
    return [code, name, credits, type, score, examDate];
  };
  it.each([
    ['[M1]线性代数(B)[2.5学分](必修,52.0(20250112))', ['M1', '线性代数(B)', 2.5, '必修', '52.0', '20250112']],
    ['[P1]体育(一)[1学分](任选,优秀(20240105))', ['P1', '体育(一)', 1, '任选', '优秀', '20240105']],
    ['[G1]大学英语(一)', ['G1', '大学英语(一)', null, '', null, null]],
    ['[X]名称[1学分](85.0(20250626 说明，缓考，另一名称))', ['X', '名称', 1, '', '85.0', '20250626']],
    ['[X]名称[1学分](必修)', ['X', '名称', 1, '必修', null, null]],
    ['[X]名称[1学分]（必修，87（20250112））', ['X', '名称', 1, '必修', '87', '20250112']],
    ['[X]名称[.5学分](优秀(20250112))', ['X', '名称', 0.5, '', '优秀', '20250112']],
    ['[X]名称(20250112)', ['X', '名称', null, '', null, '20250112']],
    ['[X]名称(必修,20250112)', ['X', '名称', null, '必修', null, '20250112']],
    ['[X]名称(必修(20250112))', ['X', '名称', null, '必修', null, '20250112']],
    ['[X]名称(必修,)', ['X', '名称', null, '必修', null, null]],
    ['[X]名称(专业核心,90)', ['X', '名称', null, '专业核心', '90', null]],
    ['[X]大学物理(2)[4学分](必修,90(20250112))', ['X', '大学物理(2)', 4, '必修', '90', '20250112']],
    ['[X]大学物理(2)', ['X', '大学物理(2)', null, '', null, null]],
    ['[X]大学物理(2-1)[4学分]', ['X', '大学物理(2-1)', 4, '', null, null]],
    ['[X]大学体育（4上）', ['X', '大学体育（4上）', null, '', null, null]],
    ['[X]建模(3D打印)[1学分](限选)', ['X', '建模(3D打印)', 1, '限选', null, null]],
    ['[X]名称(92.5(补考))', ['X', '名称', null, '', '92.5', null]],
    ['[X]名称(5.0)', ['X', '名称', null, '', '5.0', null]],
    ['[X]名称(92)', ['X', '名称', null, '', '92', null]],
    ['[X][2学分](必修)', ['X', '未知课程', 2, '必修', null, null]],
    ['[X]，名称。', ['X', '名称', null, '', null, null]],
    ['[X]C++ (双语)[x学分]', ['X', 'C++ (双语)[x学分]', null, '', null, null]],
    [
      '[304112010]新生研讨课[1学分,2023-2024学年秋](必修,96.0(20240107))',
      ['304112010', '新生研讨课', 1, '必修', '96.0', '20240107'],
    ],
    ['[X]名称[2023-2024学年秋，2.5学分](必修)', ['X', '名称', 2.5, '必修', null, null]],
    ['[31131862]内部审计[2学分](已修读及格,79.0(正常))', ['31131862', '内部审计', 2, '', '79.0', null]],
    ['[X]名称[2学分](未修读)', ['X', '名称', 2, '', null, null]],
    ['[X]名称(及格)', ['X', '名称', null, '', '及格', null]],
    ['[X]名称[2学分](必修,-999.0(20250112))', ['X', '名称', 2, '必修', null, '20250112']],
    ['名称[2学分](选修)', ['', '名称', 2, '选修', null, null]],
    ['名称', ['', '名称', null, '', null, null]],
    ['', ['', '未知课程', null, '', null, null]],
    ['[X]名称))', ['X', '名称))', null, '', null, null]],
    ["<i class='fa fa-smile-o'></i> &nbsp;[X&amp;1]A&#66;  C", ['X&1', 'AB C', null, '', null, null]],
  ])('%j', (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it.each([
    ["<i class='fa fa-smile-o fa-1x green'></i>[X]名称", 'passed'],
    ["<i class='fa fa-frown-o fa-1x red'></i>[X]名称", 'failed'],
    ["<i class='fa fa-meh-o fa-1x light-grey'></i>[X]名称", 'unread'],
    ['[X]名称(必修,90(20250112))', 'unread'],
    ['<i></i>&nbsp;[X]名称[2学分](已修读及格,79.0(正常))', 'passed'],
    ['[X]名称(未及格,50.0(20250112))', 'failed'],
    ['[X]名称(已修读不及格,50.0)', 'failed'],
    ['[X]名称(未修读)', 'unread'],
    // The icon goes first.
    ["<i class='fa fa-frown-o fa-1x red'></i>[X]名称(已修读及格,79.0)", 'failed'],
    ["<i class='fa fa-meh-o fa-1x light-grey'></i>[X]名称(及格,79.0)", 'unread'],
  ])('%j is read as %s', (text, state) => {
    expect(courseText(text).state).toBe(state);
  });

  it('is only a name when the catalogue lacks the course', () => {
    expect(plainCourseText('创新&nbsp;实践[3]（必修）')).toMatchObject({
      code: '',
      name: '创新 实践[3]（必修）',
      type: '',
    });
    expect(plainCourseText('<b></b>').name).toBe('未知课程');
  });
});

it.each([
  ["<i class='fa green fa-smile-o'></i>[G1]思想", 'passed'],
  ['<i class="fa fa-smile-o  fa-2x green"></i>[G1]思想', 'passed'],
  ["<I CLASS='red fa fa-frown-o'></I>[G1]思想", 'failed'],
  ["<i class='fa fa-smile-o fa-1x grey'></i>[G1]思想", 'unread'],
  ['[G1]思想(必修,已修读及格,85(20240705))', 'passed'],
  ['[G1]思想(必修，未及格，45)', 'failed'],
  ['[G1]思想(必修,未修读)', 'unread'],
  ['[G1]思想(通过)', 'passed'],
  ['[G1]思想(不合格)', 'failed'],
  ['[G1]思想(在修)', 'unread'],
])('the state of %s is %s, however its icon or its words are put', (name, state) => {
  expect(courseText(name)).toMatchObject({ code: 'G1', name: '思想', state });
});

it('a state behind the type is no part of the mark', () => {
  expect(courseText('[G1]思想(必修,已修读及格,85(20240705))')).toMatchObject({ type: '必修', score: '85' });
  expect(courseText('[G1]思想(未修读,必修)')).toMatchObject({ type: '必修', score: null });
  expect(courseText('[G1]思想(必修,及格(20240705))')).toMatchObject({ type: '必修', score: '及格' });
});

it.each([
  '[3学分]',
  '[３学分]',
  '［3学分］',
  '【3学分】',
  '[学分:3]',
  '[3学分 2023-2024学年秋]',
  '[3学分/48学时]',
  '[2023-2024学年秋，3学分]',
])('credits may stand as %s', (bracket) => {
  expect(courseText(`[G1]思想${bracket}`)).toMatchObject({ name: '思想', credits: 3 });
});

it.each([
  '(最低修读学分:６８,通过学分:34)',
  '[最低修读学分:68,通过学分:34]',
  '(最低修读学分 68,通过学分 34)',
  '(最低修读学分=68;通过学分=34)',
])('a category may list its numbers as %s', (numbers) => {
  expect(categoryText(`通识${numbers}`)).toMatchObject({ name: '通识', minCredits: 68, completedCredits: 34 });
});
