import type { EmptyScores, ScoreSheet } from './studies.ts';

/** By terms before the current one; -1 is the next. The term itself is left out of the rows. */
type Sheets = readonly (readonly [back: number, sheet: EmptyScores | readonly unknown[]])[];

/** Rows too short, words and numbers for each other, nulls, and terms whose list is missing in several ways. */
// biome-ignore format: one row a line
const SHEETS: Sheets = [
  [0, 'no records'],
  [1, [
    [1, 'SY3201001', '02', '操作系统', 'Operating Systems', '4', 64, '必修', '考试', '87', null, null],
    [2, 'SY3201002', '01', '计算机网络', 'Computer Networks', '3.5', '56', '必修', '考试', 91.5, null, null],
    [3, 'SY3201003', '03', '软件工程导论', null, 3, 48, '必修', '考查', '优秀', '', ''],
    [4, 'SY3201004', '01', '概率论与数理统计', 'Probability & Statistics', '3', 48, '必修', '考试', '52', '', '63'],
    [5, 'SY3201005', '11', '体育（五）', 'Physical Education V', '1', '32.0', null, null, '良好', null],
    [6, 'SY3201006', '01', '科技文献检索', 'Literature Retrieval', '.5', null, '任选', '考查', '通过'],
  ]],
  [2, 'records null'],
  [3, [
    [1, 'SY2202001', '02', '数据结构（双语）', 'Data Structures', '4', 64, '必修', '考试', '78', null, null],
    ['2', 'SY2202002', '01', 'C&#43;&#43;程序设计', 'C++ Programming', '3', 48, '必修', '考试', '45', '58', '61'],
    [3, 'SY2202003', 4, '离散数学', 'Discrete Mathematics', '3', 48, '必修', '考试', null, null, null],
    null,
    [4, 'SY2202004', '01'],
    [5, 'SY2202005', '01', '数字逻辑  与\t系统', 'Digital Logic', '2.5', 40, '选修', '考试', '缓考', null, null],
    { note: '本行已撤销' },
  ]],
  [4, [
    [1, 'SY2201001', '05', '线性代数(B)', 'Linear Algebra B', '2.5', 40, '必修', '考试', '95', null, null],
    [2, 'SY2201002', '02', '大学物理（上）', 'College Physics I', '4', 64, '必修', '考试', '70', null, null],
    [3, 'SY2201003', '08', '大学英语（三）', 'College English III', '2', 32, '必修', '考试', '缺考', null, '66'],
    [4, 'SY2201004', '01', '中国传统文化概论', '', '1.5', 24, '任选', '考查', '合格', null, null],
  ]],
  [5, 'list missing'],
  [6, 'list null'],
  [7, [
    [1, 'SY1201001', '01', '高等数学（上）', 'Advanced Mathematics I', '5', 80, '必修', '考试', '88', null, null],
    [2, 'SY1201002', '02', '程序设计基础', 'Programming Fundamentals', '3', 48, '必修', '考试', '93', null, null],
    [3, 'SY1201003', '10', '军事理论', 'Military Theory', '2', 36, '必修', '考查', '及格', null, null],
    [4, 'SY1201004', '01', '数字经济导论', null, '2', 32, '必修', '考试', '70', '55', null],
    [5, 'SY1201005', '01', '法律文书写作', null, '2', 32, '必修', '考查', '不及格', null, null],
    [6, 'SY1201006', '01', '电子证据实务', null, '2', 32, '选修', '考试', 59.9, null, null],
  ]],
  [-1, 'list without members'],
];

/** @param codeOf the code of the term that is so many before the current one */
export const damagedScores = (codeOf: (back: number) => string): ReadonlyMap<string, ScoreSheet> =>
  new Map(
    SHEETS.map(([back, sheet]) => {
      const row = (cells: unknown) => (Array.isArray(cells) ? [cells[0], codeOf(back), ...cells.slice(1)] : cells);
      return [codeOf(back), typeof sheet === 'string' ? sheet : sheet.map(row)];
    }),
  );
