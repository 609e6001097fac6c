import { entryOf } from './attended.ts';
import type { Present } from './calendar.ts';

export interface StudentActivityScore {
  readonly total: unknown;
  /** Categories in the order of the list; paged by the application. */
  readonly categories: readonly unknown[];
}

export type ActivityScoreOf = (userid: string, present: Present) => StudentActivityScore;

const item = (
  number: number,
  [title, kind]: readonly [string, string],
  score: unknown,
  addedAt: unknown,
  userid: unknown,
) => ({
  ID: `b1b7e0a2-8d57-4f6e-8a44-95be4b0f1${String(number).padStart(3, '0')}`,
  Title: title,
  TypeName: kind,
  UserNo: userid,
  Score: score,
  AddTime: addedAt,
});

const category = (number: number, name: string, total: unknown, children: unknown) => ({
  ID: `6f0d6f0e-2f0b-4a55-9a53-30c4f2a1c${String(number).padStart(3, '0')}`,
  ShowNum: number,
  TypeName: name,
  TotalScore: total,
  children,
});

/** Title, kind, score, years after the entry and the day. */
type Deed = readonly [title: string, kind: string, score: number, years: number, at: string];

const sumOf = (scores: readonly number[]): number => scores.reduce((sum, score) => sum + score, 0);

/** Items by category; every total is the sum of the items below it. */
const scoreOf =
  (deeds: Readonly<Record<string, readonly Deed[]>>, reason: string): ActivityScoreOf =>
  (userid, { term }) => {
    let number = 0;
    const categories = Object.entries(deeds).map(([name, each], index) => {
      const children = each.map(([title, kind, score, years, at]) => {
        number += 1;
        return item(number, [title, kind], score, `${entryOf(term) + years}-${at}`, userid);
      });
      return category(index + 1, name, sumOf(each.map(([, , score]) => score)), children);
    });
    const total = sumOf(categories.map(({ TotalScore }) => Number(TotalScore)));
    return { total: { TotalScore: total, IsTypeAdopt: reason === '', TypeAdoptResult: reason }, categories };
  };

export const studentOneActivityScore = scoreOf(
  {
    思想成长: [
      ['主题团日活动', '团学活动', 1.5, 1, '03-15 10:30:00'],
      ['暑期社会实践', '社会实践', 20, 1, '09-02 15:00:00'],
    ],
    志愿公益: [['图书馆引导志愿服务', '志愿服务', 32, 2, '05-18 09:00:00']],
    文体活动: [['校园合唱节', '文艺活动', 30, 1, '12-02 19:00:00']],
    劳动实践: [],
  },
  '劳动实践类得分未达到最低要求',
);

export const studentTwoActivityScore = scoreOf(
  {
    思想成长: [['读书分享会', '团学活动', 12, 1, '04-23 18:30:00']],
    志愿公益: [
      ['社区支教', '志愿服务', 36, 1, '06-01 08:00:00'],
      ['方言保护志愿服务', '志愿服务', 24, 1, '11-08 14:00:00'],
    ],
    文体活动: [['古诗文朗诵会', '文艺活动', 20, 1, '10-17 19:00:00']],
    劳动实践: [['古籍除尘达标', '劳动实践', 20, 2, '05-30 16:00:00']],
  },
  '',
);

/** Texts for numbers, two date forms, nulls, a number for text. */
export const damagedActivityScore: ActivityScoreOf = (userid) => ({
  total: { TotalScore: '83.5', IsTypeAdopt: 0, TypeAdoptResult: '劳动实践类得分未达到最低要求' },
  categories: [
    category(1, '思想成长', 21.5, [
      item(1, ['主题团日活动', '团学活动'], '1.5', '2024-03-15 10:30:00', userid),
      item(2, ['暑期社会实践', '社会实践'], 20, '2024/09/02', userid),
    ]),
    category(2, '志愿公益', '32', [item(3, ['图书馆引导志愿服务', '志愿服务'], 32, '2025-05-18 09:00:00', userid)]),
    category(3, '文体活动', 30, [item(4, ['校园合唱节', '文艺活动'], 30, null, Number(userid))]),
    category(4, '劳动实践', 0, null),
  ],
});

const MANY = 104;

/** More categories than a page holds. */
export const manyActivityScores = scoreOf(
  Object.fromEntries(
    Array.from({ length: MANY }, (_, index) => [
      `志愿服务第${index + 1}期`,
      [[`社区服务第${index + 1}期`, '志愿服务', 1, 1, '06-01 08:00:00']],
    ]),
  ),
  '',
);

export const noActivityScore = scoreOf({}, '尚无得分');
