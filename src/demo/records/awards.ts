import { entryOf } from './attended.ts';
import type { Present } from './calendar.ts';

export interface StudentAwards {
  /** Credit texts by the end of their element's id. */
  readonly credits: readonly (readonly [label: string, id: string, text: string])[];
  /** The first twelve cells of each row, as HTML. */
  readonly rows: readonly (readonly string[])[];
}

export type AwardsOf = (userid: string, name: string, present: Present) => StudentAwards;

const credits = (texts: readonly string[]): StudentAwards['credits'] =>
  (
    [
      ['学科竞赛学分', 'lblXkjsxf'],
      ['科研项目学分', 'lblKyxf'],
      ['可转竞赛类学分', 'lblKzjslxf'],
      ['创新创业实践学分', 'lblCxcyxf'],
      ['能力资格认证学分', 'lblNlzgxf'],
      ['其他项目学分', 'lblQtxf'],
    ] as const
  ).map(([label, id], index) => [label, id, texts[index] ?? ''] as const);

/** Cells separated by blanks; `&nbsp;` stays what it is. */
const row = (cells: string): readonly string[] => cells.split(' ');

const LEVELS = ['校级', '省部级', '国家级'] as const;
const PRIZES = ['一等奖', '二等奖', '三等奖', '优秀奖'] as const;

/** Declared one by one in a contest that is held every month. */
const monthly = (count: number, userid: string, name: string, year: number): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const level = LEVELS[index % LEVELS.length];
    const prize = PRIZES[index % PRIZES.length];
    const date = `${year + Math.floor(index / 12)}/${(index % 12) + 1}/${number}`;
    return row(
      `${40400 + number} 程序设计月赛（第${number}期） ${level} ${prize} ${date} ${userid} ${name} ${number} 0.50 0.00 提交 通过`,
    );
  });

/** The credits of contests are the sum of the awards that were verified. */
const withSum = (rows: StudentAwards['rows'], others: readonly string[]): StudentAwards => {
  const sum = rows.reduce((total, cells) => total + (cells[11] === '通过' ? Number(cells[8]) : 0), 0);
  return { credits: credits([sum.toFixed(2), ...others]), rows };
};

/** Twelve awards on two pages. */
export const studentOneAwards: AwardsOf = (userid, name, { term }) => {
  const year = entryOf(term) + 1;
  return withSum(
    [
      row(`40211 大学生数学建模竞赛 省部级 二等奖 ${year}/9/8 ${userid} ${name} 1 3.00 800.00 提交 通过`),
      row(`40388 程序设计天梯赛 校级 一等奖 ${year + 1}/5/20 ${userid} ${name} 3 1.00 0.00 提交 待审核`),
      ...monthly(10, userid, name, year),
    ],
    ['无', '0', '2.00', '无', '无'],
  );
};

export const studentTwoAwards: AwardsOf = (userid, name, { term }) =>
  withSum(
    [
      row(
        `51007 全国大学生古诗文诵读大赛 国家级 三等奖 ${entryOf(term) + 1}/11/2 ${userid} ${name} 1 4.00 1200.00 提交 通过`,
      ),
    ],
    ['1.50', '0', '无', '2.00', '无'],
  );

/** Three pages; one award is listed twice, others have invalid numbers. */
export const damagedAwards: AwardsOf = (userid, name) => ({
  credits: credits(['16.60', '无', '0', '2.00', '无', '']),
  rows: [
    row(`40211 大学生数学建模竞赛 省部级 二等奖 2024/9/8 ${userid} ${name} 1 3.00 800.00 提交 通过`),
    row(`40388 程序设计&nbsp;天梯赛（团队） 校级 一等奖 2025/5/20 2023000044 ${name} 3 &nbsp; 0.00 提交 待审核`),
    row(`40388 程序设计&nbsp;天梯赛（团队） 校级 一等奖 2025/5/20 2023000044 ${name} 3 &nbsp; 0.00 提交 待审核`),
    row(`40391 英语翻译大赛 校级 三等奖 2025/6/1 ${userid} ${name} 第二 待定 1,200.50 提交 &nbsp;`),
    ...monthly(22, userid, name, 2023),
  ],
});
